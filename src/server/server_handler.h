/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_SERVER_HANDLER_H
#define WPERF_SERVER_SERVER_HANDLER_H

/**
 * What a handler gets and gives: one request, unpacked and authorized, and its answer. Handlers
 * know nothing of HTTP's library, sockets and threads; a test calls them as they are.
 *
 * To add one: a function of this type in a file of its own, and its row in server_routes.c.
 */

#include "base/error.h"
#include "base/text/string_builder.h"
#include "fleet/store/store_ops.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What the server's own handlers share (server_state.h). */
struct intake;
struct server_state;

struct server_argument {
	const char *key, *value; /* of the part behind '?', without %XX; may be any bytes */
};

struct server_call {
	const char *path;
	const struct server_argument *arguments; /* in their order; a key may come again */
	size_t num_arguments;
	const void *body; /* not trusted; unpacked if it was compressed */
	size_t body_size;
	const char *body_type;      /* Content-Type; "" if there is none */
	const char *tenant;         /* whose token came; "default" where there are no tokens */
	struct store *store;        /* of this tenant; for this call alone */
	const char *symbols_folder; /* of this tenant: debug files by build id */
	struct intake *intake;      /* of this tenant; NULL: no limits */
	struct server_state *state; /* NULL in tests of handlers that do not need it */
};

struct server_answer {
	int status; /* 200 if the handler does not change it */
	const char *type;
	struct string_builder body;
	bool may_compress;      /* by gzip, if the client takes it */
	uint32_t retry_after_s; /* 0: not said */
};

/** An error is answered with 500 and its words; what is the client's fault is an answer. */
typedef struct error *(*server_handler_fn)(const struct server_call *call,
					   struct server_answer *ret);

#endif
