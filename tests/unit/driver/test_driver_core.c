// SPDX-License-Identifier: Apache-2.0

// What the core accepts as a machine, and what it tells the holder of the lock about it.

#include "tests/unit/sim_fixture.h"

#include "driver/core/request.h"

static struct sim *create_locked_sim(const struct sim_config *config)
{
	struct sim *sim = create_sim(config);
	take_lock(sim, ALICE);
	return sim;
}

static struct wperf_hw_cfg query_hw_cfg(struct sim *sim)
{
	uint32_t any = 0x903;
	struct answer answer = ask(sim, ALICE, WPERF_PMU_CTL_QUERY_HW_CFG, &any, sizeof(any));
	assert_int_equal(answer.status, DRIVER_OK);
	assert_int_equal(answer.size, sizeof(struct wperf_hw_cfg));
	struct wperf_hw_cfg hw_cfg;
	memcpy(&hw_cfg, answer.bytes, sizeof(hw_cfg));
	return hw_cfg;
}

static struct wperf_hw_cfg hw_cfg_of(const struct sim_config *config)
{
	struct sim *sim = create_locked_sim(config);
	struct wperf_hw_cfg hw_cfg = query_hw_cfg(sim);
	free(sim);
	return hw_cfg;
}

static void assert_wide_text(const uint16_t *text, size_t size, const char *expected)
{
	char narrow[256] = "";
	for (size_t i = 0; i < size && text[i]; i++)
		narrow[i] = (char)text[i];
	assert_string_equal(narrow, expected);
	for (size_t i = strlen(expected); i < size; i++)
		assert_int_equal(text[i], 0);
}

static void test_hw_cfg_identity(void **state)
{
	struct sim_config config = full_machine();
	config.midr = 0x4a5b6c7d;
	struct wperf_hw_cfg hw_cfg = hw_cfg_of(&config);
	assert_int_equal(hw_cfg.midr_value, 0x4a5b6c7d);
	assert_int_equal(hw_cfg.vendor_id, 0x4a);
	assert_int_equal(hw_cfg.variant_id, 0x5);
	assert_int_equal(hw_cfg.arch_id, 0xb);
	assert_int_equal(hw_cfg.part_id, 0x6c7);
	assert_int_equal(hw_cfg.rev_id, 0xd);
	assert_int_equal(hw_cfg.core_num, 4);
	assert_int_equal(hw_cfg.pmu_ver, 4);
	assert_int_equal(hw_cfg.id_aa64dfr0_value, 0x110305408);
	assert_int_equal(hw_cfg.fpc_num, 1);
}

static void test_hw_cfg_counters(void **state)
{
	static const struct {
		unsigned counters, busy;
		uint8_t map[32];
	} cases[] = {
		{6, 0, {0, 1, 2, 3, 4, 5, [31] = 31}},
		{6, 2, {2, 3, 4, 5, [31] = 31}},
		{6, 6, {[31] = 31}},
		{0, 0, {[31] = 31}},
		{30, 29, {29, [31] = 31}},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sim_config config = full_machine();
		config.counters = cases[i].counters;
		config.busy_counters = cases[i].busy;
		struct wperf_hw_cfg hw_cfg = hw_cfg_of(&config);
		assert_int_equal(hw_cfg.total_gpc_num, cases[i].counters);
		assert_int_equal(hw_cfg.gpc_num, cases[i].counters - cases[i].busy);
		assert_memory_equal(hw_cfg.counter_idx_map, cases[i].map, 32);
	}
}

static void test_hw_cfg_all_counters_free(void **state)
{
	struct sim_config config = full_machine();
	config.counters = 30;
	struct wperf_hw_cfg hw_cfg = hw_cfg_of(&config);
	assert_int_equal(hw_cfg.gpc_num, 30);
	for (unsigned i = 0; i < 30; i++)
		assert_int_equal(hw_cfg.counter_idx_map[i], i);
	assert_int_equal(hw_cfg.counter_idx_map[30], 0); // counts cycles
	assert_int_equal(hw_cfg.counter_idx_map[31], 31);
}

