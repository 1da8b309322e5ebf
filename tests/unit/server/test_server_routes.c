// SPDX-License-Identifier: Apache-2.0

#include "server/server_routes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_a_path_has_its_methods(void **state)
{
	bool has_path;
	const struct server_route *route =
		server_routes_find("POST", "/v1development/profiles", &has_path);
	assert_non_null(route);
	assert_int_equal(route->access, SERVER_ACCESS_WRITE);
	assert_null(server_routes_find("GET", "/v1development/profiles", &has_path));
	assert_true(has_path);
	assert_string_equal(server_routes_methods("/v1development/profiles"), "POST");
	assert_non_null(server_routes_find("HEAD", "/health", &has_path));
	assert_string_equal(server_routes_methods("/health"), "GET, HEAD");
	assert_null(server_routes_find("GET", "/health/", &has_path));
	assert_false(has_path);
}

int server_routes_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_path_has_its_methods),
	};
	return cmocka_run_group_tests_name("server_routes", tests, NULL, NULL);
}
