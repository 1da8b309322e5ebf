// SPDX-License-Identifier: Apache-2.0

#include "server/tenant/batch_writer.h"

#include "base/thread/thread.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { NUM_CALLERS = 8 };

/** Its first transaction waits until all callers are there; one with a batch "bad" fails. */
struct slow_store {
	struct store store;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool may_go;
	size_t num_puts, num_stored;
};

static struct error *slow_put(struct store *store, const struct fleet_batch *const *batches,
			      size_t num_batches, struct store_put_result *ret)
{
	struct slow_store *slow = (struct slow_store *)store;
	pthread_mutex_lock(&slow->lock);
	while (!slow->may_go)
		pthread_cond_wait(&slow->wake, &slow->lock);
	slow->num_puts++;
	pthread_mutex_unlock(&slow->lock);
	for (size_t i = 0; i < num_batches; i++)
		if (strcmp(batches[i]->id, "bad") == 0)
			return error_create(ERROR_FAILED, "a bad batch");
	slow->num_stored += num_batches;
	*ret = (struct store_put_result){.num_stored = num_batches};
	return NULL;
}

static void slow_close(struct store *store)
{
}

static const struct store_ops slow_ops = {.name = "slow", .put = slow_put, .close = slow_close};

struct caller {
	struct store *store;
	struct fleet_batch batch;
	struct error *err;
	struct thread *thread;
	atomic_size_t *num_there;
};

static void caller_run(void *data)
{
	struct caller *caller = data;
	const struct fleet_batch *const batches[] = {&caller->batch};
	struct store_put_result result;
	atomic_fetch_add(caller->num_there, 1);
	caller->err = caller->store->ops->put(caller->store, batches, 1, &result);
}

static void let_go(struct slow_store *slow)
{
	pthread_mutex_lock(&slow->lock);
	slow->may_go = true;
	pthread_cond_broadcast(&slow->wake);
	pthread_mutex_unlock(&slow->lock);
}

static void test_callers_share_transactions_but_not_errors(void **state)
{
	struct slow_store slow = {.store = {.ops = &slow_ops},
				  .lock = PTHREAD_MUTEX_INITIALIZER,
				  .wake = PTHREAD_COND_INITIALIZER};
	struct server_metrics *metrics = calloc(1, sizeof(*metrics));
	struct batch_writer *writer = NULL;
	struct caller callers[NUM_CALLERS] = {{.store = NULL}};
	atomic_size_t num_there = 0;
	FILE *log = tmpfile();
	assert_non_null(metrics);
	assert_non_null(log);
	assert_no_error(batch_writer_create(&slow.store, metrics, log, &writer));
	for (size_t i = 0; i < NUM_CALLERS; i++) {
		callers[i] = (struct caller){.store = batch_writer_store(writer),
					     .batch.id = (char *)(i == 3 ? "bad" : "good"),
					     .num_there = &num_there};
		assert_no_error(
			thread_start("caller", caller_run, &callers[i], &callers[i].thread));
	}
	while (num_there < NUM_CALLERS)
		;
	let_go(&slow);
	for (size_t i = 0; i < NUM_CALLERS; i++) {
		thread_join(callers[i].thread);
		assert_int_equal(callers[i].err != NULL, i == 3);
		error_destroy(callers[i].err);
	}
	assert_int_equal(slow.num_stored, NUM_CALLERS - 1);
	assert_int_equal(metrics->counters[SERVER_BATCHES_STORED], NUM_CALLERS - 1);
	batch_writer_destroy(writer);
	fclose(log);
	free(metrics);
}

int batch_writer_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_callers_share_transactions_but_not_errors),
	};
	return cmocka_run_group_tests_name("batch_writer", tests, NULL, NULL);
}