static void test_hw_cfg_scattered_counters(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked_sim(&config);
	struct driver_config driver_config = sim->core.config;
	struct driver_registers registers = sim->core.registers;
	// Of seven counters: 1, 3 and 5, and 6 for cycles.
	driver_config.free_counters = 0xFFFFFF6A;
	assert_int_equal(driver_core_init(&sim->core, &driver_config, &registers), DRIVER_OK);
	take_lock(sim, ALICE);
	struct wperf_hw_cfg hw_cfg = query_hw_cfg(sim);
	assert_int_equal(hw_cfg.gpc_num, 3);
	static const uint8_t map[32] = {1, 3, 5, [31] = 31};
	assert_memory_equal(hw_cfg.counter_idx_map, map, sizeof(map));
	free(sim);
}

static void test_hw_cfg_device_id(void **state)
{
	static const struct {
		unsigned dsu_clusters, dmc_channels;
		const char *text;
	} cases[] = {
		{2, 3, "core.stat=core;core.sample=core;dsu.stat=dsu;dmc.stat=dmc_clk,dmc_clkdiv2"},
		{2, 0, "core.stat=core;core.sample=core;dsu.stat=dsu"},
		{0, 1, "core.stat=core;core.sample=core;dmc.stat=dmc_clk,dmc_clkdiv2"},
		{0, 0, "core.stat=core;core.sample=core"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sim_config config = full_machine();
		config.dsu_clusters = cases[i].dsu_clusters;
		config.dmc_channels = cases[i].dmc_channels;
		struct wperf_hw_cfg hw_cfg = hw_cfg_of(&config);
		assert_wide_text(hw_cfg.device_id_str, WPERF_DEVICE_ID_SIZE, cases[i].text);
	}
}

static void test_hw_cfg_spe(void **state)
{
	struct sim_config config = full_machine();
	struct wperf_hw_cfg hw_cfg = hw_cfg_of(&config);
	assert_int_not_equal(hw_cfg.pmbidr_el1_value, 0);
	assert_int_not_equal(hw_cfg.pmsidr_el1_value, 0);
	config.spe = false;
	hw_cfg = hw_cfg_of(&config); // fails if a register is touched that is not there
	assert_int_equal(hw_cfg.pmbidr_el1_value, 0);
	assert_int_equal(hw_cfg.pmsidr_el1_value, 0);
	assert_int_equal(hw_cfg.id_aa64dfr0_value, 0x10305408);
}

// Where only some CPUs have it, these are profiled, and the others say that they cannot be.
static void test_spe_is_of_each_cpu(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_sim(&config);
	sim->registers[0][DRIVER_ID_AA64DFR0_EL1] &= UINT32_MAX; // PMSVer
	sim->registers[2][DRIVER_PMBIDR_EL1] |= 1 << 4;          // P: another one's
	sim->registers[0][DRIVER_PMSIDR_EL1] = 0;
	struct driver_config driver_config = sim->core.config;
	struct driver_registers registers = sim->core.registers;
	assert_int_equal(driver_core_init(&sim->core, &driver_config, &registers), DRIVER_OK);
	take_lock(sim, ALICE);
	assert_int_not_equal(query_hw_cfg(sim).pmsidr_el1_value, 0);
	for (unsigned cpu = 0; cpu < config.num_cores; cpu++) {
		struct wperf_spe_control start = {.cores_count = 1, .cores_no = {(uint8_t)cpu}};
		bool has_spe = cpu == 1 || cpu == 3;
		assert_int_equal(ask_sized(sim, ALICE, WPERF_PMU_CTL_SPE_START, &start,
					   sizeof(start), 0)
					 .status,
				 has_spe ? DRIVER_OK : DRIVER_NOT_SUPPORTED);
	}
	free(sim);
}

// Wanted, but the CPUs have none; and there, but not wanted.
static void test_spe_needs_both(void **state)
{
	struct sim_config config = full_machine();
	config.spe = false;
	struct sim *sim = create_sim(&config);
	struct driver_config driver_config = sim->core.config;
	struct driver_registers registers = sim->core.registers;
	driver_config.spe = true;
	assert_int_equal(driver_core_init(&sim->core, &driver_config, &registers), DRIVER_OK);
	take_lock(sim, ALICE);
	assert_int_equal(query_hw_cfg(sim).pmsidr_el1_value, 0);
	free(sim);

	config.spe = true;
	sim = create_sim(&config);
	driver_config = sim->core.config;
	registers = sim->core.registers;
	driver_config.spe = false;
	assert_int_equal(driver_core_init(&sim->core, &driver_config, &registers), DRIVER_OK);
	take_lock(sim, ALICE);
	assert_int_equal(query_hw_cfg(sim).pmsidr_el1_value, 0);
	free(sim);
}

static void test_cpus_of_two_kinds(void **state)
{
	struct sim_config config = full_machine();
	config.core_midr[3] = 0x410fd0f1;
	struct sim *sim = create_sim(&config);
	sim->registers[3][DRIVER_PMCR_EL0] = 5 << 11;
	sim->registers[2][DRIVER_PMCEID0_EL0] = 1 << 0x11 | 1 << 0x12;
	struct driver_config driver_config = sim->core.config;
	struct driver_registers registers = sim->core.registers;
	assert_int_equal(driver_core_init(&sim->core, &driver_config, &registers), DRIVER_OK);
	take_lock(sim, ALICE);
	struct wperf_hw_cfg hw_cfg = query_hw_cfg(sim);
	assert_int_equal(hw_cfg.midr_value, NEOVERSE_N1);
	assert_int_equal(hw_cfg.total_gpc_num, 4);
	assert_int_equal(hw_cfg.gpc_num, 4);

	uint32_t any = 0;
	struct answer answer = ask(sim, ALICE, WPERF_PMU_CTL_QUERY_SUPP_EVENTS, &any, sizeof(any));
	static const uint16_t common[] = {0, 0, 4, 0, 0x11, 0x20, 0x3f, 0x403f};
	assert_memory_equal(answer.bytes, common, sizeof(common));
	free(sim);
}

// Class 0 with six events, class 1 with nine, 2 with three, 3 with 26; as halfwords, since the
// headers are not aligned to more.
static const uint16_t core_events[] = {0, 0, 6, 0, 0, 0x11, 0x20, 0x3f, 0x4000, 0x403f};
static const uint16_t dsu_events[] = {1,    0,    9,    0,    0x11, 0x19, 0x1a,
				      0x1d, 0x1e, 0x29, 0x2a, 0x2b, 0x2c};
static const uint16_t dmc_events[] = {2,  0,  3,  0,  0,  1,  2,  3,  0,  26, 0,  0,  1,
				      2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
				      15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25};

static void check_supported_events(bool dsu, bool dmc)
{
	uint8_t expected[4096];
	size_t size = 0;
	memcpy(expected, core_events, sizeof(core_events));
	size += sizeof(core_events);
	if (dsu) {
		memcpy(expected + size, dsu_events, sizeof(dsu_events));
		size += sizeof(dsu_events);
	}
	if (dmc) {
		memcpy(expected + size, dmc_events, sizeof(dmc_events));
		size += sizeof(dmc_events);
	}
	struct sim_config config = full_machine();
	config.dsu_clusters = dsu ? 2 : 0;
	config.dmc_channels = dmc ? 3 : 0;
	struct sim *sim = create_locked_sim(&config);
	uint32_t any = 0x904;
	struct answer answer = ask(sim, ALICE, WPERF_PMU_CTL_QUERY_SUPP_EVENTS, &any, sizeof(any));
	assert_int_equal(answer.status, DRIVER_OK);
	assert_int_equal(answer.size, size);
	assert_memory_equal(answer.bytes, expected, size);

	answer = ask_sized(sim, ALICE, WPERF_PMU_CTL_QUERY_SUPP_EVENTS, &any, sizeof(any), size);
	assert_int_equal(answer.status, DRIVER_OK);
	for (size_t small = 0; small < size; small++) {
		answer = ask_sized(sim, ALICE, WPERF_PMU_CTL_QUERY_SUPP_EVENTS, &any, sizeof(any),
				   small);
		assert_int_equal(answer.status, DRIVER_INSUFFICIENT_RESOURCES);
		assert_false(answer.out_touched);
	}
	free(sim);
}

static void test_supported_events(void **state)
{
	check_supported_events(true, true);
	check_supported_events(true, false);
	check_supported_events(false, true);
	check_supported_events(false, false);
}

static void test_supported_events_extremes(void **state)
{
	struct sim_config config = full_machine();
	config.dsu_clusters = config.dmc_channels = 0;
	config.common_events = config.extended_events = UINT64_MAX;
	struct sim *sim = create_locked_sim(&config);
	uint32_t any = 0;
	struct answer answer = ask(sim, ALICE, WPERF_PMU_CTL_QUERY_SUPP_EVENTS, &any, sizeof(any));
	assert_int_equal(answer.size, 8 + 128 * 2);
	free(sim);

	config.common_events = config.extended_events = 0;
	sim = create_locked_sim(&config);
	answer = ask(sim, ALICE, WPERF_PMU_CTL_QUERY_SUPP_EVENTS, &any, sizeof(any));
	assert_int_equal(answer.status, DRIVER_OK);
	assert_int_equal(answer.size, 8);
	free(sim);
}

static void test_supported_events_everything(void **state)
{
	struct sim_config config = full_machine();
	config.common_events = config.extended_events = UINT64_MAX;
	struct sim *sim = create_locked_sim(&config);
	for (unsigned cpu = 0; cpu < config.num_cores; cpu++) {
		sim->registers[cpu][DRIVER_CLUSTERPMCEID0_EL1] = UINT64_MAX;
		sim->registers[cpu][DRIVER_CLUSTERPMCEID1_EL1] = UINT64_MAX;
	}
	uint32_t any = 0;
	struct answer answer = ask(sim, ALICE, WPERF_PMU_CTL_QUERY_SUPP_EVENTS, &any, sizeof(any));
	assert_int_equal(answer.status, DRIVER_OK);
	assert_int_equal(answer.size, 4 * 8 + (128 + 64 + 3 + 26) * 2);
	free(sim);
}

static void test_version(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked_sim(&config);
	struct wperf_version version = {.major = 99};
	struct answer answer =
		ask(sim, ALICE, WPERF_PMU_CTL_QUERY_VERSION, &version, sizeof(version));
	assert_int_equal(answer.status, DRIVER_OK);
	assert_int_equal(answer.size, sizeof(version));
	memcpy(&version, answer.bytes, sizeof(version));
	assert_int_equal(version.major, 3);
	assert_int_equal(version.minor, 8);
	assert_int_equal(version.patch, 0);
	assert_wide_text(version.gitver, WPERF_GIT_VERSION_SIZE, "0000000-sim");
	assert_wide_text(version.featurestring, WPERF_FEATURE_STRING_SIZE, "+spe");
	free(sim);
}

static void test_version_texts(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_sim(&config);
	struct driver_config driver_config = sim->core.config;
	struct driver_registers registers = sim->core.registers;
	driver_config.git_version = "1234567890123456789012345678901"; // 31: just fits
	driver_config.features = "\xc3\xa9";
	assert_int_equal(driver_core_init(&sim->core, &driver_config, &registers), DRIVER_OK);
	take_lock(sim, ALICE);
	struct wperf_version version = {.major = 0};
	struct answer answer =
		ask(sim, ALICE, WPERF_PMU_CTL_QUERY_VERSION, &version, sizeof(version));
	memcpy(&version, answer.bytes, sizeof(version));
	assert_wide_text(version.gitver, WPERF_GIT_VERSION_SIZE, driver_config.git_version);
	assert_wide_text(version.featurestring, WPERF_FEATURE_STRING_SIZE, "\?\?");
	free(sim);
}

static void test_dsu_init(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked_sim(&config);
	struct wperf_dsu_topology topology = {.cluster_num = 2, .cluster_size = 2};
	struct answer answer = ask(sim, ALICE, WPERF_DSU_CTL_INIT, &topology, sizeof(topology));
	assert_int_equal(answer.status, DRIVER_OK);
	assert_int_equal(answer.size, 2);
	assert_int_equal(answer.bytes[0], 1);
	assert_int_equal(answer.bytes[1], 6);

	sim->registers[2][DRIVER_CLUSTERPMCR_EL1] = 4 << 11; // the second cluster
	answer = ask(sim, ALICE, WPERF_DSU_CTL_INIT, &topology, sizeof(topology));
	assert_int_equal(answer.bytes[1], 4);
	free(sim);
}

static void test_dsu_init_of_another_machine(void **state)
{
	static const struct wperf_dsu_topology others[] = {
		{0, 0}, {2, 0}, {0, 2}, {1, 4}, {4, 1}, {65535, 65535},
	};
	struct sim_config config = full_machine();
	struct sim *sim = create_locked_sim(&config);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct answer answer =
			ask(sim, ALICE, WPERF_DSU_CTL_INIT, &others[i], sizeof(others[i]));
		assert_int_equal(answer.status, DRIVER_INVALID_PARAMETER);
		assert_false(answer.out_touched);
	}
	free(sim);

	config.dsu_clusters = 0;
	sim = create_locked_sim(&config);
	struct wperf_dsu_topology topology = {.cluster_num = 2, .cluster_size = 2};
	struct answer answer = ask(sim, ALICE, WPERF_DSU_CTL_INIT, &topology, sizeof(topology));
	assert_int_equal(answer.status, DRIVER_NOT_SUPPORTED);
	free(sim);
}

