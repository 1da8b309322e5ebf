/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_WORKER_POOL_H
#define WPERF_SERVER_WORKER_POOL_H

/** Threads that do jobs in the order in which they come. */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/** The first member of a job. */
struct worker_job {
	struct worker_job *next; /* private */
};

struct worker_pool;

/**
 * @name: of its threads, at most 15 characters.
 * @run:  does a job, which may be freed when it returns.
 * @ret:  set only on success; worker_pool_destroy().
 */
struct error *worker_pool_create(const char *name, size_t num_threads,
				 void (*run)(void *data, struct worker_job *job), void *data,
				 struct worker_pool **ret);

/** Do what waits, and end. Accepts NULL. */
void worker_pool_destroy(struct worker_pool *pool);

/** Take no more jobs, and wait until all are done. */
void worker_pool_finish(struct worker_pool *pool);

/** From any thread. False: it takes no more. */
bool worker_pool_submit(struct worker_pool *pool, struct worker_job *job);

/** How many wait for a thread. */
size_t worker_pool_num_waiting(struct worker_pool *pool);

#endif
