// SPDX-License-Identifier: Apache-2.0

#include "server/server_routes.h"

#include "base/container/array.h"

#include <string.h>

static const struct server_route routes[] = {
	{"POST", "/v1development/profiles", SERVER_ACCESS_WRITE, receive_profiles},
	{"GET", "/", SERVER_ACCESS_READ, page_home},
	{"GET", "/compare", SERVER_ACCESS_READ, page_compare},
	{"POST", "/api/v1/debug-files", SERVER_ACCESS_WRITE, receive_debug_file},
	{"GET", "/api/v1/debug-files", SERVER_ACCESS_WRITE, answer_debug_file},
	{"GET", "/health", SERVER_ACCESS_NONE, answer_health},
	{"GET", "/api/v1/list", SERVER_ACCESS_READ, answer_list},
	{"GET", "/api/v1/heat", SERVER_ACCESS_READ, answer_heat},
	{"GET", "/api/v1/profile", SERVER_ACCESS_READ, answer_profile},
	{"GET", "/metrics", SERVER_ACCESS_READ, answer_metrics},
};

static bool server_routes_take(const struct server_route *route, const char *method)
{
	return strcmp(route->method, method) == 0 ||
	       (strcmp(route->method, "GET") == 0 && strcmp(method, "HEAD") == 0);
}

const struct server_route *server_routes_find(const char *method, const char *path,
					      bool *ret_has_path)
{
	*ret_has_path = false;
	for (size_t i = 0; i < ARRAY_SIZE(routes); i++) {
		if (strcmp(routes[i].path, path) != 0)
			continue;
		*ret_has_path = true;
		if (server_routes_take(&routes[i], method))
			return &routes[i];
	}
	return NULL;
}

const char *server_routes_methods(const char *path)
{
	bool has_path;
	bool has_get = server_routes_find("GET", path, &has_path);
	if (server_routes_find("POST", path, &has_path))
		return has_get ? "GET, HEAD, POST" : "POST";
	return "GET, HEAD";
}