struct dmc_init {
	struct wperf_dmc_channels channels;
	struct wperf_dmc_range ranges[256];
};

static void test_dmc_init(void **state)
{
	static const struct {
		uint8_t num;
		size_t num_ranges;
		enum driver_status status;
	} cases[] = {
		{3, 3, DRIVER_OK},
		{0, 0, DRIVER_INVALID_PARAMETER},
		{2, 2, DRIVER_INVALID_PARAMETER},
		{4, 4, DRIVER_INVALID_PARAMETER},
		{3, 2, DRIVER_INVALID_PARAMETER},
		{3, 4, DRIVER_INVALID_PARAMETER},
		{255, 3, DRIVER_INVALID_PARAMETER},
		{3, 256, DRIVER_INVALID_PARAMETER},
		{0, 256, DRIVER_INVALID_PARAMETER}, // 256 does not fit into num
	};
	struct sim_config config = full_machine();
	struct sim *sim = create_locked_sim(&config);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct dmc_init init = {.channels.num = cases[i].num};
		init.ranges[0] = (struct wperf_dmc_range){.start = UINT64_MAX, .end = 0};
		size_t size = sizeof(init.channels) + cases[i].num_ranges * sizeof(init.ranges[0]);
		struct answer answer = ask(sim, ALICE, WPERF_DMC_CTL_INIT, &init, size);
		assert_int_equal(answer.status, cases[i].status);
		if (answer.status != DRIVER_OK)
			continue;
		assert_int_equal(answer.size, 4);
		static const uint8_t counters[] = {0, 2, 0, 8};
		assert_memory_equal(answer.bytes, counters, sizeof(counters));
	}
	free(sim);
}

