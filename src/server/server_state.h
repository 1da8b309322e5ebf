/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_SERVER_STATE_H
#define WPERF_SERVER_SERVER_STATE_H

/** What all requests of one server share. */

#include "server/server_metrics.h"
#include "server/tenant.h"

#include <stddef.h>

struct debug_names;
struct http_server;

struct server_state {
	struct server_metrics metrics;
	struct tenant *default_tenant;
	struct http_server *http;
	struct debug_names *names; /* for frames of stripped programs */
	size_t max_packed, max_unpacked; /* of a body */
};

#endif
