// SPDX-License-Identifier: Apache-2.0

// Sampling through requests, on simulated cores: every number is known beforehand.

#include "tests/unit/sim_fixture.h"

#include "tests/unit/simulated_function.h"

enum { LD_SPEC = 0x70, VFP_SPEC = 0x75, INST_SPEC = 0x1b };

#define ONLY_USER   WPERF_FILTER_EXCLUDE_EL1
#define ONLY_KERNEL WPERF_FILTER_EXCLUDE_EL0

struct source_request {
	struct wperf_sample_source head;
	struct wperf_sample_event events[40];
};

static struct sim *create_locked(void)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_sim(&config);
	take_lock(sim, ALICE);
	return sim;
}

static enum driver_status try_set(struct sim *sim, uint32_t core,
				  const struct wperf_sample_event *events, size_t num)
{
	struct source_request request = {.head = {core}};
	memcpy(request.events, events, num * sizeof(*events));
	return ask_sized(sim, ALICE, WPERF_PMU_CTL_SAMPLE_SET_SRC, &request,
			 sizeof(request.head) + num * sizeof(*events), 0)
		.status;
}

static void set(struct sim *sim, uint32_t core, const struct wperf_sample_event *events, size_t num)
{
	assert_int_equal(try_set(sim, core, events, num), DRIVER_OK);
}

static enum driver_status try_control(struct sim *sim, uint32_t code, unsigned core)
{
	struct wperf_control control = control_of_core(core, WPERF_CONTROL_CORE);
	return ask_sized(sim, ALICE, code, &control, sizeof(control), 0).status;
}

static void start(struct sim *sim, unsigned core)
{
	assert_int_equal(try_control(sim, WPERF_PMU_CTL_SAMPLE_START, core), DRIVER_OK);
}

static struct wperf_sample_summary stop(struct sim *sim, unsigned core)
{
	struct wperf_control control = control_of_core(core, WPERF_CONTROL_CORE);
	struct wperf_sample_summary summary;
	read_counts(sim, WPERF_PMU_CTL_SAMPLE_STOP, &control, &summary, sizeof(summary));
	return summary;
}

static struct wperf_samples get(struct sim *sim, uint32_t core)
{
	struct answer answer = ask_sized(sim, ALICE, WPERF_PMU_CTL_SAMPLE_GET, &core, sizeof(core),
					 sizeof(struct wperf_samples));
	struct wperf_samples samples;
	assert_int_equal(answer.status, DRIVER_OK);
	assert_int_equal(answer.size, sizeof(samples));
	memcpy(&samples, answer.bytes, sizeof(samples));
	return samples;
}

// 90 % of 1e9 cycles of user code in 400 ms, an interval of 10 million.
static void test_every_interval_is_a_sample(void **state)
{
	struct sim *sim = create_locked();
	struct wperf_sample_event cycles = {WPERF_CYCLE_EVENT, 10000000, ONLY_USER};
	set(sim, 1, &cycles, 1);
	start(sim, 1);
	sim_advance(sim, MS(400));
	struct wperf_sample_summary summary = stop(sim, 1);
	assert_int_equal(summary.sample_generated, 90);
	assert_int_equal(summary.sample_dropped, 0);
	struct wperf_samples samples = get(sim, 1);
	assert_int_equal(samples.size, 90);
	for (unsigned i = 0; i < WPERF_MAX_SAMPLES; i++) {
		static const struct wperf_sample none;
		if (i >= 90) {
			assert_memory_equal(&samples.samples[i], &none, sizeof(none));
			continue;
		}
		assert_int_equal(samples.samples[i].ov_flags, 1u << 31);
		assert_false(program_is_kernel(find_function(samples.samples[i].pc)));
		find_function(samples.samples[i].lr);
	}
	assert_int_equal(get(sim, 1).size, 0);
	free(sim);
}

static uint64_t advance_and_get(struct sim *sim, unsigned core, uint64_t duration_ns,
				uint64_t step_ns, uint64_t *ret_hash)
{
	uint64_t num = 0;
	for (uint64_t passed = 0; passed < duration_ns; passed += step_ns) {
		sim_advance(sim, step_ns);
		struct wperf_samples samples = get(sim, core);
		for (unsigned i = 0; i < samples.size; i++)
			*ret_hash = *ret_hash * 31 + samples.samples[i].pc;
		num += samples.size;
	}
	return num;
}

