// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_arm_pmu.h"

#include "base/cleanup.h"
#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#define PMU "armv8_pmuv3_0"

static const struct event events[] = {
	{.name = "sw_incr", .code = 0x00},      {.name = "l1d_cache", .code = 0x04},
	{.name = "inst_retired", .code = 0x08}, {.name = "cpu_cycles", .code = 0x11},
	{.name = "chain", .code = 0x1e},        {.name = "ld_spec", .code = 0x70},
	{.name = "cnt_cycles", .code = 0x4004},
};
static const struct event *const table[] = {&events[0], &events[1], &events[2], &events[3],
					    &events[4], &events[5], &events[6]};
static const struct cpu cpu = {
	.name = "some-cpu",
	.events = table,
	.num_events = ARRAY_SIZE(table),
};

static void write_file(const char *folder, const char *name, const char *text)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void make_folder(const char *parent, const char *name, char ret[128])
{
	snprintf(ret, 128, "%s/%s", parent, name);
	assert_int_equal(mkdir(ret, 0700), 0);
}

/** A PMU that has the events of these codes; the strings end with NULL. */
static void make_pmu(const char *sysfs, const char *name, const char *const *codes)
{
	char pmu[128], folder[128];
	make_folder(sysfs, name, pmu);
	write_file(pmu, "type", "8\n");
	make_folder(pmu, "format", folder);
	write_file(folder, "event", "config:0-15\n");
	make_folder(pmu, "events", folder);
	for (; *codes; codes++) {
		char terms[32];
		snprintf(terms, sizeof(terms), "event=%s\n", *codes);
		write_file(folder, *codes, terms);
	}
}

static int make_sysfs(void **state)
{
	*state = strdup("/tmp/test_perf_arm_pmu.XXXXXX");
	return *state && mkdtemp(*state) ? 0 : -1;
}

static int remove_sysfs(void **state)
{
	char command[128];
	snprintf(command, sizeof(command), "rm -rf '%s'", (const char *)*state);
	free(*state);
	return system(command);
}

static void check(const char *sysfs, enum probe_state state, const char *detail)
{
	_cleanup_(probe_deinit) struct probe probe = PROBE_INIT;
	assert_no_error(perf_arm_pmu_probe(sysfs, PMU, &cpu, &probe));
	assert_int_equal(probe.num_findings, 1);
	assert_string_equal(probe.findings[0].detail, detail);
	assert_int_equal(probe.findings[0].state, state);
	assert_int_equal(probe.findings[0].hint == NULL, state == PROBE_YES);
}

static void all_are_there(void **state)
{
	make_pmu(*state, PMU, (const char *const[]){"0x0", "0x4", "0x8", "0x11", "0x4004", NULL});
	check(*state, PROBE_YES, "5 of 5 of some-cpu");
}

static void few_are_missing(void **state)
{
	make_pmu(*state, PMU, (const char *const[]){"0x0", "0x8", "0x11", "0x4004", NULL});
	check(*state, PROBE_PARTLY, "4 of 5 of some-cpu; not l1d_cache");
}

static void few_are_there(void **state)
{
	// What the kernel names but our table has not is not counted, nor another PMU's.
	make_pmu(*state, PMU, (const char *const[]){"0x8", "0x11", "0x23", NULL});
	make_pmu(*state, PMU "1", (const char *const[]){"0x0", "0x4", NULL});
	check(*state, PROBE_PARTLY, "2 of 5 of some-cpu: inst_retired, cpu_cycles");
}

static void none_is_there(void **state)
{
	check(*state, PROBE_NO, "0 of 5 of some-cpu");
}

static void long_lists_are_cut(void **state)
{
	const struct cpu *n1 = cpu_find("neoverse-n1");
	make_pmu(*state, PMU,
		 (const char *const[]){"0x0", "0x1", "0x2", "0x3", "0x4", "0x5", "0x8", "0x9",
				       "0xa", "0xb", NULL});
	_cleanup_(probe_deinit) struct probe probe = PROBE_INIT;
	assert_no_error(perf_arm_pmu_probe(*state, PMU, n1, &probe));
	assert_non_null(strstr(probe.findings[0].detail, ": sw_incr, "));
	assert_non_null(strstr(probe.findings[0].detail, "inst_retired, exc_taken, ..."));
	assert_null(strstr(probe.findings[0].detail, "exc_return"));
}

static void only_common_events_can_be_missing(void **state)
{
	static const struct event kernel_events[] = {
		{.name = "armv8_pmuv3/cpu_cycles/", .code = 0x11},
		{.name = "armv8_pmuv3/cnt_cycles/", .code = 0x4004},
		{.name = "arm_dsu_0/bus_access/", .code = 0x19},
	};
	const struct event *list[] = {&kernel_events[0], &kernel_events[1], &kernel_events[2]};
	const struct catalog kernel = {.system_events = list, .num_system_events = 3};
	struct perf_arm_events known = perf_arm_events_of(&kernel, NULL);
	static const uint64_t missing[] = {0x00, 0x19, 0x3f, 0x4000, 0x403f};
	static const uint64_t not_missing[] = {0x11, 0x4004, 0x1e, 0x40, 0x70, 0x4040, 0xffff};
	for (size_t i = 0; i < ARRAY_SIZE(missing); i++)
		assert_true(perf_arm_events_lack(&known, missing[i]));
	for (size_t i = 0; i < ARRAY_SIZE(not_missing); i++)
		assert_false(perf_arm_events_lack(&known, not_missing[i]));

	struct perf_arm_events none = perf_arm_events_of(&kernel, "armv8_pmuv3_0");
	assert_false(perf_arm_events_lack(&none, 0x04));
}

static void core_pmus_are_known_by_name(void **state)
{
	static const char *const yes[] = {"armv8_pmuv3", "armv8_pmuv3_0", "armv8_cortex_a57",
					  "armv9_cortex_a510"};
	static const char *const no[] = {"cpu", "arm_spe_0", "arm_dsu_0", "armv8", "software"};
	for (size_t i = 0; i < ARRAY_SIZE(yes); i++)
		assert_true(perf_arm_pmu_is(yes[i]));
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		assert_false(perf_arm_pmu_is(no[i]));
}

int perf_arm_pmu_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_are_there, make_sysfs, remove_sysfs),
		cmocka_unit_test_setup_teardown(few_are_missing, make_sysfs, remove_sysfs),
		cmocka_unit_test_setup_teardown(few_are_there, make_sysfs, remove_sysfs),
		cmocka_unit_test_setup_teardown(none_is_there, make_sysfs, remove_sysfs),
		cmocka_unit_test_setup_teardown(long_lists_are_cut, make_sysfs, remove_sysfs),
		cmocka_unit_test(only_common_events_can_be_missing),
		cmocka_unit_test(core_pmus_are_known_by_name),
	};
	return cmocka_run_group_tests_name("perf_arm_pmu", tests, NULL, NULL);
}
