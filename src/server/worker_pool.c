// SPDX-License-Identifier: Apache-2.0

#include "server/worker_pool.h"

#include "base/thread/thread.h"

#include <pthread.h>
#include <stdlib.h>

struct worker_pool {
	pthread_mutex_t lock;
	pthread_cond_t wake;
	struct worker_job *first, *last;
	size_t num_waiting;
	bool is_closed;
	void (*run)(void *data, struct worker_job *job);
	void *data;
	struct thread **threads;
	size_t num_threads;
};

/** NULL: there is none, and there will be none. */
static struct worker_job *worker_pool_take(struct worker_pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	while (!pool->first && !pool->is_closed)
		pthread_cond_wait(&pool->wake, &pool->lock);
	struct worker_job *job = pool->first;
	if (job) {
		pool->first = job->next;
		pool->num_waiting--;
	}
	pthread_mutex_unlock(&pool->lock);
	return job;
}

static void worker_pool_work(void *data)
{
	struct worker_pool *pool = data;
	struct worker_job *job;
	while ((job = worker_pool_take(pool)))
		pool->run(pool->data, job);
}

struct error *worker_pool_create(const char *name, size_t num_threads,
				 void (*run)(void *data, struct worker_job *job), void *data,
				 struct worker_pool **ret)
{
	struct worker_pool *pool = calloc(1, sizeof(*pool));
	if (!pool)
		return &error_no_memory;
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->wake, NULL);
	pool->run = run;
	pool->data = data;
	pool->threads = calloc(num_threads, sizeof(*pool->threads));
	struct error *err = pool->threads ? NULL : &error_no_memory;
	for (; !err && pool->num_threads < num_threads; pool->num_threads += !err)
		err = thread_start(name, worker_pool_work, pool, &pool->threads[pool->num_threads]);
	if (err) {
		worker_pool_destroy(pool);
		return err;
	}
	*ret = pool;
	return NULL;
}

void worker_pool_finish(struct worker_pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	pool->is_closed = true;
	pthread_cond_broadcast(&pool->wake);
	pthread_mutex_unlock(&pool->lock);
	for (size_t i = 0; i < pool->num_threads; i++)
		thread_join(pool->threads[i]);
	pool->num_threads = 0;
}

void worker_pool_destroy(struct worker_pool *pool)
{
	if (!pool)
		return;
	worker_pool_finish(pool);
	pthread_cond_destroy(&pool->wake);
	pthread_mutex_destroy(&pool->lock);
	free(pool->threads);
	free(pool);
}

bool worker_pool_submit(struct worker_pool *pool, struct worker_job *job)
{
	job->next = NULL;
	pthread_mutex_lock(&pool->lock);
	bool is_open = !pool->is_closed;
	if (is_open) {
		if (pool->first)
			pool->last->next = job;
		else
			pool->first = job;
		pool->last = job;
		pool->num_waiting++;
		pthread_cond_signal(&pool->wake);
	}
	pthread_mutex_unlock(&pool->lock);
	return is_open;
}

size_t worker_pool_num_waiting(struct worker_pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	size_t num_waiting = pool->num_waiting;
	pthread_mutex_unlock(&pool->lock);
	return num_waiting;
}
