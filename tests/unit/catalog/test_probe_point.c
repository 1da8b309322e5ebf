// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/probe_point.h"

#include "catalog/catalog.h"
#include "catalog/event_spec.h"
#include "catalog/linux/system_event.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static int open_catalog(void **state)
{
	static struct catalog catalog;
	catalog_init(&catalog, NULL, &(struct pmu_counters){0});
	catalog.sysfs_folder = "/nowhere";
	*state = &catalog;
	return 0;
}

static int close_catalog(void **state)
{
	catalog_deinit(*state);
	return 0;
}

static const struct probe_point *read_word(struct catalog *catalog, const char *word)
{
	const struct event *event = NULL;
	assert_no_error(probe_point_find(catalog, word, &event));
	assert_non_null(event);
	assert_string_equal(event->name, word);
	return system_event_of(event)->probe;
}

static void words_are_read(void **state)
{
	const struct probe_point *point = read_word(*state, "u:/lib/libc.so.6:malloc");
	assert_int_equal(point->kind, PROBE_POINT_FILE);
	assert_string_equal(point->file, "/lib/libc.so.6");
	assert_string_equal(point->name, "malloc");
	assert_int_equal(point->offset, 0);
	assert_false(point->is_return);
	assert_int_equal(read_word(*state, "u:./a:f+0x10")->offset, 16);
	point = read_word(*state, "u:./a:+4096");
	assert_string_equal(point->name, "");
	assert_int_equal(point->offset, 4096);
	assert_true(read_word(*state, "ur:./a:f")->is_return);
	point = read_word(*state, "k:vfs_read+4");
	assert_int_equal(point->kind, PROBE_POINT_KERNEL);
	assert_null(point->file);
	assert_string_equal(point->name, "vfs_read");
	assert_true(read_word(*state, "kr:vfs_read")->is_return);
	point = read_word(*state, "usdt:python:line");
	assert_int_equal(point->kind, PROBE_POINT_STATIC);
	assert_null(point->file);
	assert_string_equal(point->provider, "python");
	point = read_word(*state, "usdt:/bin/python:python:line");
	assert_string_equal(point->file, "/bin/python");
	assert_string_equal(point->name, "line");
	assert_string_equal(read_word(*state, "usdt:./a:p:line")->file, "./a");
	// Parentheses of a path are not those of values.
	point = read_word(*state, "u:/a (1)/b:f");
	assert_string_equal(point->file, "/a (1)/b");
	assert_null(point->values);
	point = read_word(*state, "usdt:/a (1)/b:p:n(arg1:u8)");
	assert_string_equal(point->file, "/a (1)/b");
	assert_string_equal(point->name, "n");
	assert_int_equal(point->values->num_items, 1);
}

static void other_words_are_no_probes(void **state)
{
	static const char *const words[] = {"u",           "cycles:u",
					    "uprobe:a:b",  "sched:sched_switch",
					    "u:/a:f:1000", "usdt:/a:p:n:u"};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const struct event *event;
		assert_no_error(probe_point_find(*state, words[i], &event));
		assert_null(event);
	}
}

static void half_words_are_refused(void **state)
{
	static const char *const words[] = {"u:malloc", "u::f",      "u:/a:",   "u:a:f",
					    "u:/a:f+x", "ur:/a:f+4", "k:",      "k:+4",
					    "usdt:p",   "usdt:/a:p", "usdt:p:", "u:/a:f+"};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const struct event *event;
		_cleanup_(error_destroyp) struct error *err =
			probe_point_find(*state, words[i], &event);
		assert_non_null(err);
		assert_int_equal(err->code, ERROR_USAGE);
		assert_non_null(err->hint);
	}
}

static void periods_and_modifiers_follow(void **state)
{
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	assert_no_error(event_spec_parse(*state, "u:/a:f:u:100,usdt:/a:p:n:5", EVENT_SPEC_SAMPLE,
					 NULL, &list));
	assert_int_equal(list.num_items, 2);
	assert_int_equal(list.items[0].interval, 100);
	assert_int_equal(list.items[0].modifiers, EVENT_USER);
	assert_string_equal(list.items[0].event->name, "u:/a:f:u");
	assert_string_equal(system_event_of(list.items[0].event)->probe->name, "f");
	assert_int_equal(list.items[1].interval, 5);
}

static void only_linux_has_them(void **state)
{
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, NULL, &(struct pmu_counters){0});
	const struct event *event;
	assert_no_error(probe_point_find(&catalog, "u:/a:f", &event));
	assert_null(event);
}

int probe_point_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_read),
		cmocka_unit_test(other_words_are_no_probes),
		cmocka_unit_test(half_words_are_refused),
		cmocka_unit_test(periods_and_modifiers_follow),
		cmocka_unit_test(only_linux_has_them),
	};
	return cmocka_run_group_tests_name("probe_point", tests, open_catalog, close_catalog);
}
