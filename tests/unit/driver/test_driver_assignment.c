// SPDX-License-Identifier: Apache-2.0

// WPERF_PMU_CTL_ASSIGN_EVENTS from clients that cannot count, or do not mean well.

#include "tests/unit/sim_fixture.h"

static struct sim *create_locked(const struct sim_config *config)
{
	struct sim *sim = create_sim(config);
	take_lock(sim, ALICE);
	return sim;
}

// What is refused must change nothing at all, not even the classes before the bad one.
static void expect_bytes(struct sim *sim, const void *bytes, size_t size, enum driver_status status)
{
	// All but the buffers of SPE, which are large.
	size_t length = offsetof(struct sim, spe_memory);
	void *before = malloc(length);
	memcpy(before, sim, length);
	struct answer answer = ask_sized(sim, ALICE, WPERF_PMU_CTL_ASSIGN_EVENTS, bytes, size, 16);
	assert_int_equal(answer.status, status);
	assert_int_equal(answer.size, 0);
	assert_false(answer.out_touched);
	if (status != DRIVER_OK)
		assert_int_equal(memcmp(before, sim, length), 0);
	free(before);
}

static void expect(struct sim *sim, const struct assign_request *request, enum driver_status status)
{
	expect_bytes(sim, request->bytes, request->size, status);
}

static void test_number_of_events(void **state)
{
	static const struct {
		uint32_t event_class;
		uint16_t max;
	} cases[] = {
		{WPERF_CLASS_CORE, 127},
		{WPERF_CLASS_DSU, 31},
		{WPERF_CLASS_DMC_CLK, 2},
		{WPERF_CLASS_DMC_CLKDIV2, 8},
	};
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	static const uint16_t events[300];
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (uint16_t num = 0; num < 300; num++) {
			struct assign_request request = assign_begin(WPERF_ALL_CORES, 255, 0);
			assign_add(&request, cases[i].event_class, events, num);
			expect(sim, &request,
			       num <= cases[i].max ? DRIVER_OK : DRIVER_INVALID_PARAMETER);
		}
	}
	free(sim);
}

static void test_event_numbers(void **state)
{
	static const struct {
		uint8_t pmu_version;
		uint32_t event_class;
		uint16_t event;
		enum driver_status status;
	} cases[] = {
		{4, WPERF_CLASS_CORE, 0xffff, DRIVER_OK},
		{1, WPERF_CLASS_CORE, 0x3ff, DRIVER_OK},
		{1, WPERF_CLASS_CORE, 0x400, DRIVER_INVALID_PARAMETER}, // another would be counted
		{1, WPERF_CLASS_DSU, 0xffff, DRIVER_OK},
		{4, WPERF_CLASS_DMC_CLK, 2, DRIVER_OK},
		{4, WPERF_CLASS_DMC_CLK, 3, DRIVER_INVALID_PARAMETER},
		{4, WPERF_CLASS_DMC_CLKDIV2, 25, DRIVER_OK},
		{4, WPERF_CLASS_DMC_CLKDIV2, 26, DRIVER_INVALID_PARAMETER},
		{4, WPERF_CLASS_DMC_CLKDIV2, 0xffff, DRIVER_INVALID_PARAMETER},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sim_config config = full_machine();
		config.pmu_version = cases[i].pmu_version;
		struct sim *sim = create_locked(&config);
		static const uint16_t good = 0x11;
		struct assign_request request = assign_begin(WPERF_ALL_CORES, 255, 0);
		if (cases[i].event_class != WPERF_CLASS_CORE)
			assign_add(&request, WPERF_CLASS_CORE, &good, 1);
		assign_add(&request, cases[i].event_class, &cases[i].event, 1);
		expect(sim, &request, cases[i].status);
		free(sim);
	}
}

static void test_classes(void **state)
{
	static const uint32_t unknown[] = {4, 5, 0x100, 0x80000000, UINT32_MAX};
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		struct assign_request request = assign_begin(WPERF_ALL_CORES, 255, 0);
		assign_add(&request, unknown[i], NULL, 0);
		expect(sim, &request, DRIVER_INVALID_PARAMETER);
	}
	for (uint32_t event_class = 0; event_class < 4; event_class++) {
		struct assign_request request = assign_begin(WPERF_ALL_CORES, 255, 0);
		assign_add(&request, event_class, NULL, 0);
		expect(sim, &request, DRIVER_OK);
		assign_add(&request, event_class, NULL, 0); // twice
		expect(sim, &request, DRIVER_INVALID_PARAMETER);
	}
	free(sim);
}

// Cut at every byte; and more events announced than there are.
static void test_lengths(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	static const uint16_t events[] = {1, 2, 3};
	struct assign_request request = assign_begin(WPERF_ALL_CORES, 255, 0);
	assign_add(&request, WPERF_CLASS_CORE, events, 3);
	assign_add(&request, WPERF_CLASS_DSU, events, 2);
	for (size_t size = 1; size <= request.size; size++) {
		bool is_whole = size == 16 || size == 30 || size == request.size;
		expect_bytes(sim, request.bytes, size,
			     is_whole ? DRIVER_OK : DRIVER_INVALID_PARAMETER);
	}
	static const uint16_t lies[] = {3, 127, 128, 0x7fff, 0x8000, 0xffff};
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		memcpy(request.bytes + 34, &lies[i], sizeof(lies[i]));
		expect(sim, &request, DRIVER_INVALID_PARAMETER);
	}
	free(sim);
}

