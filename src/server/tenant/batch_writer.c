// SPDX-License-Identifier: Apache-2.0
// The jobs of callers form a queue; the thread takes all of it at once. Where a transaction of
// several jobs fails, each is done again alone, so that only those fail that are the reason.

#include "server/tenant/batch_writer.h"

#include "base/container/array.h"
#include "base/os/clock.h"
#include "base/thread/thread.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_WRITER_FAULT_NS UINT64_C(60000000000)

enum { BATCH_WRITER_MAX_BATCHES = 4096 }; // of a transaction; a job is never divided

struct batch_writer_job {
	struct batch_writer_job *next;
	const struct fleet_batch *const *batches;
	size_t num_batches;
	struct store_put_result result;
	struct error *err;
	bool is_done;
};

struct batch_writer {
	struct store facade;
	struct store *store;
	struct server_metrics *metrics;
	pthread_mutex_t lock;
	pthread_cond_t wake, done;
	struct batch_writer_job *first, *last;
	bool is_ending;
	char *fault;
	uint64_t fault_ns;
	FILE *log;
	struct thread *thread;
	const struct fleet_batch **batches; // of the thread, as what follows
	size_t cap_batches;
};

/** Some of the queue, as a list; NULL: the end. */
static struct batch_writer_job *batch_writer_take(struct batch_writer *writer)
{
	pthread_mutex_lock(&writer->lock);
	while (!writer->first && !writer->is_ending)
		pthread_cond_wait(&writer->wake, &writer->lock);
	struct batch_writer_job *jobs = writer->first, *last = jobs;
	size_t num = jobs ? jobs->num_batches : 0;
	while (last && last->next && num + last->next->num_batches <= BATCH_WRITER_MAX_BATCHES) {
		last = last->next;
		num += last->num_batches;
	}
	if (last) {
		writer->first = last->next;
		last->next = NULL;
	}
	pthread_mutex_unlock(&writer->lock);
	return jobs;
}

static struct error *batch_writer_gather(struct batch_writer *writer,
					 const struct batch_writer_job *jobs, size_t *ret_num)
{
	size_t num = 0;
	for (const struct batch_writer_job *job = jobs; job; job = job->next) {
		struct error *err = array_reserve(&writer->batches, &writer->cap_batches,
						  num + job->num_batches + 1);
		if (err)
			return err;
		memcpy(writer->batches + num, job->batches,
		       job->num_batches * sizeof(*job->batches));
		num += job->num_batches;
	}
	*ret_num = num;
	return NULL;
}

static struct error *batch_writer_put(struct batch_writer *writer,
				      const struct batch_writer_job *jobs,
				      struct store_put_result *ret)
{
	size_t num = 0;
	struct error *err = batch_writer_gather(writer, jobs, &num);
	uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	if (!err)
		err = writer->store->ops->put(writer->store, writer->batches, num, ret);
	server_metrics_time_put(writer->metrics, clock_ns(CLOCK_MONOTONIC) - begin_ns);
	if (err)
		return err;
	server_metrics_add(writer->metrics, SERVER_BATCHES_STORED, ret->num_stored);
	server_metrics_add(writer->metrics, SERVER_BATCHES_KNOWN, ret->num_known);
	server_metrics_add(writer->metrics, SERVER_BATCHES_TOO_OLD, ret->num_too_old);
	return NULL;
}

static void batch_writer_note(struct batch_writer *writer, const struct error *err)
{
	if (err && !writer->fault)
		fprintf(writer->log, "wperf serve: %s%s%s\n", err->message, err->hint ? "; " : "",
			err->hint ? err->hint : "");
	if (!err && writer->fault)
		fprintf(writer->log, "wperf serve: the store can be written again\n");
	free(writer->fault);
	writer->fault = err ? strdup(err->message) : NULL;
	writer->fault_ns = clock_ns(CLOCK_MONOTONIC);
}

