// SPDX-License-Identifier: Apache-2.0
#include "view/export/timeline_csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/capture.h"
#include "tests/unit/stat_fixture.h"

#include <string.h>

static uint32_t unit_1[] = {1};
static uint32_t units_0_3[] = {0, 3};

static const struct stat_event core_events[] = {
	{.name = "cycle", .note = "e", .is_fixed = true, .scale = 1},
	{.name = "inst_spec", .note = "g0", .code = 0x1b, .scale = 1},
	{.name = "inst_spec", .note = "p", .code = 0x1b, .is_hidden = true, .scale = 1},
};

/** The file with one line per given count of the section. */
static char *write_csv(const struct stat_report *report, const struct stat_section *section,
		       bool with_timestamps, const uint64_t *timestamps, size_t num_counts)
{
	struct timeline_csv csv = {
		.stream = capture_begin(), .name = "test.csv", .with_timestamps = with_timestamps};
	assert_no_error(timeline_csv_begin(&csv, report, section, 1));
	for (size_t i = 0; i < num_counts; i++)
		assert_no_error(timeline_csv_add(&csv, report, section, timestamps[i]));
	assert_no_error(timeline_csv_end(&csv));
	return capture_end(csv.stream);
}

static void assert_csv(const struct stat_report *report, const struct stat_section *section,
		       const char *expected)
{
	_cleanup_free_ char *written = write_csv(report, section, false, &(uint64_t){0}, 1);
	assert_string_equal(written, expected);
}

static void test_one_core(void **state)
{
	struct count values[] = {{40577993383, 3, 3}, {1188456413, 3, 3}, {9, 3, 3}};
	struct count_set set = STAT_COUNTS(COUNT_UNIT_CORE, unit_1, values);
	struct stat_section section = STAT_SECTION(EVENT_CORE, core_events, &set);
	struct stat_report report = {
		.vendor_name = "Arm Limited", .sections = &section, .num_sections = 1};
	assert_csv(&report, &section,
		   "Multiplexing,FALSE\nKernel mode,FALSE\nCount interval,1.00\n"
		   "Vendor,Arm Limited\nEvent class,core\n\n"
		   "core 1,core 1,\ncycle,inst_spec,\n40577993383,1188456413,\n\n");
}

static void test_many_cores_multiplexed_with_metrics(void **state)
{
	static const struct stat_metric metrics[] = {
		{"0", "neoverse-n1", "ipc", "per cycle", 1.23456, false, false, 0},
		{"3", "neoverse-n1", "ipc", "per cycle", 0, false, false, 0},
		{"all", "neoverse-n1", "ipc", "per cycle", 1e6, false, false, 0},
	};
	struct count values[] = {{1, 4, 4}, {2, 3, 4}, {9, 1, 4}, {5, 4, 4}, {0, 0, 4}, {9, 1, 4}};
	struct count_set set = STAT_COUNTS(COUNT_UNIT_CORE, units_0_3, values);
	struct stat_section section = STAT_SECTION(EVENT_CORE, core_events, &set);
	section.multiplexed = true;
	struct stat_report report = {
		.kernel_mode = true,
		.vendor_name = "Arm Limited",
		.sections = &section,
		.num_sections = 1,
		.metrics = metrics,
		.num_metrics = ARRAY_SIZE(metrics),
		.metric_precision = 3,
	};
	// clang-format off
	assert_csv(&report, &section,
		"Multiplexing,TRUE\nKernel mode,TRUE\nCount interval,1.00\n"
		"Vendor,Arm Limited\nEvent class,core\n\n"
		"core 0,core 0,core 0,core 0,core 3,core 3,core 3,core 3,core 0,core 3,all,\n"
		"cycle,sched_times,inst_spec,sched_times,cycle,sched_times,inst_spec,sched_times,"
		"M@ipc,M@ipc,M@ipc,\n"
		"1,4,2,3,5,4,0,0,1.235,0.000,1000000.000,\n\n");
	// clang-format on
}

static void test_uncore_goes_by_its_own_class(void **state)
{
	static const struct stat_metric metrics[] = {
		{"0", "n1", "ipc", "per cycle", 1, false, false, 0}};
	struct count core_values[] = {{1, 1, 2}, {1, 1, 2}, {1, 1, 2}};
	struct count dsu_values[] = {{10, 1, 1}, {11, 1, 1}, {9, 1, 1},
				     {20, 1, 1}, {21, 1, 1}, {9, 1, 1}};
	struct count_set sets[] = {STAT_COUNTS(COUNT_UNIT_CORE, unit_1, core_values),
				   STAT_COUNTS(COUNT_UNIT_CLUSTER, units_0_3, dsu_values)};
	struct stat_section sections[] = {STAT_SECTION(EVENT_CORE, core_events, &sets[0]),
					  STAT_SECTION(EVENT_DSU, core_events, &sets[1])};
	sections[0].multiplexed = true;
	struct stat_report report = {
		.vendor_name = "Arm Limited",
		.sections = sections,
		.num_sections = 2,
		.metrics = metrics,
		.num_metrics = 1,
	};
	const char *expected = "Multiplexing,FALSE\nCount interval,1.00\n"
			       "Vendor,Arm Limited\nEvent class,dsu\n\n"
			       "dsu 0,dsu 0,dsu 3,dsu 3,\ncycle,inst_spec,cycle,inst_spec,\n"
			       "10,11,20,21,\n\n";
	assert_csv(&report, &sections[1], expected);

	sets[1].unit_kind = COUNT_UNIT_CHANNEL;
	sets[1].num_units = 1;
	sections[1].event_class = EVENT_DMC_CLKDIV2;
	assert_csv(&report, &sections[1],
		   "Multiplexing,FALSE\nCount interval,1.00\nVendor,Arm Limited\n"
		   "Event class,dmc_clkdiv2\n\ndmc_clkdiv2 0,dmc_clkdiv2 0,\ncycle,inst_spec,\n"
		   "10,11,\n\n");
}

