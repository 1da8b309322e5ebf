// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/sim_fixture.h"

static uint64_t read_register(struct sim *sim, unsigned cpu, enum driver_register reg)
{
	return driver_registers_read(&sim->core.registers, cpu, reg);
}

static void write_register(struct sim *sim, unsigned cpu, enum driver_register reg, uint64_t value)
{
	sim->core.registers.ops->write(sim->core.registers.context, cpu, reg, value);
}

static void test_registers(void **state)
{
	struct sim_config config = full_machine();
	config.core_midr[2] = 0x410fd0f1;
	struct sim *sim = create_sim(&config);
	static const struct {
		unsigned cpu;
		enum driver_register reg;
		uint64_t value;
	} registers[] = {
		{0, DRIVER_MIDR_EL1, NEOVERSE_N1},
		{2, DRIVER_MIDR_EL1, 0x410fd0f1},
		{3, DRIVER_MIDR_EL1, NEOVERSE_N1},
		{3, DRIVER_ID_AA64DFR0_EL1, 0x110305408},
		{3, DRIVER_PMCR_EL0, 0x41003000},
		{3, DRIVER_PMCEID0_EL0, 0x0000000100020001},
		{3, DRIVER_PMCEID1_EL0, 0x8000000080000001},
		{0, DRIVER_CLUSTERPMCR_EL1, 0x41003000},
	};
	for (size_t i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
		assert_int_equal(read_register(sim, registers[i].cpu, registers[i].reg),
				 registers[i].value);
	assert_int_equal(sim->num_faults, 0);
	free(sim);
}

static void test_pmu_versions(void **state)
{
	for (uint8_t version = 1; version <= 14; version++) {
		struct sim_config config = full_machine();
		config.pmu_version = version;
		struct sim *sim = create_sim(&config);
		uint64_t dfr0 = read_register(sim, 0, DRIVER_ID_AA64DFR0_EL1);
		assert_int_equal(driver_register_field(dfr0, 11, 8), version);
		free(sim);
	}
}

static void test_add_event(void **state)
{
	struct sim_config config = {.num_cores = 1};
	static const uint64_t events[] = {0,      63,     64,     0x3fff,     0x4000,
					  0x403f, 0x4040, 0x8000, UINT64_MAX, UINT64_C(1) << 32};
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		sim_config_add_event(&config, events[i]);
	assert_int_equal(config.common_events, 0x8000000000000001);
	assert_int_equal(config.extended_events, 0x8000000000000001);
}

static void test_writes(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_sim(&config);
	write_register(sim, 1, DRIVER_PMCR_EL0, UINT64_MAX);
	assert_int_equal(read_register(sim, 1, DRIVER_PMCR_EL0), 0x41003039);
	assert_int_equal(read_register(sim, 0, DRIVER_PMCR_EL0), 0x41003000);
	write_register(sim, 1, DRIVER_PMCR_EL0, 0);
	assert_int_equal(read_register(sim, 1, DRIVER_PMCR_EL0), 0x41003000);
	write_register(sim, 1, DRIVER_MIDR_EL1, 0);
	assert_int_equal(read_register(sim, 1, DRIVER_MIDR_EL1), NEOVERSE_N1);

	// One register for all cores of a cluster.
	write_register(sim, 3, DRIVER_CLUSTERPMCR_EL1, 1);
	assert_int_equal(read_register(sim, 2, DRIVER_CLUSTERPMCR_EL1), 0x41003001);
	assert_int_equal(read_register(sim, 1, DRIVER_CLUSTERPMCR_EL1), 0x41003000);
	assert_int_equal(sim->num_faults, 0);
	free(sim);
}

static void test_what_is_not_there_faults(void **state)
{
	struct sim_config config = full_machine();
	config.spe = false;
	config.dsu_clusters = 0;
	struct sim *sim = create_sim(&config);
	static const struct {
		unsigned cpu;
		enum driver_register reg;
	} absent[] = {
		{0, DRIVER_PMSIDR_EL1}, {0, DRIVER_PMBIDR_EL1},        {0, DRIVER_CLUSTERPMCR_EL1},
		{4, DRIVER_MIDR_EL1},   {UINT32_MAX, DRIVER_MIDR_EL1}, {0, NUM_DRIVER_REGISTERS},
	};
	enum { NUM_ABSENT = sizeof(absent) / sizeof(absent[0]) };
	for (size_t i = 0; i < NUM_ABSENT; i++)
		assert_int_equal(read_register(sim, absent[i].cpu, absent[i].reg), 0);
	for (size_t i = 0; i < NUM_ABSENT; i++)
		write_register(sim, absent[i].cpu, absent[i].reg, 1);
	assert_int_equal(sim->num_faults, 2 * NUM_ABSENT);
	free(sim);
}

static void check_range(const struct sim_config *config, const char *bad_field)
{
	struct sim *sim = malloc(sizeof(*sim));
	const char *field = "none";
	enum driver_status status = sim_init(sim, config, &field);
	assert_int_equal(status, bad_field ? DRIVER_INVALID_PARAMETER : DRIVER_OK);
	assert_string_equal(field, bad_field ? bad_field : "none");
	free(sim);
}

static void test_ranges(void **state)
{
	static const struct {
		size_t offset;
		unsigned value;
		const char *bad_field;
	} cases[] = {
		{offsetof(struct sim_config, num_cores), 0, "num_cores"},
		{offsetof(struct sim_config, num_cores), 128, NULL},
		{offsetof(struct sim_config, num_cores), 129, "num_cores"},
		{offsetof(struct sim_config, num_cores), UINT32_MAX, "num_cores"},
		{offsetof(struct sim_config, counters), 0, NULL},
		{offsetof(struct sim_config, counters), 31, NULL},
		{offsetof(struct sim_config, counters), 32, "counters"},
		{offsetof(struct sim_config, busy_counters), 6, NULL},
		{offsetof(struct sim_config, busy_counters), 7, "busy_counters"},
		{offsetof(struct sim_config, busy_counters), UINT32_MAX, "busy_counters"},
		{offsetof(struct sim_config, dsu_clusters), 0, NULL},
		{offsetof(struct sim_config, dsu_clusters), 4, NULL},
		{offsetof(struct sim_config, dsu_clusters), 3, "dsu_clusters"},
		{offsetof(struct sim_config, dsu_clusters), 5, "dsu_clusters"},
		{offsetof(struct sim_config, dmc_channels), 254, NULL},
		{offsetof(struct sim_config, dmc_channels), 255, "dmc_channels"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sim_config config = full_machine();
		memcpy((uint8_t *)&config + cases[i].offset, &cases[i].value, sizeof(unsigned));
		check_range(&config, cases[i].bad_field);
	}
}

static void test_pmu_version_range(void **state)
{
	static const uint8_t bad[] = {0, 15, 16, 255};
	for (size_t i = 0; i < sizeof(bad); i++) {
		struct sim_config config = full_machine();
		config.pmu_version = bad[i];
		check_range(&config, "pmu_version");
	}
}

// Two simulators that are told the same are the same.
static void test_deterministic(void **state)
{
	struct sim_config config = full_machine();
	struct sim *a = create_sim(&config);
	struct sim *b = create_sim(&config);
	assert_memory_equal(a->registers, b->registers, sizeof(a->registers));
	take_lock(a, ALICE);
	take_lock(b, BOB);
	uint32_t any = 0;
	struct answer of_a = ask(a, ALICE, WPERF_PMU_CTL_QUERY_HW_CFG, &any, sizeof(any));
	struct answer of_b = ask(b, BOB, WPERF_PMU_CTL_QUERY_HW_CFG, &any, sizeof(any));
	assert_int_equal(of_a.size, of_b.size);
	assert_memory_equal(of_a.bytes, of_b.bytes, of_a.size);
	free(a);
	free(b);
}

static void test_largest_machine(void **state)
{
	struct sim_config config = full_machine();
	config.num_cores = WPERF_MAX_CORES;
	config.dsu_clusters = WPERF_MAX_CORES;
	config.dmc_channels = 254;
	config.counters = 31;
	struct sim *sim = create_sim(&config);
	take_lock(sim, ALICE);
	uint32_t any = 0;
	struct answer answer = ask(sim, ALICE, WPERF_PMU_CTL_QUERY_HW_CFG, &any, sizeof(any));
	assert_int_equal(answer.status, DRIVER_OK);
	struct wperf_hw_cfg hw_cfg;
	memcpy(&hw_cfg, answer.bytes, sizeof(hw_cfg));
	assert_int_equal(hw_cfg.core_num, 128);
	free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_pmu_versions),
		cmocka_unit_test(test_add_event),
		cmocka_unit_test(test_writes),
		cmocka_unit_test(test_what_is_not_there_faults),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_pmu_version_range),
		cmocka_unit_test(test_deterministic),
		cmocka_unit_test(test_largest_machine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