/** The caller of a job may be gone as soon as it is done. */
static void batch_writer_answer(struct batch_writer *writer, struct batch_writer_job *jobs,
				struct error *err, struct store_put_result result)
{
	pthread_mutex_lock(&writer->lock);
	batch_writer_note(writer, err);
	for (struct batch_writer_job *job = jobs, *next; job; job = next) {
		next = job->next;
		job->err = err;
		job->result = result;
		job->is_done = true;
	}
	pthread_cond_broadcast(&writer->done);
	pthread_mutex_unlock(&writer->lock);
}

static void batch_writer_write(struct batch_writer *writer, struct batch_writer_job *jobs)
{
	struct store_put_result result = {0};
	struct error *err = batch_writer_put(writer, jobs, &result);
	if (!err || !jobs->next) {
		batch_writer_answer(writer, jobs, err, result);
		return;
	}
	error_destroy(err);
	for (struct batch_writer_job *job = jobs, *next; job; job = next) {
		next = job->next;
		job->next = NULL;
		err = batch_writer_put(writer, job, &result);
		batch_writer_answer(writer, job, err, result);
	}
}

static void batch_writer_run(void *data)
{
	struct batch_writer *writer = data;
	struct batch_writer_job *jobs;
	while ((jobs = batch_writer_take(writer)))
		batch_writer_write(writer, jobs);
}

static struct error *batch_writer_put_batches(struct store *store,
					      const struct fleet_batch *const *batches,
					      size_t num_batches, struct store_put_result *ret)
{
	struct batch_writer *writer = (struct batch_writer *)store; // its first member
	struct batch_writer_job job = {.batches = batches, .num_batches = num_batches};
	pthread_mutex_lock(&writer->lock);
	if (writer->first)
		writer->last->next = &job;
	else
		writer->first = &job;
	writer->last = &job;
	pthread_cond_signal(&writer->wake);
	while (!job.is_done)
		pthread_cond_wait(&writer->done, &writer->lock);
	pthread_mutex_unlock(&writer->lock);
	if (!job.err)
		*ret = job.result;
	return job.err;
}

static const struct store_ops batch_writer_ops = {
	.name = "writer",
	.put = batch_writer_put_batches,
};

struct error *batch_writer_create(struct store *store, struct server_metrics *metrics, FILE *log,
				  struct batch_writer **ret)
{
	struct batch_writer *writer = calloc(1, sizeof(*writer));
	if (!writer) {
		store_close(store);
		return &error_no_memory;
	}
	writer->facade.ops = &batch_writer_ops;
	writer->store = store;
	writer->metrics = metrics;
	writer->log = log;
	pthread_mutex_init(&writer->lock, NULL);
	pthread_cond_init(&writer->wake, NULL);
	pthread_cond_init(&writer->done, NULL);
	struct error *err = thread_start("wperf-writer", batch_writer_run, writer, &writer->thread);
	if (err) {
		batch_writer_destroy(writer);
		return err;
	}
	*ret = writer;
	return NULL;
}

void batch_writer_destroy(struct batch_writer *writer)
{
	if (!writer)
		return;
	pthread_mutex_lock(&writer->lock);
	writer->is_ending = true;
	pthread_cond_signal(&writer->wake);
	pthread_mutex_unlock(&writer->lock);
	thread_join(writer->thread);
	store_close(writer->store);
	pthread_cond_destroy(&writer->done);
	pthread_cond_destroy(&writer->wake);
	pthread_mutex_destroy(&writer->lock);
	free(writer->batches);
	free(writer->fault);
	free(writer);
}

struct store *batch_writer_store(struct batch_writer *writer)
{
	return &writer->facade;
}

char *batch_writer_fault(struct batch_writer *writer)
{
	pthread_mutex_lock(&writer->lock);
	bool is_recent = clock_ns(CLOCK_MONOTONIC) - writer->fault_ns < BATCH_WRITER_FAULT_NS;
	char *fault = writer->fault && is_recent ? strdup(writer->fault) : NULL;
	pthread_mutex_unlock(&writer->lock);
	return fault;
}
