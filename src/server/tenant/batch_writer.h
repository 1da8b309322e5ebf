/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_TENANT_BATCH_WRITER_H
#define WPERF_SERVER_TENANT_BATCH_WRITER_H

/**
 * One thread that writes a store. What several threads put meanwhile becomes one transaction, and
 * each of them is told when that is on the disk: it is the disk's answer that takes time.
 */

#include "base/error.h"
#include "fleet/store/store_ops.h"
#include "server/server_metrics.h"

#include <stdio.h>

struct batch_writer;

/**
 * @store: to write into; closed by batch_writer_destroy(), also if this fails.
 * @metrics: must outlive it.
 * @log:   says when the store cannot be written, and when it can again.
 * @ret: set only on success.
 */
struct error *batch_writer_create(struct store *store, struct server_metrics *metrics, FILE *log,
				  struct batch_writer **ret);

/** Nobody may put any more. Accepts NULL. */
void batch_writer_destroy(struct batch_writer *writer);

/**
 * A store for any number of threads, that can only put; its result is that of the whole
 * transaction. Not to be closed.
 */
struct store *batch_writer_store(struct batch_writer *writer);

/**
 * Why a transaction failed in the last minute, to be freed; NULL: the last one did not. It is
 * forgotten, as agents may stay away from a server that says so, and nothing would be tried again.
 */
char *batch_writer_fault(struct batch_writer *writer);

#endif
