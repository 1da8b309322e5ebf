// SPDX-License-Identifier: Apache-2.0

#include "catalog/catalog.h"
#include "catalog/linux/system_events.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/text/string_builder.h"

#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include <cmocka.h>

/** A catalog, and a folder that plays /sys/bus/event_source/devices. */
struct fixture {
	struct catalog catalog;
	struct string_builder notes;
	char sysfs[64];
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	*state = fixture;
	if (!fixture)
		return -1;
	const struct pmu_counters counters = {};
	catalog_init(&fixture->catalog, NULL, &counters);
	snprintf(fixture->sysfs, sizeof(fixture->sysfs), "/tmp/test_system_events.XXXXXX");
	return mkdtemp(fixture->sysfs) ? 0 : -1;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;
	char command[128];
	snprintf(command, sizeof(command), "rm -rf '%s'", fixture->sysfs);
	int status = system(command);
	string_builder_deinit(&fixture->notes);
	catalog_deinit(&fixture->catalog);
	free(fixture);
	return status;
}

static void write_bytes(const struct fixture *fixture, const char *path, const void *bytes,
			size_t length)
{
	char full[512];
	snprintf(full, sizeof(full), "%s/%s", fixture->sysfs, path);
	for (char *slash = full + strlen(fixture->sysfs) + 1; (slash = strchr(slash, '/'));
	     slash++) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	FILE *file = fopen(full, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	fclose(file);
}

static void write_file(const struct fixture *fixture, const char *path, const char *text)
{
	write_bytes(fixture, path, text, strlen(text));
}

static void load(struct fixture *fixture, unsigned sets)
{
	assert_null(system_events_load(&fixture->catalog, sets, fixture->sysfs, &fixture->notes));
}

static const struct system_event *find(const struct fixture *fixture, const char *name)
{
	const struct event *event = catalog_find_event(&fixture->catalog, EVENT_PERF, name);
	return event ? system_event_of(event) : NULL;
}

static void test_generic_events(void **state)
{
	static const struct {
		const char *name;
		uint32_t type;
		uint64_t config;
		const char *kind;
	} expected[] = {
		{"cycles", PERF_TYPE_HARDWARE, 0, "Hardware event"},
		{"cpu-cycles", PERF_TYPE_HARDWARE, 0, "Hardware event"},
		{"instructions", PERF_TYPE_HARDWARE, 1, "Hardware event"},
		{"cache-references", PERF_TYPE_HARDWARE, 2, "Hardware event"},
		{"cache-misses", PERF_TYPE_HARDWARE, 3, "Hardware event"},
		{"branches", PERF_TYPE_HARDWARE, 4, "Hardware event"},
		{"branch-instructions", PERF_TYPE_HARDWARE, 4, "Hardware event"},
		{"branch-misses", PERF_TYPE_HARDWARE, 5, "Hardware event"},
		{"bus-cycles", PERF_TYPE_HARDWARE, 6, "Hardware event"},
		{"idle-cycles-frontend", PERF_TYPE_HARDWARE, 7, "Hardware event"},
		{"stalled-cycles-backend", PERF_TYPE_HARDWARE, 8, "Hardware event"},
		{"ref-cycles", PERF_TYPE_HARDWARE, 9, "Hardware event"},
		{"cpu-clock", PERF_TYPE_SOFTWARE, 0, "Software event"},
		{"task-clock", PERF_TYPE_SOFTWARE, 1, "Software event"},
		{"faults", PERF_TYPE_SOFTWARE, 2, "Software event"},
		{"cs", PERF_TYPE_SOFTWARE, 3, "Software event"},
		{"migrations", PERF_TYPE_SOFTWARE, 4, "Software event"},
		{"minor-faults", PERF_TYPE_SOFTWARE, 5, "Software event"},
		{"major-faults", PERF_TYPE_SOFTWARE, 6, "Software event"},
		{"cgroup-switches", PERF_TYPE_SOFTWARE, 11, "Software event"},
		{"L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x10000, "Hardware cache event"},
		{"l1-dcache-stores", PERF_TYPE_HW_CACHE, 0x100, "Hardware cache event"},
		{"L1-icache-load-misses", PERF_TYPE_HW_CACHE, 0x10001, "Hardware cache event"},
		{"LLC-store-misses", PERF_TYPE_HW_CACHE, 0x10102, "Hardware cache event"},
		{"dTLB-loads", PERF_TYPE_HW_CACHE, 0x3, "Hardware cache event"},
		{"iTLB-load-misses", PERF_TYPE_HW_CACHE, 0x10004, "Hardware cache event"},
		{"branch-load-misses", PERF_TYPE_HW_CACHE, 0x10005, "Hardware cache event"},
		{"node-prefetch-misses", PERF_TYPE_HW_CACHE, 0x10206, "Hardware cache event"},
	};
	load(*state, SYSTEM_EVENTS_SOFTWARE | SYSTEM_EVENTS_GENERIC);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		const struct system_event *event = find(*state, expected[i].name);
		assert_non_null(event);
		assert_int_equal(event->type, expected[i].type);
		assert_int_equal(event->event.code, expected[i].config);
		assert_string_equal(event->kind, expected[i].kind);
		assert_ptr_equal(system_events_find_generic(expected[i].name), event);
	}
	assert_null(find(*state, "dummy"));
	assert_null(find(*state, "bpf-output"));
	assert_null(system_events_find_generic("no-such-event"));
}

static void test_generic_names_are_unique(void **state)
{
	struct fixture *fixture = *state;
	load(fixture, SYSTEM_EVENTS_SOFTWARE | SYSTEM_EVENTS_GENERIC);
	for (size_t i = 0; i < fixture->catalog.num_system_events; i++) {
		const struct event *event = fixture->catalog.system_events[i];
		assert_ptr_equal(find(fixture, event->name), system_event_of(event));
		const char *alias = system_event_of(event)->alias;
		if (alias)
			assert_ptr_equal(find(fixture, alias), system_event_of(event));
		assert_true(event->title[0] && event->description[0]);
		assert_int_equal(event->event_class, EVENT_PERF);
	}
}

static void test_software_alone(void **state)
{
	load(*state, SYSTEM_EVENTS_SOFTWARE);
	assert_null(find(*state, "cycles"));
	const struct system_event *clock = find(*state, "task-clock");
	assert_non_null(clock);
	assert_string_equal(clock->unit, "msec");
	assert_true(clock->scale == 1e-6);
}

static void write_good_pmus(const struct fixture *fixture)
{
	write_file(fixture, "cpu/type", "4\n");
	write_file(fixture, "cpu/format/event", "config:0-7\n");
	write_file(fixture, "cpu/format/umask", "config:8-15\n");
	write_file(fixture, "cpu/format/ldlat", "config1:0-15\n");
	write_file(fixture, "cpu/events/cache-misses", "event=0x2e,umask=0x41\n");
	write_file(fixture, "cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	write_file(fixture, "power/type", "17\n");
	write_file(fixture, "power/format/event", "config:0-7\n");
	write_file(fixture, "power/events/energy-pkg", "event=0x02\n");
	write_file(fixture, "power/events/energy-pkg.unit", "Joules\n");
	write_file(fixture, "power/events/energy-pkg.scale", "2.3283064365386962890625e-10\n");
	write_file(fixture, "armv8_pmuv3_0/type", "8\n");
	write_file(fixture, "armv8_pmuv3_0/format/event", "config:0-15\n");
	write_file(fixture, "armv8_pmuv3_0/events/cpu_cycles", "event=0x0011\n");
	write_file(fixture, "software/type", "1\n");
	write_file(fixture, "kprobe/type", "6\n");
	write_file(fixture, "kprobe/format/retprobe", "config:0\n");
}

static void test_sysfs_events(void **state)
{
	struct fixture *fixture = *state;
	write_good_pmus(fixture);
	load(fixture, SYSTEM_EVENTS_SYSFS);
	assert_int_equal(fixture->catalog.num_system_events, 4);
	assert_string_equal(fixture->catalog.system_events[0]->name, "armv8_pmuv3_0/cpu_cycles/");
	assert_string_equal(string_builder_peek(&fixture->notes), "");

	const struct system_event *misses = find(fixture, "cpu/cache-misses/");
	assert_non_null(misses);
	assert_int_equal(misses->type, 4);
	assert_int_equal(misses->event.code, 0x412e);
	assert_string_equal(misses->event.title, "event=0x2e,umask=0x41");
	assert_string_equal(misses->kind, "cpu PMU event");
	assert_null(misses->unit);
	assert_true(misses->scale == 1);
	assert_int_equal(find(fixture, "cpu/mem-loads/")->config1, 3);

	const struct system_event *energy = find(fixture, "power/energy-pkg/");
	assert_non_null(energy);
	assert_int_equal(energy->type, 17);
	assert_string_equal(energy->unit, "Joules");
	assert_true(energy->scale == 2.3283064365386962890625e-10);
}

static void test_what_sysfs_cannot_say(void **state)
{
	struct fixture *fixture = *state;
	char huge[10000];
	memset(huge, '0', sizeof(huge));
	memcpy(huge, "event=", 6);
	write_good_pmus(fixture);
	write_bytes(fixture, "cpu/events/huge", huge, sizeof(huge));
	write_bytes(fixture, "cpu/events/with-nul", "event=1\0,umask=2", 16);
	write_file(fixture, "cpu/events/escape", "event=\033[2J\n");
	write_file(fixture, "cpu/events/empty", "");
	write_file(fixture, "cpu/events/parameter", "event=?\n");
	write_file(fixture, "cpu/events/unknown", "event=1,colour=2\n");
	write_file(fixture, "cpu/events/bad{name}", "event=1\n");
	write_file(fixture, "cpu/events/bad-scale", "event=1\n");
	write_file(fixture, "cpu/events/bad-scale.scale", "a lot\n");
	write_file(fixture, "cpu/events/nan-scale", "event=1\n");
	write_file(fixture, "cpu/events/nan-scale.scale", "nan\n");
	write_file(fixture, "cpu/events/bad-unit", "event=1\n");
	write_file(fixture, "cpu/events/bad-unit.unit", "\x80\n");
	write_file(fixture, "cpu/events/folder/x", "event=1\n");
	write_file(fixture, "typeless/events/x", "event=1\n");
	write_file(fixture, "wrongtype/type", "-1\n");
	write_file(fixture, "wrongtype/events/x", "event=1\n");
	write_file(fixture, "noformat/type", "20\n");
	write_file(fixture, "noformat/events/x", "event=1\n");
	write_file(fixture, "not-a-folder", "8\n");
	load(fixture, SYSTEM_EVENTS_SYSFS);
	assert_int_equal(fixture->catalog.num_system_events, 4);
	assert_string_equal(string_builder_peek(&fixture->notes),
			    "events of cpu that wperf cannot encode are not listed: 11\n"
			    "events of noformat that wperf cannot encode are not listed: 1\n"
			    "events of typeless are not listed: its sysfs folder has no 'type'\n"
			    "events of wrongtype are not listed: its sysfs folder has no 'type'\n");
}

static void test_no_sysfs(void **state)
{
	struct fixture *fixture = *state;
	assert_null(system_events_load(&fixture->catalog, SYSTEM_EVENTS_SYSFS, "/no/such",
				       &fixture->notes));
	assert_int_equal(fixture->catalog.num_system_events, 0);
	assert_string_equal(string_builder_peek(&fixture->notes),
			    "events of PMUs are not listed: cannot read '/no/such': No such file "
			    "or directory\n");
}

static void test_no_libpfm_events_without_cpu_pmu(void **state)
{
	struct fixture *fixture = *state;
	load(fixture, SYSTEM_EVENTS_PFM);
	assert_int_equal(fixture->catalog.num_system_events, 0);
	assert_non_null(strstr(string_builder_peek(&fixture->notes), "events of libpfm4"));
}

// With the library, a forced Skylake; without it, a note that says so.
static void test_libpfm_events(void **state)
{
	struct fixture *fixture = *state;
	write_file(fixture, "cpu/type", "4\n");
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	load(fixture, SYSTEM_EVENTS_PFM);
	unsetenv("LIBPFM_FORCE_PMU");
	const struct system_event *event = find(fixture, "BR_INST_RETIRED:CONDITIONAL");
	if (!event) {
		assert_int_equal(fixture->catalog.num_system_events, 0);
		assert_non_null(strstr(string_builder_peek(&fixture->notes), "libpfm4"));
		return;
	}
	assert_int_equal(event->type, PERF_TYPE_RAW);
	assert_int_equal(event->event.code & 0xffff, 0x1c4);
	assert_string_equal(event->kind, "skl PMU event");
	assert_true(event->event.description[0]);
	assert_string_equal(string_builder_peek(&fixture->notes), "");
}

int system_events_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_generic_events, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_generic_names_are_unique, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_software_alone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_sysfs_events, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_what_sysfs_cannot_say, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_sysfs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_libpfm_events_without_cpu_pmu, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_libpfm_events, set_up, tear_down),
	};
	return cmocka_run_group_tests_name("system_events", tests, NULL, NULL);
}
