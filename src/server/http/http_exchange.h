/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_HTTP_HTTP_EXCHANGE_H
#define WPERF_SERVER_HTTP_HTTP_EXCHANGE_H

/** One request as it came, and its answer, as it goes. */

#include "base/error.h"
#include "server/server_answer.h"
#include "server/worker_pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum http_header {
	HTTP_ACCEPT_ENCODING,
	HTTP_AUTHORIZATION,
	HTTP_CONTENT_ENCODING,
	HTTP_CONTENT_TYPE,
	HTTP_COOKIE,
	HTTP_HOST,
	NUM_HTTP_HEADERS,
};

/** Of the answer. */
enum http_extra {
	HTTP_ALLOW,
	HTTP_AUTHENTICATE,
	HTTP_ENCODING,
	HTTP_LOCATION,
	HTTP_SET_COOKIE,
	NUM_HTTP_EXTRAS,
};

struct http_server;
struct server_route;
struct tenant;

struct http_exchange {
	struct worker_job job;
	struct http_server *server;
	void *connection;

	const char *method, *path;             /* not trusted, nor is what follows */
	const char *headers[NUM_HTTP_HEADERS]; /* "" if it is not there */
	struct server_argument *arguments;
	size_t num_arguments, cap_arguments;
	uint64_t announced_size; /* of the body; 0: not said */
	uint8_t *body;
	size_t body_size, cap_body, held_size;

	struct server_answer answer;   /* status 0: there is none yet */
	char *extras[NUM_HTTP_EXTRAS]; /* or NULL */
	bool is_queued;                /* the answer is the library's */
	uint64_t discarded_size;

	const struct server_route *route; /* of the service, as what follows */
	struct tenant *tenant;
	size_t max_body;
	unsigned pool; /* that answers it */
};

/** NULL without memory. */
struct http_exchange *http_exchange_create(struct http_server *server, void *connection);
void http_exchange_destroy(struct http_exchange *exchange);

/** The first argument of this key; NULL: there is none. */
const char *http_exchange_argument(const struct http_exchange *exchange, const char *key);

void http_exchange_clear(struct http_exchange *exchange, enum http_extra extra);

/** False without memory. */
bool http_exchange_set(struct http_exchange *exchange, enum http_extra extra, const char *value);

#endif