// floor(events / interval), for odd intervals, too, and in whatever steps time passes.
static void test_exact_and_the_same_in_all_steps(void **state)
{
	static const uint32_t intervals[] = {5000, 12345, 99991, 100000, 1u << 20};
	static const uint64_t steps[] = {10000, 50000, 100000};
	for (size_t i = 0; i < sizeof(intervals) / sizeof(intervals[0]); i++) {
		uint64_t hashes[3] = {0};
		for (size_t s = 0; s < 3; s++) {
			struct sim *sim = create_locked();
			sim_advance(sim, 12345);
			uint64_t before = sim_truth(sim, 2, LD_SPEC, false);
			struct wperf_sample_event event = {LD_SPEC, intervals[i], ONLY_USER};
			set(sim, 2, &event, 1);
			start(sim, 2);
			uint64_t num = advance_and_get(sim, 2, MS(50), steps[s], &hashes[s]);
			uint64_t events = sim_truth(sim, 2, LD_SPEC, false) - before;
			assert_int_equal(num, events / intervals[i]);
			assert_int_equal(stop(sim, 2).sample_generated, events / intervals[i]);
			free(sim);
		}
		assert_int_equal(hashes[0], hashes[1]);
		assert_int_equal(hashes[0], hashes[2]);
	}
}

// The peer's driver forgets to arm the counter when there is no room.
static void test_goes_on_after_a_full_buffer(void **state)
{
	struct sim *sim = create_locked();
	struct wperf_sample_event event = {WPERF_CYCLE_EVENT, 1000000, ONLY_USER};
	set(sim, 0, &event, 1);
	start(sim, 0);
	sim_advance(sim, MS(200)); // 450 samples
	assert_int_equal(get(sim, 0).size, WPERF_MAX_SAMPLES);
	assert_int_equal(get(sim, 0).size, 0);
	sim_advance(sim, MS(20)); // 45 more
	assert_int_equal(get(sim, 0).size, 45);
	struct wperf_sample_summary summary = stop(sim, 0);
	assert_int_equal(summary.sample_generated, 495);
	assert_int_equal(summary.sample_dropped, 450 - WPERF_MAX_SAMPLES);
	free(sim);
}

// Too often for any interrupt: all overflows are accounted for.
static void test_overflows_before_the_interrupt_are_dropped(void **state)
{
	struct sim *sim = create_locked();
	struct wperf_sample_event event = {WPERF_CYCLE_EVENT, 7, ONLY_USER};
	set(sim, 0, &event, 1);
	start(sim, 0);
	uint64_t hash = 0, num = advance_and_get(sim, 0, MS(1), 50000, &hash);
	struct wperf_sample_summary summary = stop(sim, 0);
	assert_int_equal(summary.sample_generated, 2250000 / 7);
	assert_int_equal(summary.sample_generated - summary.sample_dropped, num);
	assert_in_range(num, 450, 501);
	free(sim);
}

static void test_two_events_in_one_interrupt(void **state)
{
	struct sim *sim = create_locked();
	struct wperf_sample_event events[] = {{INST_SPEC, 100000, ONLY_USER},
					      {WPERF_CYCLE_EVENT, 1u << 31, ONLY_USER},
					      {INST_SPEC, 200000, ONLY_USER}};
	set(sim, 0, events, 3);
	start(sim, 0);
	sim_advance(sim, MS(10));
	struct wperf_samples samples = get(sim, 0);
	uint64_t num = sim_truth(sim, 0, INST_SPEC, false) / 100000;
	assert_int_equal(samples.size, num);
	for (unsigned i = 0; i < samples.size; i++)
		assert_int_equal(samples.samples[i].ov_flags, i % 2 ? 3 : 1);
	assert_int_equal(stop(sim, 0).sample_generated, num);
	free(sim);
}

// The n-th event is on the n-th counter that is free, cycles aside.
static void test_flags_are_of_the_hardware(void **state)
{
	struct sim_config config = full_machine();
	config.busy_counters = 3;
	struct sim *sim = create_sim(&config);
	take_lock(sim, ALICE);
	struct wperf_sample_event events[] = {{LD_SPEC, 1000000, ONLY_USER},
					      {WPERF_CYCLE_EVENT, 1u << 31, 0},
					      {VFP_SPEC, 90000, ONLY_USER}};
	set(sim, 3, events, 3);
	start(sim, 3);
	sim_advance(sim, MS(2));
	struct wperf_samples samples = get(sim, 3);
	uint64_t flags = 0;
	for (unsigned i = 0; i < samples.size; i++)
		flags |= samples.samples[i].ov_flags;
	assert_int_equal(flags, 1u << 3 | 1u << 4);
	struct wperf_sample_event fourth[4] = {events[0], events[0], events[0], events[0]};
	stop(sim, 3);
	assert_int_equal(try_set(sim, 3, fourth, 4), DRIVER_INVALID_PARAMETER);
	free(sim);
}

