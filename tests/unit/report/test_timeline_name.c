// SPDX-License-Identifier: Apache-2.0

#include "report/stat/timeline_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void names_are_the_peers(void **state)
{
	static const struct {
		const char *given, *prefix;
		bool one_core, is_first;
		const char *class_name, *path;
	} cases[] = {
		{NULL, NULL, true, true, "core", "wperf_core_1_2023_09_13_13_31_59.core.csv"},
		{NULL, NULL, false, false, "dsu", "wperf_system_side_2023_09_13_13_31_59.dsu.csv"},
		{NULL, "d", true, true, "core", "d/wperf_core_1_2023_09_13_13_31_59.core.csv"},
		{"a.csv", NULL, true, true, "core", "a.csv"},
		{"a.csv", NULL, true, false, "dsu", "a.dsu.csv"},
		{"d.x/a", NULL, true, false, "dsu", "d.x/a.dsu"},
		{"a.csv", "d", true, true, "core", "d/a.csv"},
		{"{class}/{core}-{timestamp}-{core}", NULL, true, false, "dsu",
		 "dsu/1-2023_09_13_13_31_59-{core}"},
		{"/abs.csv", "d", true, true, "core", "/abs.csv"},
		{"{cla", NULL, true, true, "core", "{cla"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct timeline_name name = {
			.given = cases[i].given,
			.prefix = cases[i].prefix,
			.time = {.tm_year = 123,
				 .tm_mon = 8,
				 .tm_mday = 13,
				 .tm_hour = 13,
				 .tm_min = 31,
				 .tm_sec = 59},
			.first_core = 1,
			.one_core = cases[i].one_core,
		};
		_cleanup_free_ char *path = NULL;
		assert_no_error(
			timeline_name_make(&name, cases[i].class_name, cases[i].is_first, &path));
		assert_string_equal(path, cases[i].path);
	}
}

int timeline_name_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_the_peers),
	};
	return cmocka_run_group_tests_name("timeline_name", tests, NULL, NULL);
}
