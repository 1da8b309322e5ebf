/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_SERVER_STATE_H
#define WPERF_SERVER_SERVER_STATE_H

/** What all requests of one server share. */

#include "server/server_metrics.h"
#include "server/tenant/access_tokens.h"
#include "server/tenant/tenants.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct debug_names;
struct http_server;

struct server_state {
	struct server_metrics metrics;
	struct tenants tenants;
	struct http_server *http;
	struct debug_names *names; /* for frames of stripped programs */
	FILE *log;
	size_t max_packed, max_unpacked; /* of a body */
	uint64_t query_ns;               /* that an answer may take */
	bool has_tokens;                 /* else everything is the default tenant's */
	bool is_local;                   /* listens on loopback, without tokens */
	pthread_mutex_t tokens_lock;
	struct access_tokens tokens;
};

#endif