static void test_dmc_init_without_dmc(void **state)
{
	struct sim_config config = full_machine();
	config.dmc_channels = 0;
	struct sim *sim = create_locked_sim(&config);
	struct dmc_init init = {.channels.num = 1};
	struct answer answer = ask(sim, ALICE, WPERF_DMC_CTL_INIT, &init, 24);
	assert_int_equal(answer.status, DRIVER_NOT_SUPPORTED);
	init.channels.num = 0;
	answer = ask(sim, ALICE, WPERF_DMC_CTL_INIT, &init, 8);
	assert_int_equal(answer.status, DRIVER_NOT_SUPPORTED);
	free(sim);
}

static void test_init_refuses_bad_config(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_sim(&config);
	const struct driver_config good = sim->core.config;
	struct driver_config bad[] = {good, good, good, good, good, good, good, good, good, good};
	bad[0].num_cores = 0;
	bad[1].num_cores = WPERF_MAX_CORES + 1;
	bad[2].dsu_cluster_size = 0;
	bad[3].dsu_cluster_size = 3;
	bad[4].dsu_clusters = UINT32_MAX;
	bad[5].dmc_channels = WPERF_ALL_DMCS;
	bad[6].git_version = "12345678901234567890123456789012"; // 32: no room for the zero
	bad[7].git_version = NULL;
	bad[8].features = NULL;
	bad[9].dsu_cluster_size = UINT32_MAX;
	struct driver_registers registers = sim->core.registers;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(driver_core_init(&sim->core, &bad[i], &registers),
				 DRIVER_INVALID_PARAMETER);
	assert_int_equal(driver_core_init(&sim->core, &good, &registers), DRIVER_OK);
	free(sim);
}

