// SPDX-License-Identifier: Apache-2.0

#include "server/tenant/tenant.h"
#include "server/tenant/tenant_place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void check_store(const char *place, const char *tenant, const char *wanted)
{
	char *found = NULL;
	assert_null(tenant_place_store(place, tenant, &found));
	assert_string_equal(found, wanted);
	free(found);
}

static void test_stores(void **state)
{
	check_store("sqlite:/var/lib/wperf/fleet.db", "default", "sqlite:/var/lib/wperf/fleet.db");
	check_store("sqlite:/var/lib/wperf/fleet.db", "shop", "sqlite:/var/lib/wperf/shop.db");
	check_store("fleet.db", "shop", "sqlite:shop.db");
	check_store("clickhouse://127.0.0.1:8123/wperf", "shop",
		    "clickhouse://127.0.0.1:8123/wperf_shop");
	check_store("clickhouse://u:p?@h/wperf?cluster=c", "shop",
		    "clickhouse://u:p?@h/wperf_shop?cluster=c");
}

static void test_no_two_tenants_have_one_store(void **state)
{
	char *found = NULL;
	assert_error(tenant_place_store("sqlite:/var/lib/wperf/fleet.db", "fleet", &found),
		     ERROR_USAGE,
		     "the store of tenant 'fleet' would be that of the tenant "
		     "'default': '/var/lib/wperf/fleet.db'");
}

static void test_debug_files(void **state)
{
	char *found = NULL;
	assert_null(tenant_place_symbols("sqlite:/srv/fleet.db", "shop", &found));
	assert_string_equal(found, "/srv/debug/shop");
	free(found);
}

static void test_passwords_are_not_shown(void **state)
{
	static const char *const rows[][2] = {
		{"sqlite:/srv/a@b:c.db", "sqlite:/srv/a@b:c.db"},
		{"clickhouse://127.0.0.1:8123/fleet", "clickhouse://127.0.0.1:8123/fleet"},
		{"clickhouse://me@host/fleet", "clickhouse://me@host/fleet"},
		{"clickhouse://me:se@cr:et@host:1/fleet", "clickhouse://me:...@host:1/fleet"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *shown = tenant_place_shown(rows[i][0]);
		assert_string_equal(shown, rows[i][1]);
		free(shown);
	}
}

static void test_names(void **state)
{
	assert_true(tenant_is_name("shop"));
	assert_true(tenant_is_name("team_7"));
	static const char *const not_names[] = {"",    "7",    "_a",
						"..",  "a/b",  "Shop",
						"a-b", "a.db", "abcdefghijklmnopqrstuvwxyzabcdefg"};
	for (size_t i = 0; i < sizeof(not_names) / sizeof(not_names[0]); i++)
		assert_false(tenant_is_name(not_names[i]));
}

int tenant_place_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stores),
		cmocka_unit_test(test_no_two_tenants_have_one_store),
		cmocka_unit_test(test_debug_files),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_passwords_are_not_shown),
	};
	return cmocka_run_group_tests_name("tenant_place", tests, NULL, NULL);
}
