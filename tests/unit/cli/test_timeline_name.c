// SPDX-License-Identifier: Apache-2.0

#include "report/stat/timeline_name.h"

#include "cli/option/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void names_are_the_peers(void **state)
{
	static const struct {
		struct options options;
		bool one_core, is_first;
		const char *class_name, *path;
	} cases[] = {
		{{0}, true, true, "core", "wperf_core_1_2023_09_13_13_31_59.core.csv"},
		{{0}, false, false, "dsu", "wperf_system_side_2023_09_13_13_31_59.dsu.csv"},
		{{.output_prefix = "d"},
		 true,
		 true,
		 "core",
		 "d/wperf_core_1_2023_09_13_13_31_59.core.csv"},
		{{.output = "a.csv"}, true, true, "core", "a.csv"},
		{{.output = "a.csv"}, true, false, "dsu", "a.dsu.csv"},
		{{.output = "d.x/a"}, true, false, "dsu", "d.x/a.dsu"},
		{{.output = "a.json", .json = true},
		 true,
		 true,
		 "core",
		 "wperf_core_1_2023_09_13_13_31_59.core.csv"},
		{{.output = "a.csv", .output_csv = "b.csv"}, true, true, "core", "b.csv"},
		{{.output_csv = "{class}/{core}-{timestamp}-{core}"},
		 true,
		 false,
		 "dsu",
		 "dsu/1-2023_09_13_13_31_59-{core}"},
		{{.output_csv = "/abs.csv", .output_prefix = "d"}, true, true, "core", "/abs.csv"},
		{{.output_csv = "{cla"}, true, true, "core", "{cla"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct timeline_name name = {
			.options = &cases[i].options,
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
