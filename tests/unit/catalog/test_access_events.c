// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/access_events.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "catalog/catalog.h"
#include "catalog/event_spec.h"
#include "catalog/linux/system_events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** Folders as those of sysfs, of processors that are not at hand. */
static void write_file(const char *root, const char *name, const char *text)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static int set_up(void **state)
{
	char *root = strdup("/tmp/test_access_events.XXXXXX");
	*state = root;
	if (!root || !mkdtemp(root))
		return -1;
	write_file(root, "software/type", "1\n");
	return 0;
}

static int tear_down(void **state)
{
	char command[128];
	snprintf(command, sizeof(command), "rm -rf '%s'", (char *)*state);
	free(*state);
	return system(command);
}

static void make_core(const char *root, const char *pmu, const char *type)
{
	static const struct {
		const char *name, *text;
	} files[] = {
		{"type", NULL},
		{"format/event", "config:0-7\n"},
		{"format/umask", "config:8-15\n"},
		{"format/ldlat", "config1:0-15\n"},
		{"events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n"},
		{"events/mem-stores", "event=0xd0,umask=0x82\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		char name[64];
		snprintf(name, sizeof(name), "%s/%s", pmu, files[i].name);
		write_file(root, name, files[i].text ? files[i].text : type);
	}
}

static void assert_events(const char *root, const char *word, const char *wanted)
{
	_cleanup_(string_builder_deinit) struct string_builder events = STRING_BUILDER_INIT;
	assert_no_error(access_events_find(root, word, &events));
	assert_string_equal(string_builder_peek(&events), wanted);
}

static void test_intel_has_loads_and_stores(void **state)
{
	const char *root = *state;
	make_core(root, "cpu", "4\n");
	assert_events(root, "mem", "cpu/mem-loads,ldlat=30/,cpu/mem-stores/");
	assert_events(root, "mem:1009", "cpu/mem-loads,ldlat=30/:1009,cpu/mem-stores/:1009");
}

static void test_each_kind_of_core_has_its_own(void **state)
{
	const char *root = *state;
	make_core(root, "cpu_core", "4\n");
	make_core(root, "cpu_atom", "10\n");
	assert_events(root, "mem",
		      "cpu_atom/mem-loads,ldlat=30/,cpu_atom/mem-stores/,"
		      "cpu_core/mem-loads,ldlat=30/,cpu_core/mem-stores/");
}

static void test_amd_has_ibs(void **state)
{
	const char *root = *state;
	write_file(root, "ibs_op/type", "11\n");
	write_file(root, "ibs_fetch/type", "10\n");
	assert_events(root, "mem:10000", "ibs_op//:10000");
}

static void assert_refused(const char *root, const char *wanted)
{
	_cleanup_(string_builder_deinit) struct string_builder events = STRING_BUILDER_INIT;
	_cleanup_(error_destroyp) struct error *err = access_events_find(root, "mem", &events);
	assert_non_null(err);
	assert_string_equal(err->message, wanted);
	assert_non_null(err->hint);
	assert_string_equal(string_builder_peek(&events), "");
}

static void test_what_is_missing_is_said(void **state)
{
	static const char none[] = "no event here samples accesses to memory: mem";
	const char *root = *state;
	assert_refused(NULL, none);
	assert_refused("/nonexistent", none);
	assert_refused(root, none);
	make_core(root, "cpu", "4\n");
	write_file(root, "cpu/events/mem-loads-aux", "event=0x03,umask=0x82\n");
	assert_refused(root, "wperf cannot sample loads of this CPU: the kernel wants "
			     "cpu/mem-loads-aux/ in a group with them");
}

/** What it finds is what the catalog takes, with the codes that sysfs has. */
static void test_the_catalog_takes_them(void **state)
{
	static const struct pmu_counters counters;
	const char *root = *state;
	make_core(root, "cpu", "4\n");
	write_file(root, "ibs_op/type", "11\n");
	_cleanup_(string_builder_deinit) struct string_builder words = STRING_BUILDER_INIT;
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, NULL, &counters);
	catalog.sysfs_folder = root;
	catalog.max_raw_code = UINT64_MAX;
	assert_no_error(access_events_find(root, "mem:1009", &words));
	assert_no_error(event_spec_parse(&catalog, string_builder_peek(&words), EVENT_SPEC_SAMPLE,
					 NULL, &list));
	assert_int_equal(list.num_items, 3);
	const struct system_event *loads = system_event_of(list.items[0].event);
	assert_int_equal(loads->type, 4);
	assert_int_equal(loads->event.code, 0x1cd);
	// perf has the same: 30, and the 3 of the name's own terms.
	assert_int_equal(loads->config1, 30 | 3);
	assert_int_equal(system_event_of(list.items[1].event)->event.code, 0x82d0);
	assert_int_equal(system_event_of(list.items[2].event)->type, 11);
	for (size_t i = 0; i < list.num_items; i++) {
		assert_int_equal(list.items[i].interval, 1009);
		assert_true(access_events_have(list.items[i].event));
	}
}

static void test_other_words_are_other_events(void **state)
{
	static const char *const names[] = {"cpu/mem-loads-aux/", "cpu/mem-loads_retired/",
					    "ibs_fetch//",        "cycles",
					    "mem-loads",          "cpu/old-mem-loads,ldlat=30/"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct event event = {.name = names[i], .event_class = EVENT_PERF};
		assert_false(access_events_have(&event));
	}
	// Terms come in any order.
	const struct event event = {.name = "cpu/old-mem-loads,ldlat=30,mem-loads/u",
				    .event_class = EVENT_PERF};
	assert_true(access_events_have(&event));
	assert_true(access_events_are_meant("mem") && access_events_are_meant("mem:7"));
	assert_false(access_events_are_meant("mem_access") || access_events_are_meant("me"));
}

int access_events_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_intel_has_loads_and_stores, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_each_kind_of_core_has_its_own, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_amd_has_ibs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_what_is_missing_is_said, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_the_catalog_takes_them, set_up, tear_down),
		cmocka_unit_test(test_other_words_are_other_events),
	};
	return cmocka_run_group_tests_name("access_events", tests, NULL, NULL);
}
