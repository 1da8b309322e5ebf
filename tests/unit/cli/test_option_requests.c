// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_requests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void timelines_have_the_name_of_the_csv(void **state)
{
	static const struct {
		struct options options;
		const char *given, *prefix;
	} cases[] = {
		{{.output = NULL}, NULL, NULL},
		{{.output = "a.csv", .output_prefix = "d"}, "a.csv", "d"},
		{{.output = "a.csv", .output_csv = "b.csv"}, "b.csv", NULL},
		{{.output = "a.json", .json = true}, NULL, NULL},
		{{.output_prefix = "d"}, NULL, "d"},
		{{.output_prefix = "d", .compat = true}, NULL, NULL},
		{{.output = "a.csv", .output_prefix = "d", .compat = true}, "a.csv", "d"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct timeline_name name = options_timeline_name(&cases[i].options);
		assert_ptr_equal(name.given, cases[i].given);
		assert_ptr_equal(name.prefix, cases[i].prefix);
	}
}

static void names_decide_between_text_and_json(void **state)
{
	static const struct {
		struct options options;
		bool is_json;
	} cases[] = {
		{{.command = COMMAND_LIST}, false},
		{{.command = COMMAND_LIST, .json = true}, true},
		{{.command = COMMAND_LIST, .output = "a"}, true},
		{{.command = COMMAND_LIST, .output = "a.txt"}, false},
		{{.command = COMMAND_LIST, .output = "a.csv"}, true},
		{{.command = COMMAND_REPORT, .output = "a"}, false},
		{{.command = COMMAND_REPORT, .output = "a", .compat = true}, true},
		{{.command = COMMAND_STAT, .output = "a"}, false},
		{{.command = COMMAND_STAT, .output = "a.csv"}, false},
		{{.command = COMMAND_STAT, .output = "a.json"}, true},
		{{.command = COMMAND_STAT, .output = "a.json", .separator = ";"}, false},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(output_writes_json(options_output_request(&cases[i].options)),
				 cases[i].is_json);
}

static void spe_takes_the_rows_that_it_has(void **state)
{
	const struct options fine = {.spe = "miss", .sort = "line", .display_rows = 7};
	const struct options no_topic = {.spe = "mist"};
	const struct options no_rows = {.spe = "miss", .sort = "thread"};
	const struct options tree = {.spe = "miss", .tree = "down"};
	struct spe_choice choice;
	assert_no_error(options_choose_spe(&fine, &choice));
	assert_int_equal(choice.topic, SPE_TOPIC_MISS);
	assert_int_equal(choice.key, HOT_LINE);
	assert_int_equal(choice.max_rows, 7);
	assert_error(options_choose_spe(&no_topic, &choice), ERROR_USAGE,
		     "unknown --spe view 'mist'");
	assert_error(options_choose_spe(&no_rows, &choice), ERROR_USAGE,
		     "--spe cannot sort by thread");
	assert_error(options_choose_spe(&tree, &choice), ERROR_USAGE,
		     "--spe and --tree cannot be combined");
}

int option_requests_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(timelines_have_the_name_of_the_csv),
		cmocka_unit_test(names_decide_between_text_and_json),
		cmocka_unit_test(spe_takes_the_rows_that_it_has),
	};
	return cmocka_run_group_tests_name("option_requests", tests, NULL, NULL);
}
