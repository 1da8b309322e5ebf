// SPDX-License-Identifier: Apache-2.0

// Every field of struct wperf_control at its limits and past them, in every request that has one.

#include "tests/unit/sim_fixture.h"

static struct sim *create_locked(const struct sim_config *config)
{
	struct sim *sim = create_sim(config);
	take_lock(sim, ALICE);
	return sim;
}

// What is refused must change nothing at all.
static void expect(struct sim *sim, uint32_t code, const struct wperf_control *control,
		   enum driver_status status)
{
	// All but the buffers of SPE, which are large.
	size_t length = offsetof(struct sim, spe_memory);
	void *before = malloc(length);
	memcpy(before, sim, length);
	struct answer answer = ask_sized(sim, ALICE, code, control, sizeof(*control), 5000);
	assert_int_equal(answer.status, status);
	if (status != DRIVER_OK) {
		assert_int_equal(memcmp(before, sim, length), 0);
		assert_int_equal(answer.size, 0);
		assert_false(answer.out_touched);
	}
	free(before);
}

static const uint32_t acting[] = {WPERF_PMU_CTL_START, WPERF_PMU_CTL_RESET, WPERF_PMU_CTL_STOP};
static const uint32_t reading[] = {WPERF_PMU_CTL_READ_COUNTING, WPERF_DSU_CTL_READ_COUNTING};

static void expect_acting(struct sim *sim, const struct wperf_control *control,
			  enum driver_status status)
{
	for (size_t i = 0; i < sizeof(acting) / sizeof(acting[0]); i++)
		expect(sim, acting[i], control, status);
}

static void expect_reading(struct sim *sim, const struct wperf_control *control,
			   enum driver_status status)
{
	for (size_t i = 0; i < sizeof(reading) / sizeof(reading[0]); i++)
		expect(sim, reading[i], control, status);
}

static void test_cores_count(void **state)
{
	static const struct {
		uint64_t count;
		enum driver_status acting, reading;
	} cases[] = {
		{0, DRIVER_INVALID_PARAMETER, DRIVER_INVALID_PARAMETER},
		{1, DRIVER_OK, DRIVER_OK},
		{2, DRIVER_OK, DRIVER_INVALID_PARAMETER},
		{128, DRIVER_OK, DRIVER_INVALID_PARAMETER}, // core 0 over and over
		{129, DRIVER_INVALID_PARAMETER, DRIVER_INVALID_PARAMETER},
		{UINT64_C(1) << 32 | 1, DRIVER_INVALID_PARAMETER, DRIVER_INVALID_PARAMETER},
		{UINT64_MAX, DRIVER_INVALID_PARAMETER, DRIVER_INVALID_PARAMETER},
	};
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct wperf_control control = {
			.cores_count = cases[i].count,
			.flags = WPERF_CONTROL_CORE | WPERF_CONTROL_DSU,
		};
		expect_acting(sim, &control, cases[i].acting);
		expect_reading(sim, &control, cases[i].reading);
	}
	free(sim);
}

static void test_core_numbers(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	for (unsigned core = 0; core < 256; core++) {
		enum driver_status status = core < 4 ? DRIVER_OK : DRIVER_INVALID_PARAMETER;
		struct wperf_control control = control_of_core(core, WPERF_CONTROL_CORE);
		expect_acting(sim, &control, status);
		expect_reading(sim, &control, status);
		control.flags = WPERF_CONTROL_DSU;
		expect_acting(sim, &control, status);
		control.cores_count = 2; // a good core behind does not help
		control.cores_no[1] = 3;
		expect_acting(sim, &control, status);
	}
	free(sim);
}

static void test_flags(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	for (unsigned bit = 0; bit < 32; bit++) {
		struct wperf_control control = control_of_core(0, UINT32_C(1) << bit);
		expect_acting(sim, &control, bit < 3 ? DRIVER_OK : DRIVER_INVALID_PARAMETER);
		expect_reading(sim, &control, bit < 4 ? DRIVER_OK : DRIVER_INVALID_PARAMETER);
		expect(sim, WPERF_DMC_CTL_READ_COUNTING, &control,
		       bit < 4 ? DRIVER_OK : DRIVER_INVALID_PARAMETER);
	}
	struct wperf_control control = control_of_core(0, 0);
	expect_acting(sim, &control, DRIVER_INVALID_PARAMETER);
	control.flags = 7;
	expect_acting(sim, &control, DRIVER_OK);
	control.flags = 15;
	expect_acting(sim, &control, DRIVER_INVALID_PARAMETER);
	free(sim);
}