static void test_init_needs_a_pmu(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_sim(&config);
	const struct driver_config driver_config = sim->core.config;
	struct driver_registers registers = sim->core.registers;
	static const uint64_t no_pmu[] = {0x110305008, 0x110305f08};
	for (size_t i = 0; i < 2; i++) {
		sim->registers[3][DRIVER_ID_AA64DFR0_EL1] = no_pmu[i];
		assert_int_equal(driver_core_init(&sim->core, &driver_config, &registers),
				 DRIVER_NOT_SUPPORTED);
	}
	free(sim);
}

static void test_statuses(void **state)
{
	static const struct {
		enum driver_status status;
		uint32_t win32_error;
		const char *name;
	} statuses[] = {
		{DRIVER_OK, 0, "success"},
		{DRIVER_INVALID_PARAMETER, 87, "invalid parameter"},
		{DRIVER_INVALID_BLOCK_LENGTH, 1106, "invalid block length"},
		{DRIVER_INVALID_DEVICE_STATE, 22, "invalid device state"},
		{DRIVER_BUFFER_OVERFLOW, 0xEA, "buffer overflow"},
		{DRIVER_INSUFFICIENT_RESOURCES, 1450, "insufficient resources"},
		{DRIVER_NOT_SUPPORTED, 50, "not supported"},
		{NUM_DRIVER_STATUSES, 31, "unknown status"},
		{(enum driver_status) - 1, 31, "unknown status"},
	};
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		enum driver_status status = statuses[i].status;
		assert_int_equal(driver_status_win32_error(status), statuses[i].win32_error);
		assert_string_equal(driver_status_name(status), statuses[i].name);
	}
}

