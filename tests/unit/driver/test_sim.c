// SPDX-License-Identifier: Apache-2.0

#include "tests/unit/sim_fixture.h"

struct access {
	struct sim *sim;
	unsigned cpu;
	enum driver_register reg;
	uint64_t value;
};

static uint64_t read_register(struct sim *sim, unsigned cpu, enum driver_register reg)
{
	return driver_registers_fetch(&sim->core.registers, cpu, reg);
}

static void write_here(void *argument)
{
	const struct access *access = argument;
	driver_registers_write(&access->sim->core.registers, access->cpu, access->reg,
			       access->value);
}

static void write_register(struct sim *sim, unsigned cpu, enum driver_register reg, uint64_t value)
{
	struct access access = {sim, cpu, reg, value};
	driver_registers_on_cpu(&sim->core.registers, cpu, write_here, &access);
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
		{3, DRIVER_PMCR_EL0, 0x41003800},
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
	assert_int_equal(read_register(sim, 1, DRIVER_PMCR_EL0), 0x41003871);
	assert_int_equal(read_register(sim, 0, DRIVER_PMCR_EL0), 0x41003800);
	write_register(sim, 1, DRIVER_PMCR_EL0, 0);
	assert_int_equal(read_register(sim, 1, DRIVER_PMCR_EL0), 0x41003800);
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
		{0, DRIVER_PMSIDR_EL1},      {0, DRIVER_PMBIDR_EL1},
		{0, DRIVER_CLUSTERPMCR_EL1}, {0, DRIVER_PMEVCNTR0_EL0 + 7},
		{0, DRIVER_PMEVTYPER30_EL0}, {0, DRIVER_CLUSTERPMCCNTR_EL1},
		{4, DRIVER_MIDR_EL1},        {UINT32_MAX, DRIVER_MIDR_EL1},
		{0, NUM_DRIVER_REGISTERS},
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
		{offsetof(struct sim_config, counters), 30, NULL},
		{offsetof(struct sim_config, counters), 31, "counters"},
		{offsetof(struct sim_config, busy_counters), 6, NULL},
		{offsetof(struct sim_config, busy_counters), 7, "busy_counters"},
		{offsetof(struct sim_config, busy_counters), UINT32_MAX, "busy_counters"},
		{offsetof(struct sim_config, dsu_clusters), 0, NULL},
		{offsetof(struct sim_config, dsu_clusters), 4, NULL},
		{offsetof(struct sim_config, dsu_clusters), 3, "dsu_clusters"},
		{offsetof(struct sim_config, dsu_clusters), 5, "dsu_clusters"},
		{offsetof(struct sim_config, mhz), 100000, NULL},
		{offsetof(struct sim_config, mhz), 100001, "mhz"},
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

// From another CPU, the registers of real hardware cannot be reached.
static void test_registers_are_of_their_cpu(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_sim(&config);
	driver_registers_read(&sim->core.registers, 1, DRIVER_MIDR_EL1);
	assert_int_equal(sim->num_faults, 1);
	struct access access = {sim, 1, DRIVER_PMCR_EL0, 1};
	driver_registers_on_cpu(&sim->core.registers, 0, write_here, &access);
	assert_int_equal(sim->num_faults, 2);
	free(sim);
}

static void enable_all(struct sim *sim, unsigned cpu)
{
	write_register(sim, cpu, DRIVER_PMCNTENSET_EL0, UINT64_MAX);
	write_register(sim, cpu, DRIVER_PMCR_EL0, 1);
}

static void test_counters_count_what_happens(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_sim(&config);
	write_register(sim, 1, DRIVER_PMEVTYPER0_EL0, 0x1b);
	write_register(sim, 1, DRIVER_PMEVTYPER0_EL0 + 1, 0x8000001b);
	write_register(sim, 1, DRIVER_PMEVCNTR0_EL0, 0);
	write_register(sim, 1, DRIVER_PMEVCNTR0_EL0 + 1, 0);
	sim_advance(sim, MS(7)); // nothing is enabled
	assert_int_equal(read_register(sim, 1, DRIVER_PMEVCNTR0_EL0), 0);
	uint64_t before = sim_truth(sim, 1, 0x1b, true), user = sim_truth(sim, 1, 0x1b, false);
	enable_all(sim, 1);
	uint64_t cycles = read_register(sim, 1, DRIVER_PMCCNTR_EL0);
	sim_advance(sim, 12345678);
	assert_int_equal(read_register(sim, 1, DRIVER_PMEVCNTR0_EL0),
			 sim_truth(sim, 1, 0x1b, true) - before);
	assert_int_equal(read_register(sim, 1, DRIVER_PMEVCNTR0_EL0 + 1),
			 sim_truth(sim, 1, 0x1b, false) - user);
	assert_int_equal(read_register(sim, 1, DRIVER_PMCCNTR_EL0) - cycles,
			 2500 * 12345678ull / 1000);
	write_register(sim, 1, DRIVER_PMCR_EL0, 7); // resets them all
	assert_int_equal(read_register(sim, 1, DRIVER_PMEVCNTR0_EL0), 0);
	assert_int_equal(read_register(sim, 1, DRIVER_PMCCNTR_EL0), 0);
	assert_int_equal(sim->num_faults, 0);
	free(sim);
}

// 32 bits; or 64, if the PMU can and was told to.
static void test_counter_width(void **state)
{
	for (unsigned is_long = 0; is_long < 2; is_long++) {
		struct sim_config config = full_machine();
		config.pmu_version = 6;
		struct sim *sim = create_sim(&config);
		enable_all(sim, 0);
		write_register(sim, 0, DRIVER_PMCR_EL0, is_long ? 0x81 : 1);
		write_register(sim, 0, DRIVER_PMEVTYPER0_EL0, 0x11);
		write_register(sim, 0, DRIVER_PMEVCNTR0_EL0, 0);
		write_register(sim, 0, DRIVER_PMOVSCLR_EL0, UINT64_MAX);
		sim_advance(sim, MS(2000));
		uint64_t value = read_register(sim, 0, DRIVER_PMEVCNTR0_EL0);
		uint64_t overflow = read_register(sim, 0, DRIVER_PMOVSCLR_EL0);
		assert_int_equal(value, is_long ? 5000000000 : 5000000000 - (1ull << 32));
		assert_int_equal(overflow & 1, !is_long);
		free(sim);
	}
}

static void test_truth_makes_sense(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_sim(&config);
	sim_advance(sim, 987654321);
	static const struct {
		uint64_t smaller, larger;
	} pairs[] = {
		{0x10, 0x12}, {0x22, 0x21}, {0x03, 0x04}, {0x01, 0x14}, {0x17, 0x16},
		{0x2b, 0x17}, {0x2a, 0x2b}, {0x04, 0x72}, {0x08, 0x1b}, {0x05, 0x25},
	};
	static const uint64_t kinds[] = {0x70, 0x71, 0x73, 0x74, 0x75, 0x76, 0x77, 0x7e};
	for (unsigned core = 0; core < 4; core++) {
		for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
			assert_true(sim_truth(sim, core, pairs[i].smaller, true) <=
				    sim_truth(sim, core, pairs[i].larger, true));
		uint64_t sum = 0;
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			sum += sim_truth(sim, core, kinds[i], true);
		assert_true(sum <= sim_truth(sim, core, 0x1b, true));
		assert_true(sum > sim_truth(sim, core, 0x1b, true) / 10 * 9);
	}
	assert_int_not_equal(sim_truth(sim, 0, 0x1b, true), sim_truth(sim, 1, 0x1b, true));
	assert_int_equal(sim_truth(sim, 0, WPERF_CYCLE_EVENT, true), 987654321ull * 25 / 10);
	uint64_t of_cores = sim_truth(sim, 2, 0x2b, true) + sim_truth(sim, 3, 0x2b, true);
	assert_in_range(sim_truth_of_cluster(sim, 1, 0x2b), of_cores, of_cores + 1);
	assert_int_equal(sim_truth_of_channel(sim, 0, DRIVER_DMC_CLK, 0), 987654321ull * 16 / 10);
	free(sim);
}

static void test_largest_machine(void **state)
{
	struct sim_config config = full_machine();
	config.num_cores = WPERF_MAX_CORES;
	config.dsu_clusters = WPERF_MAX_CORES;
	config.dmc_channels = 254;
	config.counters = 30;
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

int sim_tests(void)
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
		cmocka_unit_test(test_registers_are_of_their_cpu),
		cmocka_unit_test(test_counters_count_what_happens),
		cmocka_unit_test(test_counter_width),
		cmocka_unit_test(test_truth_makes_sense),
		cmocka_unit_test(test_largest_machine),
	};
	return cmocka_run_group_tests_name("sim", tests, NULL, NULL);
}