static void test_core_index(void **state)
{
	static const struct {
		uint32_t core;
		enum driver_status status;
	} cases[] = {
		{0, DRIVER_OK},
		{3, DRIVER_OK},
		{4, DRIVER_INVALID_PARAMETER},
		{128, DRIVER_INVALID_PARAMETER},
		{0x80000000, DRIVER_INVALID_PARAMETER},
		{WPERF_ALL_CORES - 1, DRIVER_INVALID_PARAMETER},
		{WPERF_ALL_CORES, DRIVER_OK},
	};
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (uint32_t event_class = 0; event_class < 4; event_class++) {
			static const uint16_t event = 1;
			struct assign_request request = assign_begin(cases[i].core, 0, 0);
			assign_add(&request, event_class, &event, 1);
			expect(sim, &request, cases[i].status);
		}
	}
	free(sim);
}

static void test_dmc_index(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	for (unsigned index = 0; index < 256; index++) {
		enum driver_status status =
			index < 3 || index == 255 ? DRIVER_OK : DRIVER_INVALID_PARAMETER;
		for (uint32_t event_class = 0; event_class < 4; event_class++) {
			struct assign_request request = assign_begin(0, (uint8_t)index, 0);
			assign_add(&request, event_class, NULL, 0);
			expect(sim, &request,
			       event_class >= WPERF_CLASS_DMC_CLK ? status : DRIVER_OK);
		}
	}
	free(sim);
}

static void test_filter_bits(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	for (unsigned bit = 0; bit < 64; bit++) {
		struct assign_request request = assign_begin(0, 0, UINT64_C(1) << bit);
		assign_add(&request, WPERF_CLASS_CORE, NULL, 0);
		expect(sim, &request,
		       bit == 31 || bit == 30 ? DRIVER_OK : DRIVER_INVALID_PARAMETER);
	}
	struct assign_request nowhere =
		assign_begin(0, 0, WPERF_FILTER_EXCLUDE_EL1 | WPERF_FILTER_EXCLUDE_EL0);
	assign_add(&nowhere, WPERF_CLASS_CORE, NULL, 0);
	expect(sim, &nowhere, DRIVER_INVALID_PARAMETER);
	free(sim);
}

static void test_missing_units(void **state)
{
	struct sim_config config = full_machine();
	config.dsu_clusters = config.dmc_channels = 0;
	struct sim *sim = create_locked(&config);
	for (uint32_t event_class = 0; event_class < 4; event_class++) {
		struct assign_request request = assign_begin(0, 0, 0);
		assign_add(&request, event_class, NULL, 0);
		expect(sim, &request, event_class == 0 ? DRIVER_OK : DRIVER_NOT_SUPPORTED);
	}
	free(sim);
}

// The most that a client can ask for, all of it answered.
static void test_everything(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	uint16_t events[127];
	for (uint16_t i = 0; i < 127; i++)
		events[i] = (uint16_t)(i + 1000);
	static const uint16_t few[8] = {0, 1, 2};
	struct assign_request request = assign_begin(WPERF_ALL_CORES, 255, 0);
	assign_add(&request, WPERF_CLASS_CORE, events, 127);
	assign_add(&request, WPERF_CLASS_DSU, events, 31);
	assign_add(&request, WPERF_CLASS_DMC_CLK, few, 2);
	assign_add(&request, WPERF_CLASS_DMC_CLKDIV2, few, 8);
	expect(sim, &request, DRIVER_OK);
	for (unsigned core = 0; core < 4; core++) {
		struct wperf_core_counts counts = read_core(sim, core);
		assert_int_equal(counts.evt_num, 128);
		assert_int_equal(counts.evts[127].event_idx, 1126);
		struct wperf_dsu_counts dsu_counts = read_dsu(sim, core);
		assert_int_equal(dsu_counts.evt_num, 32);
		assert_int_equal(dsu_counts.evts[31].event_idx, 1030);
	}
	struct wperf_dmc_counts dmc_counts = read_dmc(sim, 2);
	assert_int_equal(dmc_counts.clk_events_num, 2);
	assert_int_equal(dmc_counts.clkdiv2_events_num, 8);
	free(sim);
}

int driver_assignment_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_number_of_events), cmocka_unit_test(test_event_numbers),
		cmocka_unit_test(test_classes),          cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_core_index),       cmocka_unit_test(test_dmc_index),
		cmocka_unit_test(test_filter_bits),      cmocka_unit_test(test_missing_units),
		cmocka_unit_test(test_everything),
	};
	return cmocka_run_group_tests_name("driver_assignment", tests, NULL, NULL);
}