static void test_dmc_index(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	for (unsigned index = 0; index < 256; index++) {
		struct wperf_control control = control_of_core(0, WPERF_CONTROL_DMC);
		control.dmc_idx = (uint8_t)index;
		enum driver_status status =
			index < 3 || index == 255 ? DRIVER_OK : DRIVER_INVALID_PARAMETER;
		expect_acting(sim, &control, status);
		expect(sim, WPERF_DMC_CTL_READ_COUNTING, &control, status);
		control.flags = WPERF_CONTROL_CORE; // then it means nothing
		expect_acting(sim, &control, DRIVER_OK);
	}
	free(sim);
}

static void test_missing_units(void **state)
{
	struct sim_config config = full_machine();
	config.dsu_clusters = config.dmc_channels = 0;
	struct sim *sim = create_locked(&config);
	struct wperf_control control = control_of_core(0, WPERF_CONTROL_CORE | WPERF_CONTROL_DSU);
	expect_acting(sim, &control, DRIVER_NOT_SUPPORTED);
	expect(sim, WPERF_DSU_CTL_READ_COUNTING, &control, DRIVER_NOT_SUPPORTED);
	control.flags = WPERF_CONTROL_CORE | WPERF_CONTROL_DMC;
	expect_acting(sim, &control, DRIVER_NOT_SUPPORTED);
	expect(sim, WPERF_DMC_CTL_READ_COUNTING, &control, DRIVER_NOT_SUPPORTED);
	free(sim);
}

// Two clusters of one core each, and two cores behind that are in none.
static void test_core_outside_of_clusters(void **state)
{
	struct sim_config config = full_machine();
	config.dsu_clusters = 4;
	struct sim *sim = create_locked(&config);
	struct driver_config driver_config = sim->core.config;
	struct driver_registers registers = sim->core.registers;
	driver_config.dsu_clusters = 2;
	assert_int_equal(driver_core_init(&sim->core, &driver_config, &registers), DRIVER_OK);
	take_lock(sim, ALICE);
	for (unsigned core = 0; core < 4; core++) {
		struct wperf_control control = control_of_core(core, WPERF_CONTROL_DSU);
		enum driver_status status = core < 2 ? DRIVER_OK : DRIVER_INVALID_PARAMETER;
		expect_acting(sim, &control, status);
		expect(sim, WPERF_DSU_CTL_READ_COUNTING, &control, status);
	}
	free(sim);
}

static void test_largest_machine(void **state)
{
	struct sim_config config = full_machine();
	config.num_cores = 128;
	config.dsu_clusters = 128;
	config.dmc_channels = 254;
	struct sim *sim = create_locked(&config);
	struct wperf_control control = control_of_all(sim, 7);
	expect_acting(sim, &control, DRIVER_OK);
	control = control_of_core(127, 7);
	expect_reading(sim, &control, DRIVER_OK);
	// All channels do not fit into what an answer may have, and must not be cut.
	struct answer answer = ask_sized(sim, ALICE, WPERF_DMC_CTL_READ_COUNTING, &control,
					 sizeof(control), WPERF_MAX_OUTPUT);
	assert_int_equal(answer.status, DRIVER_INSUFFICIENT_RESOURCES);
	assert_false(answer.out_touched);
	control.dmc_idx = 253;
	expect(sim, WPERF_DMC_CTL_READ_COUNTING, &control, DRIVER_OK);
	free(sim);
}

int driver_control_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cores_count),
		cmocka_unit_test(test_core_numbers),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_dmc_index),
		cmocka_unit_test(test_missing_units),
		cmocka_unit_test(test_core_outside_of_clusters),
		cmocka_unit_test(test_largest_machine),
	};
	return cmocka_run_group_tests_name("driver_control", tests, NULL, NULL);
}
