// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/event_attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

#include <linux/perf_event.h>
#include <string.h>

static void test_names(void **state)
{
	static const struct {
		uint32_t type;
		uint64_t config;
		const char *name;
	} cases[] = {
		{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, "cycles"},
		{PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, "branch-misses"},
		{PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, "ref-cycles"},
		{PERF_TYPE_HARDWARE, 10, "pmu0:0xa"},
		{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "cpu-clock"},
		{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS, "emulation-faults"},
		{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CGROUP_SWITCHES, "cgroup-switches"},
		{PERF_TYPE_RAW, 0x1b, "raw:0x1b"},
		{UINT32_MAX, UINT64_MAX, "pmu4294967295:0xffffffffffffffff"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct perf_event_attr attr = {.type = cases[i].type, .config = cases[i].config};
		char buffer[EVENT_ATTR_NAME_MAX];
		assert_string_equal(event_attr_name((const uint8_t *)&attr, sizeof(attr), buffer),
				    cases[i].name);
	}
}

// The offsets are those of the kernel's header.
static void test_format(void **state)
{
	struct perf_event_attr attr = {
		.sample_type = 1,
		.read_format = 2,
		.branch_sample_type = 3,
		.sample_regs_user = 4,
		.sample_regs_intr = 5,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = 4,
	};
	const uint8_t *bytes = (const uint8_t *)&attr;
	struct perf_format format = event_attr_format(bytes, sizeof(attr));
	assert_int_equal(format.sample_type, 1);
	assert_int_equal(format.read_format, 2);
	assert_int_equal(format.branch_sample_type, 3);
	assert_int_equal(format.regs_user, 4);
	assert_int_equal(format.regs_intr, 5);
	assert_true(format.sample_id_all);
	assert_int_equal(event_attr_clock(bytes, sizeof(attr)), 4);

	format = event_attr_format(bytes, PERF_ATTR_SIZE_VER0);
	assert_int_equal(format.sample_type, 1);
	assert_int_equal(format.branch_sample_type, 0);
	assert_int_equal(format.regs_intr, 0);
	attr.sample_id_all = attr.use_clockid = 0;
	assert_false(event_attr_format(bytes, sizeof(attr)).sample_id_all);
	assert_int_equal(event_attr_clock(bytes, sizeof(attr)), 0);
}

static void test_clock(void **state)
{
	uint8_t bytes[256] = {0};
	uint32_t size = event_attr_set_clock(bytes, 99, 1);
	struct perf_event_attr attr;
	memcpy(&attr, bytes, sizeof(bytes) < sizeof(attr) ? sizeof(bytes) : sizeof(attr));
	assert_int_equal(attr.size, size);
	assert_int_equal(attr.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(attr.config, PERF_COUNT_SW_CPU_CLOCK);
	assert_true(attr.freq && attr.exclude_kernel && attr.exclude_hv && attr.sample_id_all);
	assert_true(attr.use_clockid);
	assert_int_equal(attr.clockid, 1);
	assert_int_equal(attr.sample_freq, 99);
	assert_true(event_attr_is_clock(bytes, size));
}

static void test_raw(void **state)
{
	uint8_t bytes[256] = {0};
	const struct event_attr_raw raw = {
		.code = 0x1b, .period = 100000, .excludes_kernel = true, .clock = 1};
	uint32_t size = event_attr_set_raw(bytes, &raw);
	struct perf_event_attr attr;
	memcpy(&attr, bytes, sizeof(bytes) < sizeof(attr) ? sizeof(bytes) : sizeof(attr));
	assert_int_equal(attr.size, size);
	assert_int_equal(attr.type, PERF_TYPE_RAW);
	assert_int_equal(attr.config, 0x1b);
	assert_int_equal(attr.sample_period, 100000);
	assert_true(attr.exclude_kernel && attr.exclude_hv && attr.sample_id_all);
	assert_false(attr.exclude_user || attr.freq);
	assert_true(attr.use_clockid && attr.clockid == 1);
	assert_true(attr.sample_type & PERF_SAMPLE_CALLCHAIN);
}

int event_attr_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_raw),
	};
	return cmocka_run_group_tests_name("event_attr", tests, NULL, NULL);
}
