/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_SERVER_ROUTES_H
#define WPERF_SERVER_SERVER_ROUTES_H

/**
 * What the server answers: one row for each method and path.
 *
 * To add one: 1) its handler in a file of its own (server_handler.h), 2) its declaration here,
 * 3) its row in server_routes.c, 4) a test in tests/fleet.
 */

#include "server/server_handler.h"

#include <stdbool.h>

/** What a token must allow. Each has threads of its own: slow queries keep no agent waiting. */
enum server_access {
	SERVER_ACCESS_NONE,
	SERVER_ACCESS_READ,
	SERVER_ACCESS_WRITE,
	NUM_SERVER_ACCESSES,
};

struct server_route {
	const char *method; /* GET: HEAD as well */
	const char *path;
	enum server_access access;
	server_handler_fn handler;
};

/** @ret_has_path: there is this path, maybe with another method. @return: NULL: no such row. */
const struct server_route *server_routes_find(const char *method, const char *path,
					      bool *ret_has_path);

/** "GET, HEAD", "POST", or both: the methods of a path. */
const char *server_routes_methods(const char *path);

struct error *receive_profiles(const struct server_call *call, struct server_answer *ret);
struct error *receive_debug_file(const struct server_call *call, struct server_answer *ret);
struct error *answer_debug_file(const struct server_call *call, struct server_answer *ret);
struct error *answer_metrics(const struct server_call *call, struct server_answer *ret);
struct error *answer_health(const struct server_call *call, struct server_answer *ret);
struct error *answer_heat(const struct server_call *call, struct server_answer *ret);
struct error *answer_list(const struct server_call *call, struct server_answer *ret);
struct error *answer_profile(const struct server_call *call, struct server_answer *ret);
struct error *page_home(const struct server_call *call, struct server_answer *ret);
struct error *page_compare(const struct server_call *call, struct server_answer *ret);

#endif