int driver_core_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hw_cfg_identity),
		cmocka_unit_test(test_hw_cfg_counters),
		cmocka_unit_test(test_hw_cfg_all_counters_free),
		cmocka_unit_test(test_hw_cfg_scattered_counters),
		cmocka_unit_test(test_hw_cfg_device_id),
		cmocka_unit_test(test_hw_cfg_spe),
		cmocka_unit_test(test_spe_is_of_each_cpu),
		cmocka_unit_test(test_spe_needs_both),
		cmocka_unit_test(test_cpus_of_two_kinds),
		cmocka_unit_test(test_supported_events),
		cmocka_unit_test(test_supported_events_extremes),
		cmocka_unit_test(test_supported_events_everything),
		cmocka_unit_test(test_version),
		cmocka_unit_test(test_version_texts),
		cmocka_unit_test(test_dsu_init),
		cmocka_unit_test(test_dsu_init_of_another_machine),
		cmocka_unit_test(test_dmc_init),
		cmocka_unit_test(test_dmc_init_without_dmc),
		cmocka_unit_test(test_init_refuses_bad_config),
		cmocka_unit_test(test_init_needs_a_pmu),
		cmocka_unit_test(test_statuses),
	};
	return cmocka_run_group_tests_name("driver_core", tests, NULL, NULL);
}
