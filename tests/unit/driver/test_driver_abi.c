// SPDX-License-Identifier: Apache-2.0

// The numbers of the 3.8.0 driver and of our ring, written down a second time and independently of
// the header: who changes one there by mistake breaks every client in the field.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driver/include/wperf_driver.h"

struct number {
	const char *what;
	uint64_t is, must_be;
};

#define SIZE(type, bytes)                         \
	{                                         \
#type, sizeof(struct type), bytes \
	}
#define FIELD(type, field, offset, size)                                             \
	{#type "." #field, offsetof(struct type, field), offset},                    \
	{                                                                            \
		"size of " #type "." #field, sizeof(((struct type *)0)->field), size \
	}
#define NUMBER(name, value)        \
	{                          \
#name, name, value \
	}

static void check(const struct number *numbers, size_t count)
{
	size_t wrong = 0;
	for (size_t i = 0; i < count; i++) {
		if (numbers[i].is == numbers[i].must_be)
			continue;
		print_error("%s is %llu, not %llu\n", numbers[i].what,
			    (unsigned long long)numbers[i].is,
			    (unsigned long long)numbers[i].must_be);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

#define CHECK(numbers) check(numbers, sizeof(numbers) / sizeof((numbers)[0]))

static void test_codes(void **state)
{
	static const struct number codes[] = {
		NUMBER(WPERF_PMU_CTL_START, 0x9C44E400),
		NUMBER(WPERF_PMU_CTL_STOP, 0x9C44E404),
		NUMBER(WPERF_PMU_CTL_RESET, 0x9C44E408),
		NUMBER(WPERF_PMU_CTL_QUERY_HW_CFG, 0x9C44E40C),
		NUMBER(WPERF_PMU_CTL_QUERY_SUPP_EVENTS, 0x9C44E410),
		NUMBER(WPERF_PMU_CTL_QUERY_VERSION, 0x9C44E414),
		NUMBER(WPERF_PMU_CTL_ASSIGN_EVENTS, 0x9C44E418),
		NUMBER(WPERF_PMU_CTL_READ_COUNTING, 0x9C44E41C),
		NUMBER(WPERF_DSU_CTL_INIT, 0x9C44E420),
		NUMBER(WPERF_DSU_CTL_READ_COUNTING, 0x9C44E424),
		NUMBER(WPERF_DMC_CTL_INIT, 0x9C44E428),
		NUMBER(WPERF_DMC_CTL_READ_COUNTING, 0x9C44E42C),
		NUMBER(WPERF_PMU_CTL_SAMPLE_SET_SRC, 0x9C44E430),
		NUMBER(WPERF_PMU_CTL_SAMPLE_START, 0x9C44E434),
		NUMBER(WPERF_PMU_CTL_SAMPLE_STOP, 0x9C44E438),
		NUMBER(WPERF_PMU_CTL_SAMPLE_GET, 0x9C44E43C),
		NUMBER(WPERF_PMU_CTL_LOCK_ACQUIRE, 0x9C44E440),
		NUMBER(WPERF_PMU_CTL_LOCK_RELEASE, 0x9C44E444),
		NUMBER(WPERF_PMU_CTL_SPE_INIT, 0x9C44E448),
		NUMBER(WPERF_PMU_CTL_SPE_GET_SIZE, 0x9C44E44C),
		NUMBER(WPERF_PMU_CTL_SPE_GET_BUFFER, 0x9C44E450),
		NUMBER(WPERF_PMU_CTL_SPE_START, 0x9C44E454),
		NUMBER(WPERF_PMU_CTL_SPE_STOP, 0x9C44E458),
		NUMBER(WPERF_RING_CTL_QUERY, 0x9C44E800),
		NUMBER(WPERF_RING_CTL_START, 0x9C44E804),
		NUMBER(WPERF_RING_CTL_STOP, 0x9C44E808),
		NUMBER(WPERF_RING_CTL_READ, 0x9C44E80C),
		NUMBER(WPERF_RING_CTL_WAIT, 0x9C44E810),
		NUMBER(WPERF_LOSSES_CTL_QUERY, 0x9C44EC00),
	};
	CHECK(codes);
}

static void test_constants(void **state)
{
	static const struct number constants[] = {
		NUMBER(WPERF_MAX_CORES, 128),
		NUMBER(WPERF_MAX_CORE_EVENTS, 128),
		NUMBER(WPERF_MAX_DSU_EVENTS, 32),
		NUMBER(WPERF_MAX_DMC_CLK_EVENTS, 4),
		NUMBER(WPERF_MAX_DMC_CLKDIV2_EVENTS, 8),
		NUMBER(WPERF_MAX_SAMPLES, 128),
		NUMBER(WPERF_MAX_OUTPUT, 40960),
		NUMBER(WPERF_CYCLE_COUNTER, 31),
		NUMBER(WPERF_CYCLE_EVENT, 0xFFFFFFFF),
		NUMBER(WPERF_ALL_CORES, 0xFFFFFFFF),
		NUMBER(WPERF_ALL_DMCS, 255),
		NUMBER(WPERF_FILTER_EXCLUDE_EL1, 0x80000000),
		NUMBER(WPERF_FILTER_EXCLUDE_EL0, 0x40000000),
		NUMBER(WPERF_CONTROL_CORE, 1),
		NUMBER(WPERF_CONTROL_DSU, 2),
		NUMBER(WPERF_CONTROL_DMC, 4),
		NUMBER(WPERF_CONTROL_SPE, 8),
		NUMBER(WPERF_CLASS_CORE, 0),
		NUMBER(WPERF_CLASS_DSU, 1),
		NUMBER(WPERF_CLASS_DMC_CLK, 2),
		NUMBER(WPERF_CLASS_DMC_CLKDIV2, 3),
		NUMBER(WPERF_LOCK_GET, 0),
		NUMBER(WPERF_LOCK_GET_FORCE, 1),
		NUMBER(WPERF_LOCK_RELEASE, 2),
		NUMBER(WPERF_LOCK_IDLE, 0),
		NUMBER(WPERF_LOCK_BUSY, 1),
		NUMBER(WPERF_LOCK_ACQUIRED, 2),
		NUMBER(WPERF_LOCK_INSUFFICIENT_RESOURCES, 3),
		NUMBER(WPERF_LOCK_UNKNOWN_ERROR, 4),
		NUMBER(WPERF_SPE_BRANCH, 1),
		NUMBER(WPERF_SPE_LOAD, 2),
		NUMBER(WPERF_SPE_STORE, 4),
		NUMBER(WPERF_SPE_JITTER, 1),
		NUMBER(WPERF_SPE_TIMESTAMP, 2),
		NUMBER(WPERF_SPE_MIN_LATENCY, 4),
		NUMBER(WPERF_SPE_MIN_LATENCY_SHIFT, 48),
		NUMBER(WPERF_RING_MAX_CALLERS, 128),
		NUMBER(WPERF_RING_VERSION, 1),
		NUMBER(WPERF_RING_TASKS, 1),
		NUMBER(WPERF_RING_CALLERS, 2),
		NUMBER(WPERF_RING_KERNEL, 1),
		NUMBER(WPERF_RING_CUT, 2),
		NUMBER(WPERF_RING_AT_ONCE, 1),
	};
	CHECK(constants);
}

static void test_interface_guid(void **state)
{
	static const struct {
		uint32_t a;
		uint16_t b, c;
		uint8_t d[8];
	} guid = WPERF_INTERFACE_GUID;
	assert_int_equal(guid.a, 0xF8047FDD);
	assert_int_equal(guid.b, 0x7083);
	assert_int_equal(guid.c, 0x4C2E);
	assert_memory_equal(guid.d, "\x90\xEF\xC0\xC7\x3F\x10\x45\xFD", 8);
}

static void test_control_structs(void **state)
{
	static const struct number layout[] = {
		SIZE(wperf_control, 152),
		FIELD(wperf_control, cores_count, 0, 8),
		FIELD(wperf_control, cores_no, 8, 128),
		FIELD(wperf_control, period, 136, 4),
		FIELD(wperf_control, dmc_idx, 140, 1),
		FIELD(wperf_control, flags, 144, 4),
		SIZE(wperf_lock_request, 4),
		FIELD(wperf_lock_request, flag, 0, 4),
		SIZE(wperf_lock_reply, 4),
		FIELD(wperf_lock_reply, status, 0, 4),
		SIZE(wperf_dsu_topology, 4),
		FIELD(wperf_dsu_topology, cluster_num, 0, 2),
		FIELD(wperf_dsu_topology, cluster_size, 2, 2),
		SIZE(wperf_dsu_cfg, 2),
		FIELD(wperf_dsu_cfg, fpc_num, 0, 1),
		FIELD(wperf_dsu_cfg, gpc_num, 1, 1),
		SIZE(wperf_dmc_channels, 8),
		FIELD(wperf_dmc_channels, num, 0, 1),
		SIZE(wperf_dmc_range, 16),
		FIELD(wperf_dmc_range, start, 0, 8),
		FIELD(wperf_dmc_range, end, 8, 8),
		SIZE(wperf_dmc_cfg, 4),
		FIELD(wperf_dmc_cfg, clk_fpc_num, 0, 1),
		FIELD(wperf_dmc_cfg, clk_gpc_num, 1, 1),
		FIELD(wperf_dmc_cfg, clkdiv2_fpc_num, 2, 1),
		FIELD(wperf_dmc_cfg, clkdiv2_gpc_num, 3, 1),
		SIZE(wperf_spe_control, 176),
		FIELD(wperf_spe_control, cores_count, 0, 8),
		FIELD(wperf_spe_control, cores_no, 8, 128),
		FIELD(wperf_spe_control, buffer_size, 136, 8),
		FIELD(wperf_spe_control, operation_filter, 144, 1),
		FIELD(wperf_spe_control, event_filter, 152, 8),
		FIELD(wperf_spe_control, config_flags, 160, 8),
		FIELD(wperf_spe_control, interval, 168, 4),
	};
	CHECK(layout);
}

static void test_identity_structs(void **state)
{
	static const struct number layout[] = {
		SIZE(wperf_hw_cfg, 336),
		FIELD(wperf_hw_cfg, pmu_ver, 0, 1),
		FIELD(wperf_hw_cfg, fpc_num, 1, 1),
		FIELD(wperf_hw_cfg, gpc_num, 2, 1),
		FIELD(wperf_hw_cfg, total_gpc_num, 3, 1),
		FIELD(wperf_hw_cfg, vendor_id, 4, 1),
		FIELD(wperf_hw_cfg, variant_id, 5, 1),
		FIELD(wperf_hw_cfg, arch_id, 6, 1),
		FIELD(wperf_hw_cfg, rev_id, 7, 1),
		FIELD(wperf_hw_cfg, part_id, 8, 2),
		FIELD(wperf_hw_cfg, core_num, 10, 2),
		FIELD(wperf_hw_cfg, midr_value, 16, 8),
		FIELD(wperf_hw_cfg, id_aa64dfr0_value, 24, 8),
		FIELD(wperf_hw_cfg, counter_idx_map, 32, 32),
		FIELD(wperf_hw_cfg, device_id_str, 64, 256),
		FIELD(wperf_hw_cfg, pmbidr_el1_value, 320, 8),
		FIELD(wperf_hw_cfg, pmsidr_el1_value, 328, 8),
		SIZE(wperf_version, 324),
		FIELD(wperf_version, major, 0, 1),
		FIELD(wperf_version, minor, 1, 1),
		FIELD(wperf_version, patch, 2, 1),
		FIELD(wperf_version, gitver, 4, 64),
		FIELD(wperf_version, featurestring, 68, 256),
	};
	CHECK(layout);
}

static void test_counting_structs(void **state)
{
	static const struct number layout[] = {
		SIZE(wperf_event_header, 8),
		FIELD(wperf_event_header, event_class, 0, 4),
		FIELD(wperf_event_header, num, 4, 2),
		SIZE(wperf_event_assign, 16),
		FIELD(wperf_event_assign, core_idx, 0, 4),
		FIELD(wperf_event_assign, dmc_idx, 4, 1),
		FIELD(wperf_event_assign, filter_bits, 8, 8),
		SIZE(wperf_event_count, 32),
		FIELD(wperf_event_count, event_idx, 0, 4),
		FIELD(wperf_event_count, filter_bits, 8, 8),
		FIELD(wperf_event_count, value, 16, 8),
		FIELD(wperf_event_count, scheduled, 24, 8),
		SIZE(wperf_core_counts, 4112),
		FIELD(wperf_core_counts, evt_num, 0, 4),
		FIELD(wperf_core_counts, round, 8, 8),
		FIELD(wperf_core_counts, evts, 16, 4096),
		SIZE(wperf_dsu_counts, 1040),
		FIELD(wperf_dsu_counts, evt_num, 0, 4),
		FIELD(wperf_dsu_counts, round, 8, 8),
		FIELD(wperf_dsu_counts, evts, 16, 1024),
		SIZE(wperf_dmc_counts, 392),
		FIELD(wperf_dmc_counts, clk_events, 0, 128),
		FIELD(wperf_dmc_counts, clkdiv2_events, 128, 256),
		FIELD(wperf_dmc_counts, clk_events_num, 384, 1),
		FIELD(wperf_dmc_counts, clkdiv2_events_num, 385, 1),
	};
	CHECK(layout);
}

static void test_sampling_structs(void **state)
{
	static const struct number layout[] = {
		SIZE(wperf_sample_source, 4),
		FIELD(wperf_sample_source, core_idx, 0, 4),
		SIZE(wperf_sample_event, 12),
		FIELD(wperf_sample_event, event_src, 0, 4),
		FIELD(wperf_sample_event, interval, 4, 4),
		FIELD(wperf_sample_event, filter_bits, 8, 4),
		SIZE(wperf_sample, 32),
		FIELD(wperf_sample, lr, 0, 8),
		FIELD(wperf_sample, pc, 8, 8),
		FIELD(wperf_sample, ov_flags, 16, 8),
		FIELD(wperf_sample, spe_event_idx, 24, 4),
		SIZE(wperf_samples, 4104),
		FIELD(wperf_samples, size, 0, 4),
		FIELD(wperf_samples, samples, 8, 4096),
		SIZE(wperf_sample_summary, 16),
		FIELD(wperf_sample_summary, sample_generated, 0, 8),
		FIELD(wperf_sample_summary, sample_dropped, 8, 8),
	};
	CHECK(layout);
}

static void test_ring_structs(void **state)
{
	static const struct number layout[] = {
		SIZE(wperf_ring_info, 32),
		FIELD(wperf_ring_info, version, 0, 4),
		FIELD(wperf_ring_info, features, 4, 4),
		FIELD(wperf_ring_info, ring_size, 8, 4),
		FIELD(wperf_ring_info, max_callers, 12, 4),
		FIELD(wperf_ring_info, timer_frequency, 16, 8),
		FIELD(wperf_ring_info, timer_now, 24, 8),
		SIZE(wperf_ring_start, 160),
		FIELD(wperf_ring_start, control, 0, 152),
		FIELD(wperf_ring_start, max_callers, 152, 4),
		SIZE(wperf_ring_read, 4),
		FIELD(wperf_ring_read, core_idx, 0, 4),
		SIZE(wperf_ring_answer, 8),
		FIELD(wperf_ring_answer, size, 0, 4),
		FIELD(wperf_ring_answer, left, 4, 4),
		SIZE(wperf_ring_sample, 48),
		FIELD(wperf_ring_sample, size, 0, 2),
		FIELD(wperf_ring_sample, num_callers, 2, 2),
		FIELD(wperf_ring_sample, core, 4, 2),
		FIELD(wperf_ring_sample, flags, 6, 2),
		FIELD(wperf_ring_sample, pid, 8, 4),
		FIELD(wperf_ring_sample, tid, 12, 4),
		FIELD(wperf_ring_sample, time, 16, 8),
		FIELD(wperf_ring_sample, pc, 24, 8),
		FIELD(wperf_ring_sample, lr, 32, 8),
		FIELD(wperf_ring_sample, overflows, 40, 4),
		FIELD(wperf_ring_sample, num_lost, 44, 4),
		SIZE(wperf_ring_wait, 4),
		FIELD(wperf_ring_wait, flags, 0, 4),
		SIZE(wperf_ring_ready, 16),
		FIELD(wperf_ring_ready, cores, 0, 16),
	};
	CHECK(layout);
}

int driver_abi_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_codes),
		cmocka_unit_test(test_constants),
		cmocka_unit_test(test_interface_guid),
		cmocka_unit_test(test_control_structs),
		cmocka_unit_test(test_identity_structs),
		cmocka_unit_test(test_counting_structs),
		cmocka_unit_test(test_sampling_structs),
		cmocka_unit_test(test_ring_structs),
	};
	return cmocka_run_group_tests_name("driver_abi", tests, NULL, NULL);
}