static void test_levels(void **state)
{
	static const struct {
		uint32_t filter;
		unsigned min_kernel, max_kernel;
	} cases[] = {{ONLY_USER, 0, 0}, {ONLY_KERNEL, 100, 100}, {0, 4, 20}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sim *sim = create_locked();
		struct wperf_sample_event event = {WPERF_CYCLE_EVENT, 25000, cases[i].filter};
		set(sim, 0, &event, 1);
		start(sim, 0);
		unsigned num = 0, in_kernel = 0;
		while (num < 100) {
			sim_advance(sim, MS(1));
			struct wperf_samples samples = get(sim, 0);
			for (unsigned s = 0; s < samples.size && num < 100; s++, num++)
				in_kernel +=
					program_is_kernel(find_function(samples.samples[s].pc));
		}
		assert_in_range(in_kernel, cases[i].min_kernel, cases[i].max_kernel);
		free(sim);
	}
}

// Preloaded with more than half of the counter's range, so that it goes round late; and with one.
static void test_largest_interval(void **state)
{
	for (uint8_t version = 4; version <= 6; version += 2) {
		struct sim_config config = full_machine();
		config.pmu_version = version; // 32 bits, or 64
		struct sim *sim = create_sim(&config);
		take_lock(sim, ALICE);
		struct wperf_sample_event events[] = {{0x11, UINT32_MAX, ONLY_USER},
						      {WPERF_CYCLE_EVENT, UINT32_MAX, ONLY_USER}};
		set(sim, 0, events, 2);
		start(sim, 0);
		sim_advance(sim, MS(4000));
		struct wperf_samples samples = get(sim, 0);
		assert_int_equal(samples.size, 2250000ull * 4000 / UINT32_MAX);
		assert_int_equal(samples.samples[0].ov_flags, 1u << 31 | 1);
		free(sim);
	}
}

