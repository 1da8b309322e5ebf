// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/probe_values.h"

#include "catalog/catalog.h"
#include "catalog/event_spec.h"
#include "catalog/linux/probe_point.h"
#include "catalog/linux/system_event.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static struct probe_values read_values(const char *text)
{
	struct probe_values values;
	assert_null(probe_values_parse(text, strlen(text), &values));
	return values;
}

static void values_are_read(void **state)
{
	struct probe_values values = read_values("arg1, str2,ret:u16,strret");
	assert_int_equal(values.num_items, 4);
	assert_int_equal(values.items[0].argument, 1);
	assert_false(values.items[0].is_string);
	assert_int_equal(values.items[0].bits, 0);
	assert_int_equal(values.items[1].argument, 2);
	assert_true(values.items[1].is_string);
	assert_int_equal(values.items[2].argument, 0);
	assert_int_equal(values.items[2].bits, 16);
	assert_true(values.items[2].is_unsigned);
	assert_string_equal(values.items[2].label, "ret:u16");
	assert_true(values.items[3].is_string);
	assert_string_equal(values.items[3].label, "strret");
}

static void conditions_are_read(void **state)
{
	struct probe_values values = read_values("str1 if arg2>=0x10 and arg3:s32 != -5");
	assert_int_equal(values.num_items, 1);
	assert_int_equal(values.num_conditions, 2);
	assert_int_equal(values.conditions[0].comparison, PROBE_AT_LEAST);
	assert_int_equal(values.conditions[0].number, 16);
	assert_int_equal(values.conditions[1].comparison, PROBE_UNEQUAL);
	assert_int_equal(values.conditions[1].number, -5);
	assert_int_equal(values.conditions[1].value.bits, 32);
	values = read_values("if arg1:u64 > 18446744073709551615");
	assert_int_equal(values.num_items, 0);
	assert_int_equal(values.conditions[0].number, -1);
}

static void mistakes_are_refused(void **state)
{
	static const char *const texts[] = {
		"",
		" ",
		"arg",
		"arg0",
		"arg13",
		"argx",
		"str",
		"arg1,",
		",arg1",
		"arg1 arg2",
		"arg1:s7",
		"arg1:",
		"arg1:x8",
		"str1:u8",
		"argret",
		"arg1 if",
		"if arg1",
		"if arg1>",
		"if arg1=1",
		"if str1==1",
		"if arg1>x",
		"arg1 if arg1>1 or arg2>1",
		"arg1 if arg1>1 and",
		"if arg1:u8>-1",
		"if arg1>18446744073709551615",
		"arg1,arg2,arg3,arg4,arg5,arg6,arg7",
		"arg1 iff arg1>1",
		"if arg1>1 and arg1>1 and arg1>1 and arg1>1 and arg1>1",
		"arg00000000000000001",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct probe_values values;
		if (!probe_values_parse(texts[i], strlen(texts[i]), &values))
			fail_msg("'%s' was taken", texts[i]);
	}
}

/** As -e takes it: commas, colons and blanks inside of the parentheses belong to the word. */
static void words_have_values(void **state)
{
	struct catalog catalog;
	catalog_init(&catalog, NULL, &(struct pmu_counters){0});
	catalog.sysfs_folder = "/nowhere";
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	assert_no_error(event_spec_parse(&catalog,
					 "u:/a:f(arg1:u32,str2 if arg1:u32>5):100,k:g(arg1),"
					 "usdt:p:n(arg1),ur:/a:f(ret)",
					 EVENT_SPEC_SAMPLE, NULL, &list));
	assert_int_equal(list.num_items, 4);
	assert_int_equal(list.items[0].interval, 100);
	assert_string_equal(list.items[0].event->name, "u:/a:f(arg1:u32,str2 if arg1:u32>5)");
	const struct probe_point *point = system_event_of(list.items[0].event)->probe;
	assert_string_equal(point->name, "f");
	assert_int_equal(point->values->num_items, 2);
	assert_int_equal(point->values->num_conditions, 1);
	point = system_event_of(list.items[2].event)->probe;
	assert_string_equal(point->name, "n");
	assert_int_equal(point->values->num_items, 1);
	catalog_deinit(&catalog);
}

static void words_without_sense_are_refused(void **state)
{
	struct catalog catalog;
	catalog_init(&catalog, NULL, &(struct pmu_counters){0});
	catalog.sysfs_folder = "/nowhere";
	static const char *const words[] = {"u:/a:f(",         "u:/a:f(arg1",   "u:/a:f()",
					    "u:/a:f(ret)",     "ur:/a:f(arg1)", "k:f(strret)",
					    "u:/a:f(if ret>1)"};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const struct event *event;
		_cleanup_(error_destroyp) struct error *err =
			probe_point_find(&catalog, words[i], &event);
		assert_non_null(err);
		assert_int_equal(err->code, ERROR_USAGE);
		assert_non_null(err->hint);
	}
	catalog_deinit(&catalog);
}

static void names_of_events_tell_them(void **state)
{
	struct probe_values values;
	assert_true(probe_values_of_name("usdt:p:n(str1)#2", &values));
	assert_string_equal(values.items[0].label, "str1");
	assert_false(probe_values_of_name("u:/a:f", &values));
	assert_false(probe_values_of_name("cycles(arg1)", &values));
	assert_false(probe_values_of_name("u:/a:f(arg1", &values));
	assert_false(probe_values_of_name("u:/a:f(nonsense)", &values));
}

int probe_values_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_read),
		cmocka_unit_test(conditions_are_read),
		cmocka_unit_test(mistakes_are_refused),
		cmocka_unit_test(words_have_values),
		cmocka_unit_test(words_without_sense_are_refused),
		cmocka_unit_test(names_of_events_tell_them),
	};
	return cmocka_run_group_tests_name("probe_values", tests, NULL, NULL);
}
