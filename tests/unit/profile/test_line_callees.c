// SPDX-License-Identifier: Apache-2.0

#include "profile/interpreted/line_callees.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/interpreted_view_fixture.h"

static void test_lines_spend_in_functions(void **state)
{
	_cleanup_(shown_deinit) struct shown shown;
	_cleanup_(line_callees_deinit) struct line_callees callees = LINE_CALLEES_INIT;
	shown_init(&shown, NUM_EVENTS);
	uint32_t file = fixture_string(&shown.profile, "/src/app.py");
	assert_no_error(
		line_callees_create(&shown.profile, file, shown.filters, NUM_EVENTS, &callees));
	assert_int_equal(callees.num_items, 3);
	assert_int_equal(callees.items[0].line, 3);
	assert_int_equal(callees.items[0].function, NAMED_NONE);
	assert_int_equal(callees.items[0].selves[0].count, 15);
	assert_int_equal(callees.items[1].line, 10);
	uint32_t name = shown.profile.functions[callees.items[1].function].name;
	assert_string_equal(named_profile_text(&shown.profile, name), "deflate");
	assert_int_equal(callees.items[1].selves[0].count, 60);
	assert_int_equal(callees.items[1].selves[1].weight, 40);
	assert_int_equal(callees.items[2].function, NAMED_NONE);
	assert_int_equal(callees.items[2].selves[0].count, 20);
	assert_int_equal(callees.items[2].selves[1].count, 0);
}

static void test_a_file_without_samples(void **state)
{
	_cleanup_(shown_deinit) struct shown shown;
	_cleanup_(line_callees_deinit) struct line_callees callees = LINE_CALLEES_INIT;
	shown_init(&shown, 1);
	assert_no_error(line_callees_create(&shown.profile,
					    fixture_string(&shown.profile, "start.c"),
					    shown.filters, 1, &callees));
	assert_int_equal(callees.num_items, 0);
}

int line_callees_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_spend_in_functions),
		cmocka_unit_test(test_a_file_without_samples),
	};
	return cmocka_run_group_tests_name("line_callees", tests, NULL, NULL);
}
