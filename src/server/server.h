/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_SERVER_H
#define WPERF_SERVER_SERVER_H

/** `wperf serve`: batches come in by HTTP and go into stores, and queries are answered. Linux. */

#include "base/error.h"
#include "base/thread/wake_event.h"
#include "fleet/store/store_ops.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct server_config {
	const char *place;  /* of the store; NULL: sqlite:fleet.db in the state folder */
	const char *listen; /* NULL: 127.0.0.1:4318 */
	const char
		*tokens;  /* their file; NULL: none, and anybody who can reach it may do anything */
	bool is_insecure; /* others than this machine may reach it, without tokens */
	uint64_t max_request;     /* bytes of a body; unpacked it may have four times as many */
	uint32_t max_per_address; /* connections, also of loopback; 0: a quarter of all, without */
	uint32_t request_s;       /* how long the body of a request may take to arrive */
	uint32_t max_rate, max_services, max_labels; /* of each tenant: see intake.h */
	uint64_t max_byte_rate;                      /* likewise; of unpacked bytes */
	uint64_t query_ns;                           /* that an answer may take */
	uint64_t keep_ns, keep_hours_ns;             /* see retain() of store_ops.h */
	const struct wake_event *reread;             /* once it is set, the tokens are read anew */
	FILE *log;                                   /* for what goes wrong while it runs */
};

struct server;

/** @ret: listens and answers; set only on success; server_stop(). */
struct error *server_start(const struct server_config *config, struct server **ret);

/** "http://127.0.0.1:4318"; and the store, without a password. */
const char *server_address(const struct server *server);
const char *server_place(const struct server *server);

/** Until there is a request to stop (base/os/interrupt.h). */
struct error *server_wait(struct server *server);

/** @place: without a password. */
typedef void (*server_init_fn)(const char *place, const struct store_versions *versions);

/** Make or renew the tables of the store, or of the stores of all tenants, and tell @each of them.
 *  Listens nowhere. */
struct error *server_init_stores(const struct server_config *config, server_init_fn each);

/** A token and its line of the file of tokens: access_tokens_make() of access_tokens.h. */
struct error *server_new_token(const char *words, char **ret_token, char **ret_line);

/** Answer what has come, and end. Accepts NULL. */
void server_stop(struct server *server);

static inline void server_stopp(struct server **server)
{
	server_stop(*server);
}

#endif
