// SPDX-License-Identifier: Apache-2.0

#include "catalog/file/extra_events.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/fake_cpu.h"

static void a_list_names_codes(void **state)
{
	static const struct {
		const char *name;
		enum event_class event_class;
		uint64_t code;
	} expected[] = {
		{"one", EVENT_CORE, 0x1},  {"two", EVENT_CORE, 0xffff},
		{"three", EVENT_DSU, 0x3}, {"four", EVENT_DMC_CLKDIV2, 0xab},
		{"five", EVENT_DSU, 0x1},
	};
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, &fake_cpu, &fake_counters);
	assert_no_error(extra_events_parse(
		&catalog,
		"One:1,two:0xFFFF,/dsu/three:0003,/DMC_CLKDIV2/Four:Ab,other:1,/dsu/five:1"));
	assert_int_equal(catalog.num_extra_events, ARRAY_SIZE(expected));
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		const struct event *event = catalog.extra_events[i];
		assert_string_equal(event->name, expected[i].name);
		assert_string_equal(event->title, "<extra event>");
		assert_int_equal(event->event_class, expected[i].event_class);
		assert_int_equal(event->code, expected[i].code);
	}
}

static void wrong_lists_say_what_is_wrong(void **state)
{
	static const struct {
		const char *list;
		const char *message;
	} cases[] = {
		{"", "nothing to parse!"},
		{"a:1 ,b:2", "whitespace not allowed in extra event string in 'a:1 ,b:2'"},
		{" ", "whitespace not allowed in extra event string in ' '"},
		{",", "empty token in ','"},
		{"a:1,,b:2", "empty token in 'a:1,,b:2'"},
		{"a:1,", "empty token in 'a:1,'"},
		{"a:1:2", "too many delimeters in a:1:2"},
		{"a::", "too many delimeters in a::"},
		{"abc", "missing extra event delimeter ':' in abc"},
		{"a:1,b", "missing extra event delimeter ':' in b"},
		{"a:", "missing extra event value after ':' in a:"},
		{":1", "invalid extra event name in :1"},
		{"/dsu/:1", "invalid extra event name in /dsu/:1"},
		{"{a:1", "invalid extra event name in {a:1"},
		{"a:xyz", "invalid extra event value in xyz"},
		{"a:1g", "invalid extra event value in 1g"},
		{"a:-1", "invalid extra event value in -1"},
		{"a:0x", "invalid extra event value in 0x"},
		{"a:10000", "extra event value out of range in 10000"},
		{"a:123456789012345678901",
		 "extra event value out of range in 123456789012345678901"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(catalog_deinit) struct catalog catalog;
		catalog_init(&catalog, &fake_cpu, &fake_counters);
		assert_error(extra_events_parse(&catalog, cases[i].list), ERROR_USAGE,
			     cases[i].message);
	}
}

static void the_range_is_that_of_the_machine(void **state)
{
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, NULL, &fake_counters);
	catalog.max_raw_code = UINT64_MAX;
	assert_no_error(extra_events_parse(&catalog, "wide:ffffffffffffffff"));
	assert_true(catalog.extra_events[0]->code == UINT64_MAX);
}

static void an_error_in_a_file_tells_the_line(void **state)
{
	static const char text[] = "a:1\n\n# c\nb\n";
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, &fake_cpu, &fake_counters);
	_cleanup_(error_destroyp) struct error *err =
		extra_events_parse_file(&catalog, "e.txt", text, strlen(text));
	assert_non_null(err);
	assert_string_equal(err->message, "missing extra event delimeter ':' in b");
	assert_string_equal(err->hint, "see line 4 of 'e.txt'");
}

int extra_events_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_names_codes),
		cmocka_unit_test(wrong_lists_say_what_is_wrong),
		cmocka_unit_test(the_range_is_that_of_the_machine),
		cmocka_unit_test(an_error_in_a_file_tells_the_line),
	};
	return cmocka_run_group_tests_name("extra_events", tests, NULL, NULL);
}
