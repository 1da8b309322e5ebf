/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_QUERY_QUERY_ANSWER_H
#define WPERF_SERVER_QUERY_QUERY_ANSWER_H

/** Answers of a query whose arguments are in the address. What is the client's fault becomes an
 *  answer with status 400, in words. */

#include "fleet/store/store_ops.h"
#include "server/server_handler.h"

/** An error of ERROR_USAGE is the client's fault: a range of too many steps, say. */
typedef struct error *(*query_write_fn)(const struct server_call *call,
					const struct store_query *query, struct server_answer *ret);

struct error *query_answer(const struct server_call *call, query_write_fn write,
			   struct server_answer *ret);

#endif
