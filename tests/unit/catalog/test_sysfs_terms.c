// SPDX-License-Identifier: Apache-2.0
// A folder that plays /sys/bus/event_source/devices, and words of -e about its PMUs.

#include "base/container/array.h"
#include "base/file/file_path.h"
#include "catalog/event_spec.h"
#include "catalog/linux/system_events.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "scratch_folder.h"
#include "tests/unit/assert_error.h"
#include "tests/unit/fake_cpu.h"

static void write_file(const char *path, const char *text)
{
	assert_true(file_path_make_folders(path));
	scratch_folder_write(path, text);
}

static int make_sysfs(void **state)
{
	static const struct {
		const char *path, *text;
	} files[] = {
		{"cpu/type", "4\n"},
		{"cpu/format/event", "config:0-7,32-35\n"},
		{"cpu/format/umask", "config:8-15\n"},
		{"cpu/format/edge", "config:18\n"},
		{"cpu/format/ldlat", "config1:0-15\n"},
		{"cpu/format/second", "config2:4-7\n"},
		{"cpu/events/cache-misses", "event=0x64,umask=0x09\n"},
		{"cpu/events/chosen", "event=0x64,umask=?\n"},
		{"cpu/format/split", "config1:0-7,32-35\n"},
		{"cpu/events/energy", "event=0x2\n"},
		{"cpu/events/energy.unit", "Joules\n"},
		{"cpu/events/energy.scale", "2.5e-1\n"},
		{"cpu/events/odd", "event=0x3\n"},
		{"cpu/events/odd.scale", "x\n"},
		{"uncore_imc_0/type", "17\n"},
		{"uncore_imc_0/format/event", "config:0-7\n"},
		{"typeless/format/event", "config:0-7\n"},
	};
	if (scratch_folder_enter(state))
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		write_file(files[i].path, files[i].text);
	return 0;
}

static void init_catalog(struct catalog *catalog)
{
	catalog_init(catalog, NULL, &fake_counters);
	catalog->sysfs_folder = ".";
	catalog->max_raw_code = UINT64_MAX;
}

static void words_become_events(void **state)
{
	static const struct {
		const char *spec, *name;
		uint64_t type, config, config1, config2;
		unsigned modifiers, precise;
		uint64_t interval;
		uint32_t frequency;
	} rows[] = {
		{.spec = "cpu/event=0x11/", .config = 0x11},
		{.spec = "cpu/event=0x111,umask=2,edge/", .config = UINT64_C(0x100040211)},
		{.spec = "cpu/config=0x1234,config1=5,config2=6/",
		 .config = 0x1234,
		 .config1 = 5,
		 .config2 = 6},
		{.spec = "cpu/event=1,ldlat=30,second=15/",
		 .config = 1,
		 .config1 = 30,
		 .config2 = 0xf0},
		{.spec = "cpu/event=1,split=0xabc/", .config = 1, .config1 = UINT64_C(0xa000000bc)},
		{.spec = "cpu/cache-misses,edge/", .config = 0x40964},
		{.spec = "cpu/event=1,event=2/", .config = 3},
		{.spec = "cpu/cache-misses,umask=2/", .config = 0xb64},
		{.spec = "cpu/event=1,name=mine/", .name = "mine", .config = 1},
		{.spec = "uncore_imc_0/event=4/", .type = 17, .config = 4},
		{.spec = "cpu/event=1/u",
		 .name = "cpu/event=1/:u",
		 .config = 1,
		 .modifiers = EVENT_USER},
		{.spec = "cpu/event=1/:pp", .config = 1, .precise = 2},
		{.spec = "cpu/event=1,name=mine/kpp",
		 .name = "mine:kpp",
		 .config = 1,
		 .modifiers = EVENT_KERNEL,
		 .precise = 2},
		{.spec = "cpu/event=1,period=1000/", .config = 1, .interval = 1000},
		{.spec = "cpu/event=1,freq=99/", .config = 1, .frequency = 99},
		{.spec = "cpu/event=1,period=1000/:5",
		 .name = "cpu/event=1,period=1000/",
		 .config = 1,
		 .interval = 5},
		{.spec = "cpu/event=1/uGHIh:ppp:77",
		 .name = "cpu/event=1/:uGHIh:ppp",
		 .config = 1,
		 .modifiers =
			 EVENT_USER | EVENT_GUEST | EVENT_HOST | EVENT_NOT_IDLE | EVENT_HYPERVISOR,
		 .precise = 3,
		 .interval = 77},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(catalog_deinit) struct catalog catalog;
		init_catalog(&catalog);
		_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
		assert_no_error(
			event_spec_parse(&catalog, rows[i].spec, EVENT_SPEC_SAMPLE, NULL, &list));
		assert_int_equal(list.num_items, 1);
		const struct event_request *request = &list.items[0];
		const struct system_event *event = system_event_of(request->event);
		assert_int_equal(request->event->event_class, EVENT_PERF);
		assert_string_equal(request->event->name,
				    rows[i].name ? rows[i].name : rows[i].spec);
		assert_int_equal(event->type, rows[i].type ? rows[i].type : 4);
		assert_int_equal(request->event->code, rows[i].config);
		assert_int_equal(event->config1, rows[i].config1);
		assert_int_equal(event->config2, rows[i].config2);
		assert_int_equal(request->modifiers, rows[i].modifiers);
		assert_int_equal(request->precise, rows[i].precise);
		assert_int_equal(request->interval, rows[i].interval);
		assert_int_equal(request->frequency, rows[i].frequency);
	}
}