static void test_kernel_events_and_hostile_names(void **state)
{
	static const char *const names[] = {"'a,\"b\"\n'"};
	static const struct stat_metric metrics[] = {
		{"all", "n1", "ipc", "per cycle", 2, false, false, 0}};
	static const struct stat_event events[] = {
		{.name = "task-clock", .note = "e", .unit = "msec", .scale = 1e-6},
		{.name = "cycles", .note = "e", .scale = 1},
	};
	struct count values[] = {{1234567, 3, 3}, {500, 2, 3}};
	struct count_set set = STAT_COUNTS(COUNT_UNIT_PROCESS, unit_1, values);
	struct stat_section section = STAT_SECTION(EVENT_PERF, events, &set);
	section.unit_names = names;
	struct stat_report report = {
		.vendor_name = "x,y",
		.sections = &section,
		.num_sections = 1,
		.metrics = metrics,
		.num_metrics = 1,
		.metric_precision = 3,
	};
	const char *label = "\"'a,\"\"b\"\"\\x0a'\"";
	char expected[1024];
	snprintf(expected, sizeof(expected),
		 "Multiplexing,FALSE\nKernel mode,FALSE\nCount interval,1.00\nVendor,\"x,y\"\n"
		 "Event class,perf\n\n%s,%s,%s,%s,all,\n"
		 "task-clock (msec),running_percent,cycles,running_percent,M@ipc,\n"
		 "1.234567,100.00,500,66.67,2.000,\n\n",
		 label, label, label, label);
	assert_csv(&report, &section, expected);
}

static void test_timestamps(void **state)
{
	static const uint64_t timestamps[] = {0, 1694606639012999999, UINT64_MAX};
	struct count values[] = {{1, 1, 1}, {2, 1, 1}, {3, 1, 1}};
	struct count_set set = STAT_COUNTS(COUNT_UNIT_CORE, unit_1, values);
	struct stat_section section = STAT_SECTION(EVENT_CORE, core_events, &set);
	struct stat_report report = {
		.vendor_name = "Arm Limited", .sections = &section, .num_sections = 1};
	_cleanup_free_ char *written =
		write_csv(&report, &section, true, timestamps, ARRAY_SIZE(timestamps));
	const char *table = strstr(written, "\n\n");
	assert_non_null(table);
	assert_string_equal(table, "\n\n,core 1,core 1,\ntimestamp,cycle,inst_spec,\n0.000,1,2,\n"
				   "1694606639.012,1,2,\n18446744073.709,1,2,\n\n");
}

static void test_lines_are_there_at_once(void **state)
{
	struct count values[] = {{1, 1, 1}, {2, 1, 1}, {3, 1, 1}};
	struct count_set set = STAT_COUNTS(COUNT_UNIT_CORE, unit_1, values);
	struct stat_section section = STAT_SECTION(EVENT_CORE, core_events, &set);
	struct stat_report report = {.vendor_name = "x", .sections = &section, .num_sections = 1};
	char *buffer = NULL;
	size_t size = 0;
	struct timeline_csv csv = {.stream = open_memstream(&buffer, &size), .name = "test.csv"};
	assert_no_error(timeline_csv_begin(&csv, &report, &section, 1));
	size_t size_of_head = size;
	assert_no_error(timeline_csv_add(&csv, &report, &section, 0));
	assert_string_equal(buffer + size_of_head, "1,2,\n");
	fclose(csv.stream);
	free(buffer);
}

static void test_other_columns_are_refused(void **state)
{
	struct count values[6] = {{1, 1, 1}};
	struct count_set set = STAT_COUNTS(COUNT_UNIT_CORE, units_0_3, values);
	struct stat_section section = STAT_SECTION(EVENT_CORE, core_events, &set);
	struct stat_report report = {.vendor_name = "x", .sections = &section, .num_sections = 1};
	struct timeline_csv csv = {.stream = capture_begin(), .name = "test.csv"};
	assert_no_error(timeline_csv_begin(&csv, &report, &section, 1));
	set.num_units = 1;
	assert_error(timeline_csv_add(&csv, &report, &section, 0), ERROR_FAILED,
		     "a count has 2 values, but test.csv began with 4 columns");
	fclose(csv.stream);
}

static void test_full_disk(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	if (!full)
		skip();
	struct count values[] = {{1, 1, 1}, {2, 1, 1}, {3, 1, 1}};
	struct count_set set = STAT_COUNTS(COUNT_UNIT_CORE, unit_1, values);
	struct stat_section section = STAT_SECTION(EVENT_CORE, core_events, &set);
	struct stat_report report = {.vendor_name = "x", .sections = &section, .num_sections = 1};
	struct timeline_csv csv = {.stream = full, .name = "test.csv"};
	assert_error(timeline_csv_begin(&csv, &report, &section, 1), ERROR_FAILED,
		     "cannot write test.csv: No space left on device");
	fclose(full);
}

int timeline_csv_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_core),
		cmocka_unit_test(test_many_cores_multiplexed_with_metrics),
		cmocka_unit_test(test_uncore_goes_by_its_own_class),
		cmocka_unit_test(test_kernel_events_and_hostile_names),
		cmocka_unit_test(test_timestamps),
		cmocka_unit_test(test_lines_are_there_at_once),
		cmocka_unit_test(test_other_columns_are_refused),
		cmocka_unit_test(test_full_disk),
	};
	return cmocka_run_group_tests_name("timeline_csv", tests, NULL, NULL);
}
