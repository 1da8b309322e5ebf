/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_QUERY_QUERY_ARGUMENTS_H
#define WPERF_SERVER_QUERY_QUERY_ARGUMENTS_H

/**
 * What a request wants of a store, from the untrusted arguments of its address: service=NAME,
 * event=NAME, label=KEY=VALUE (may repeat), since=TIME, until=TIME, step=NANOSECONDS. A time is
 * decimal nanoseconds since 1970, or what --since takes (base/text/wall_time.h). What is absent
 * chooses nothing, but an empty service is that of batches without a name.
 */

#include "base/container/arena.h"
#include "base/error.h"
#include "fleet/store/store_ops.h"
#include "server/server_handler.h"

enum { QUERY_MAX_LABELS = 64 };

struct query_arguments {
	struct store_query query; /* its texts are the call's and the arena's */
	struct fleet_label labels[QUERY_MAX_LABELS];
	struct arena arena;
};

/**
 * @now_ns: since 1970.
 * @ret:    query_arguments_deinit(), also after an error; not to be moved. An error is the
 *          client's fault, and says so in words (ERROR_USAGE), or there is no memory.
 */
struct error *query_arguments_read(const struct server_argument *arguments, size_t num_arguments,
				   uint64_t now_ns, struct query_arguments *ret);
void query_arguments_deinit(struct query_arguments *arguments);

#endif