// Without them, a count with name= or another term would be of another unit than the same alone.
static void a_published_event_keeps_its_unit_and_scale(void **state)
{
	_cleanup_(catalog_deinit) struct catalog catalog;
	init_catalog(&catalog);
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	assert_no_error(event_spec_parse(&catalog, "cpu/energy,name=mine/,cpu/event=2/",
					 EVENT_SPEC_COUNT, NULL, &list));
	const struct system_event *event = system_event_of(list.items[0].event);
	assert_string_equal(event->unit, "Joules");
	assert_true(event->scale > 0.249 && event->scale < 0.251);
	event = system_event_of(list.items[1].event);
	assert_null(event->unit);
	assert_true(event->scale > 0.999 && event->scale < 1.001);
	assert_error(event_spec_parse(&catalog, "cpu/odd,edge/", EVENT_SPEC_COUNT, NULL, &list),
		     ERROR_USAGE, "PMU 'cpu' has no term 'odd'");
}

static void commas_in_terms_do_not_end_a_word(void **state)
{
	_cleanup_(catalog_deinit) struct catalog catalog;
	init_catalog(&catalog);
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	assert_no_error(event_spec_parse(&catalog,
					 "{cpu/event=1,umask=2/u,cpu/event=2,umask=3/},r3c:k,"
					 "cpu/event=4,edge/",
					 EVENT_SPEC_COUNT, NULL, &list));
	static const char *const names[] = {"cpu/event=1,umask=2/:u", "cpu/event=2,umask=3/",
					    "r3c:k", "cpu/event=4,edge/"};
	assert_int_equal(list.num_items, ARRAY_SIZE(names));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_string_equal(list.items[i].event->name, names[i]);
	assert_int_equal(list.items[0].group, list.items[1].group);
	assert_int_equal(list.items[3].group, EVENT_UNGROUPED);
}

static void wrong_words_are_explained(void **state)
{
	static const struct {
		const char *spec, *message, *hint;
	} rows[] = {
		{"cpu/evnt=1/", "PMU 'cpu' has no term 'evnt'",
		 "edge, event, ldlat, second, split, umask"},
		{"cpu//", "PMU 'cpu' has no term ''", "its terms"},
		{"cpu/event=1,,umask=1/", "PMU 'cpu' has no term ''", "its terms"},
		{"gpu/event=1/", "this machine has no PMU 'gpu'", "cpu, typeless, uncore_imc_0"},
		{"typeless/event=1/", "this machine has no PMU 'typeless'", "its PMUs: "},
		{"cpu/event=x/", "invalid value of 'event=x'", "hexadecimal"},
		{"cpu/event=/", "invalid value of 'event='", "hexadecimal"},
		{"cpu/umask=0x100/", "invalid value of 'umask=0x100'", "bits"},
		{"cpu/chosen/", "PMU 'cpu' has no term 'chosen'", "its terms"},
		{"cpu/name=/", "invalid value of 'name='", "text"},
		{"cpu/event=1,period=0/", "invalid value of 'period=0'", "number"},
		{"cpu/event=1,freq=0/", "invalid value of 'freq=0'", "number"},
		{"cpu/event=1/pppp", "unknown event name: cpu/event=1/:pppp", "p, pp or ppp"},
		{"cpu/event=1/x", "unknown event name: cpu/event=1/:x", "p, pp or ppp"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(catalog_deinit) struct catalog catalog;
		init_catalog(&catalog);
		_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
		_cleanup_(error_destroyp) struct error *err =
			event_spec_parse(&catalog, rows[i].spec, EVENT_SPEC_COUNT, NULL, &list);
		assert_non_null(err);
		assert_string_equal(err->message, rows[i].message);
		assert_non_null(err->hint);
		assert_non_null(strstr(err->hint, rows[i].hint));
	}
}

static void without_a_kernel_there_are_no_terms(void **state)
{
	_cleanup_(catalog_deinit) struct catalog catalog;
	init_catalog(&catalog);
	catalog.sysfs_folder = NULL;
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	assert_error(event_spec_parse(&catalog, "cpu/event=1/", EVENT_SPEC_COUNT, NULL, &list),
		     ERROR_USAGE, "unknown event name: cpu/event=1/");
	assert_error(event_spec_parse(&catalog, "r1b:p", EVENT_SPEC_COUNT, NULL, &list),
		     ERROR_USAGE, "unknown event name: r1b:p");
	assert_no_error(event_spec_parse(&catalog, "r1b:u", EVENT_SPEC_COUNT, NULL, &list));
	assert_string_equal(list.items[0].event->name, "r1b");
}

int sysfs_terms_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(words_become_events, make_sysfs,
						scratch_folder_leave),
		cmocka_unit_test_setup_teardown(a_published_event_keeps_its_unit_and_scale,
						make_sysfs, scratch_folder_leave),
		cmocka_unit_test_setup_teardown(commas_in_terms_do_not_end_a_word, make_sysfs,
						scratch_folder_leave),
		cmocka_unit_test_setup_teardown(wrong_words_are_explained, make_sysfs,
						scratch_folder_leave),
		cmocka_unit_test_setup_teardown(without_a_kernel_there_are_no_terms, make_sysfs,
						scratch_folder_leave),
	};
	return cmocka_run_group_tests_name("sysfs_terms", tests, NULL, NULL);
}