static void test_wrong_sources(void **state)
{
	struct sim *sim = create_locked();
	static const struct wperf_sample_event bad[] = {
		{LD_SPEC, 0, ONLY_USER},
		{WPERF_CYCLE_EVENT, 0, ONLY_USER},
		{LD_SPEC, WPERF_MIN_KERNEL_INTERVAL - 1, 0},
		{LD_SPEC, WPERF_MIN_KERNEL_INTERVAL - 1, ONLY_KERNEL},
		{LD_SPEC, 100000, ONLY_USER | ONLY_KERNEL},
		{LD_SPEC, 100000, 1},
		{0x10000, 100000, ONLY_USER},
		{UINT32_MAX - 1, 100000, ONLY_USER},
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(try_set(sim, 0, &bad[i], 1), DRIVER_INVALID_PARAMETER);

	struct wperf_sample_event many[40];
	for (size_t i = 0; i < 40; i++)
		many[i] = (struct wperf_sample_event){LD_SPEC, 100000, ONLY_USER};
	assert_int_equal(try_set(sim, 0, many, 0), DRIVER_INVALID_PARAMETER);
	assert_int_equal(try_set(sim, 0, many, 6), DRIVER_OK);
	for (size_t num = 7; num <= 40; num++)
		assert_int_equal(try_set(sim, 0, many, num), DRIVER_INVALID_PARAMETER);
	many[3].event_src = WPERF_CYCLE_EVENT;
	assert_int_equal(try_set(sim, 0, many, 7), DRIVER_OK);
	many[4].event_src = WPERF_CYCLE_EVENT;
	assert_int_equal(try_set(sim, 0, many, 6), DRIVER_INVALID_PARAMETER);
	assert_int_equal(try_set(sim, 4, many, 1), DRIVER_INVALID_PARAMETER);
	assert_int_equal(try_set(sim, WPERF_ALL_CORES, many, 1), DRIVER_INVALID_PARAMETER);

	uint32_t core = 4;
	assert_int_equal(ask(sim, ALICE, WPERF_PMU_CTL_SAMPLE_GET, &core, sizeof(core)).status,
			 DRIVER_INSUFFICIENT_RESOURCES);
	assert_int_equal(
		ask_sized(sim, ALICE, WPERF_PMU_CTL_SAMPLE_GET, &core, sizeof(core), 4104).status,
		DRIVER_INVALID_PARAMETER);
	free(sim);
}

static void test_wrong_cores(void **state)
{
	struct sim *sim = create_locked();
	static const uint32_t codes[] = {WPERF_PMU_CTL_SAMPLE_START, WPERF_PMU_CTL_SAMPLE_STOP};
	for (size_t i = 0; i < 2; i++) {
		struct wperf_control two = control_of_all(sim, WPERF_CONTROL_CORE);
		struct wperf_control none = {.flags = WPERF_CONTROL_CORE};
		struct wperf_control absent = control_of_core(4, WPERF_CONTROL_CORE);
		const struct wperf_control *controls[] = {&two, &none, &absent};
		for (size_t c = 0; c < 3; c++)
			assert_int_equal(ask(sim, ALICE, codes[i], controls[c], sizeof(two)).status,
					 DRIVER_INVALID_PARAMETER);
	}
	assert_int_equal(try_control(sim, WPERF_PMU_CTL_SAMPLE_START, 0), DRIVER_INVALID_PARAMETER);
	assert_int_equal(stop(sim, 0).sample_generated, 0);
	free(sim);
}

static void test_counting_and_sampling_exclude_each_other(void **state)
{
	struct sim *sim = create_locked();
	struct wperf_sample_event event = {LD_SPEC, 100000, ONLY_USER};
	set(sim, 0, &event, 1);
	set(sim, 1, &event, 1);
	start(sim, 0);
	assert_int_equal(try_control(sim, WPERF_PMU_CTL_SAMPLE_START, 0), DRIVER_DEVICE_BUSY);
	assert_int_equal(try_set(sim, 0, &event, 1), DRIVER_DEVICE_BUSY);
	assert_int_equal(try_control(sim, WPERF_PMU_CTL_START, 0), DRIVER_DEVICE_BUSY);
	assert_int_equal(sim->core.cores[0].period_ms, 0);
	struct wperf_control control = control_of_all(sim, WPERF_CONTROL_CORE);
	assert_int_equal(ask(sim, ALICE, WPERF_PMU_CTL_START, &control, sizeof(control)).status,
			 DRIVER_DEVICE_BUSY);
	tell_all(sim, WPERF_PMU_CTL_START, WPERF_CONTROL_DSU); // which has counters of its own

	assert_int_equal(try_control(sim, WPERF_PMU_CTL_START, 1), DRIVER_OK);
	assert_int_equal(try_control(sim, WPERF_PMU_CTL_SAMPLE_START, 1), DRIVER_DEVICE_BUSY);
	assert_int_equal(try_control(sim, WPERF_PMU_CTL_STOP, 1), DRIVER_OK);
	start(sim, 1);
	stop(sim, 0);
	assert_int_equal(try_control(sim, WPERF_PMU_CTL_START, 0), DRIVER_OK);
	sim_advance(sim, MS(300));
	assert_int_equal(read_core(sim, 0).evts[0].value, 2500000ull * 300);
	free(sim);
}

static void test_samples_are_the_owners(void **state)
{
	struct sim *sim = create_locked();
	struct wperf_sample_event event = {WPERF_CYCLE_EVENT, 1000000, ONLY_USER};
	set(sim, 0, &event, 1);
	start(sim, 0);
	sim_advance(sim, MS(20));
	assert_int_equal(ask_for_lock(sim, BOB, WPERF_PMU_CTL_LOCK_ACQUIRE, WPERF_LOCK_GET_FORCE),
			 WPERF_LOCK_ACQUIRED);
	uint32_t core = 0;
	assert_int_equal(
		ask_sized(sim, ALICE, WPERF_PMU_CTL_SAMPLE_GET, &core, sizeof(core), 4104).status,
		DRIVER_INVALID_DEVICE_STATE);
	struct answer answer =
		ask_sized(sim, BOB, WPERF_PMU_CTL_SAMPLE_GET, &core, sizeof(core), 4104);
	static const struct wperf_samples none;
	assert_int_equal(answer.status, DRIVER_OK);
	assert_memory_equal(answer.bytes, &none, sizeof(none));
	sim_close(sim, BOB);
	take_lock(sim, ALICE);
	sim_advance(sim, MS(20));
	assert_int_equal(get(sim, 0).size, 0);
	assert_int_equal(stop(sim, 0).sample_generated, 0);
	free(sim);
}

static void test_samples_outlive_the_stop_but_not_the_start(void **state)
{
	struct sim *sim = create_locked();
	struct wperf_sample_event event = {WPERF_CYCLE_EVENT, 1000000, ONLY_USER};
	set(sim, 0, &event, 1);
	for (unsigned i = 0; i < 2; i++) {
		start(sim, 0);
		sim_advance(sim, MS(20));
		assert_int_equal(stop(sim, 0).sample_generated, 45);
		assert_int_equal(stop(sim, 0).sample_generated, 45);
		sim_advance(sim, MS(20));
	}
	assert_int_equal(get(sim, 0).size, 45);
	free(sim);
}

static void test_shape_of_the_program(void **state)
{
	struct sim *sim = create_locked();
	struct wperf_sample_event events[] = {{LD_SPEC, 30000, ONLY_USER},
					      {VFP_SPEC, 29989, ONLY_USER}};
	set(sim, 0, events, 2);
	start(sim, 0);
	unsigned num[2] = {0}, in_x_mul[2] = {0};
	for (unsigned step = 0; step < 1000; step++) {
		sim_advance(sim, MS(1));
		struct wperf_samples samples = get(sim, 0);
		for (unsigned i = 0; i < samples.size; i++) {
			unsigned which = samples.samples[i].ov_flags & 1 ? 0 : 1;
			num[which]++;
			in_x_mul[which] +=
				!strcmp(find_function(samples.samples[i].pc)->name, "x_mul");
		}
	}
	assert_in_range(num[0], 8000, 10000);
	assert_in_range(in_x_mul[0] * 100 / num[0], 68, 72);
	assert_in_range(in_x_mul[1] * 100 / num[1], 7, 11);
	free(sim);
}

// They are counted when SPE is looked at; without SPE they never overflow.
static void test_events_of_spe(void **state)
{
	struct sim *sim = create_locked();
	struct wperf_sample_event events[] = {{SIM_SPE_FIRST_EVENT, 100, ONLY_USER},
					      {WPERF_CYCLE_EVENT, 1000000, ONLY_USER}};
	set(sim, 0, events, 2);
	start(sim, 0);
	sim_advance(sim, MS(20));
	assert_int_equal(stop(sim, 0).sample_generated, 45);
	assert_int_equal(sim->num_faults, 0);
	free(sim);
}

static void test_functions_are_sorted_and_within_images(void **state)
{
	size_t num_functions, num_images;
	const struct program_function *functions = program_functions(&num_functions);
	const struct program_image *images = program_images(&num_images);
	unsigned sums[2][NUM_PROGRAM_KINDS] = {{0}};
	for (size_t i = 0; i < num_functions; i++) {
		const struct program_function *function = &functions[i];
		if (i > 0)
			assert_true(functions[i - 1].address + functions[i - 1].size <=
				    function->address);
		size_t image = 0;
		while (image < num_images && (function->address < images[image].address ||
					      function->address + function->size >
						      images[image].address + images[image].size))
			image++;
		assert_true(image < num_images);
		assert_int_equal(images[image].is_kernel, program_is_kernel(function));
		assert_true(function->caller < num_functions);
		for (unsigned kind = 0; kind < NUM_PROGRAM_KINDS; kind++)
			sums[program_is_kernel(function)][kind] += function->per_mille[kind];
	}
	for (unsigned kind = 0; kind < NUM_PROGRAM_KINDS; kind++) {
		assert_int_equal(sums[0][kind], 1000);
		assert_int_equal(sums[1][kind], 1000);
	}
}

int driver_sampling_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_interval_is_a_sample),
		cmocka_unit_test(test_exact_and_the_same_in_all_steps),
		cmocka_unit_test(test_goes_on_after_a_full_buffer),
		cmocka_unit_test(test_overflows_before_the_interrupt_are_dropped),
		cmocka_unit_test(test_two_events_in_one_interrupt),
		cmocka_unit_test(test_flags_are_of_the_hardware),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_largest_interval),
		cmocka_unit_test(test_wrong_sources),
		cmocka_unit_test(test_wrong_cores),
		cmocka_unit_test(test_counting_and_sampling_exclude_each_other),
		cmocka_unit_test(test_samples_are_the_owners),
		cmocka_unit_test(test_samples_outlive_the_stop_but_not_the_start),
		cmocka_unit_test(test_shape_of_the_program),
		cmocka_unit_test(test_events_of_spe),
		cmocka_unit_test(test_functions_are_sorted_and_within_images),
	};
	return cmocka_run_group_tests_name("driver_sampling", tests, NULL, NULL);
}
