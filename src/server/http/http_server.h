/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_HTTP_HTTP_SERVER_H
#define WPERF_SERVER_HTTP_HTTP_SERVER_H

/**
 * HTTP/1.1 by libmicrohttpd: one thread reads and writes all sockets; pools of threads answer.
 * Bodies are kept in memory, at most max_held bytes of all together.
 */

#include "base/error.h"
#include "server/http/http_connections.h"
#include "server/http/http_exchange.h"

#include <stddef.h>
#include <stdio.h>

enum { HTTP_SERVER_MAX_POOLS = 4 };

/** What answers. */
struct http_service {
	void *data;
	/**
	 * In the thread of the sockets, as soon as the head of a request is there: set max_body and
	 * pool, or an answer.
	 */
	void (*admit)(void *data, struct http_exchange *exchange);
	/** In a thread of the pool, with the whole body: set an answer. */
	void (*perform)(void *data, struct http_exchange *exchange);
	/** In the thread of the sockets, when it is sent, or the client is gone. */
	void (*finish)(void *data, const struct http_exchange *exchange);
};

struct http_server_config {
	int fd; /* listens; closed by the server */
	const struct http_service *service;
	size_t num_pools, num_threads[HTTP_SERVER_MAX_POOLS];
	size_t max_held;
	unsigned max_connections;
	unsigned max_per_address; /* connections; 0: no limit */
	bool limits_loopback;     /* see http_connections.h */
	unsigned head_s;          /* how long a new client may take to send the head of a request */
	unsigned request_s;       /* the same for its body */
	unsigned idle_s;          /* how long a connection is kept between two requests */
	FILE *log;                /* says who has too many connections */
};

/** @ret: set only on success; http_server_stop(). */
struct error *http_server_start(const struct http_server_config *config, struct http_server **ret);

/** Take no more requests, answer those that are there, and end. Accepts NULL. */
void http_server_stop(struct http_server *server);

/** Has the client of a request that is performed closed its connection? */
bool http_server_is_client_gone(const struct http_exchange *exchange);

/** To be called every second or so: ends slow connections. */
void http_server_check(struct http_server *server);

struct http_connections_counts http_server_connections(struct http_server *server);

/** Requests that wait for a thread. */
size_t http_server_num_waiting(struct http_server *server);

#endif
