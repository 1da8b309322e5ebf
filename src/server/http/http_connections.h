/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_HTTP_HTTP_CONNECTIONS_H
#define WPERF_SERVER_HTTP_HTTP_CONNECTIONS_H

/**
 * Open connections, and until when each must have sent a whole request: a client that sends a byte
 * now and then would keep one for ever. One address has only a part of all connections, and when
 * most of them are taken, as many of those without a request are closed early as it takes: first
 * those that never sent one. So silent clients do not hold up others.
 */

#include "server/http/client_address.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum http_connection_state {
	HTTP_CONNECTION_IDLE,    /* no request has begun */
	HTTP_CONNECTION_READS,   /* its body is on its way */
	HTTP_CONNECTION_ANSWERS, /* it is the server's turn, or the answer is on its way */
};

struct http_connection {
	struct http_connection *previous, *next;
	enum http_connection_state state;
	uint64_t since_ns;    /* of CLOCK_MONOTONIC; when it got this state */
	uint64_t deadline_ns; /* UINT64_MAX: none */
	int fd;
	bool is_ended;  /* counted, and shut down */
	bool has_asked; /* it sent a request, or a part of one */
	struct client_address address;
};

struct http_connections_config {
	unsigned max_connections;
	unsigned max_per_address; /* 0: no limit */
	bool limits_loopback;     /* as any other address: proxies of this machine are there */
	FILE *log;                /* gets a line when an address has too many; NULL: none */
};

struct http_connections_counts {
	uint64_t num_open;
	uint64_t num_refused; /* of addresses that had as many as they may have */
	/** Ended: a request did not arrive in time, or its answer was not taken. */
	uint64_t num_slow;
	uint64_t num_crowded; /* ended early, without a request, as most connections were taken */
};

struct http_connections {
	struct http_connections_config config;
	pthread_mutex_t lock;
	struct http_connection *first; /* the one that was added last */
	struct http_connections_counts counts;
	uint64_t num_ended; /* of those that are open: they are closed soon */
	uint64_t logged_ns; /* when the last line of the log was written; 0: never */
};

void http_connections_init(struct http_connections *connections,
			   const struct http_connections_config *config);
void http_connections_deinit(struct http_connections *connections);

/** May this client have one more? */
bool http_connections_admit(struct http_connections *connections,
			    const struct client_address *address, uint64_t now_ns);

/** @fd: open until http_connections_drop(). NULL without memory. */
struct http_connection *http_connections_add(struct http_connections *connections, int fd,
					     const struct client_address *address, uint64_t now_ns,
					     uint64_t deadline_ns);
void http_connections_drop(struct http_connections *connections,
			   struct http_connection *connection);

/** @deadline_ns: by then it must have another state. */
void http_connections_set(struct http_connections *connections, struct http_connection *connection,
			  enum http_connection_state state, uint64_t now_ns, uint64_t deadline_ns);

/** End those whose time is up, or whose client has gone. */
void http_connections_check(struct http_connections *connections, uint64_t now_ns);

struct http_connections_counts http_connections_counts(struct http_connections *connections);

#endif
