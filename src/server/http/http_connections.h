/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_HTTP_HTTP_CONNECTIONS_H
#define WPERF_SERVER_HTTP_HTTP_CONNECTIONS_H

/**
 * Open connections, and until when each must have sent a whole request: a client that sends a byte
 * now and then would keep one for ever.
 */

#include <pthread.h>
#include <stdint.h>

struct http_connection {
	struct http_connection *previous, *next;
	uint64_t deadline_ns; /* of CLOCK_MONOTONIC; UINT64_MAX: it is the server's turn */
	int fd;
};

struct http_connections {
	pthread_mutex_t lock;
	struct http_connection *first;
};

void http_connections_init(struct http_connections *connections);
void http_connections_deinit(struct http_connections *connections);

/** @fd: open until http_connections_drop(). NULL without memory. */
struct http_connection *http_connections_add(struct http_connections *connections, int fd,
					     uint64_t deadline_ns);
void http_connections_drop(struct http_connections *connections,
			   struct http_connection *connection);

void http_connections_set_deadline(struct http_connections *connections,
				   struct http_connection *connection, uint64_t deadline_ns);

/** End those whose time is up. */
void http_connections_check(struct http_connections *connections, uint64_t now_ns);

#endif
