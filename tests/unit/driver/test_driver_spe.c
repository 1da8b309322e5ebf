// SPDX-License-Identifier: Apache-2.0

// Statistical profiling through requests, on simulated cores.

#include "tests/unit/sim_fixture.h"

#include "driver/sim/program.h"
#include "record/spe/spe_event.h"
#include "record/spe/spe_operation.h"
#include "record/spe/spe_stream.h"

enum { CORE = 1, MIN_INTERVAL = 1024, OP_SPEC = 0x3b, SAMPLE_POP = 0x4000 };

static struct sim *create_locked(void)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_sim(&config);
	take_lock(sim, ALICE);
	return sim;
}

static struct wperf_spe_control spe_control(void)
{
	return (struct wperf_spe_control){
		.cores_count = 1, .cores_no = {CORE}, .buffer_size = WPERF_MAX_OUTPUT};
}

static enum driver_status try_start(struct sim *sim, const struct wperf_spe_control *control)
{
	return ask_sized(sim, ALICE, WPERF_PMU_CTL_SPE_START, control, sizeof(*control), 0).status;
}

static void start(struct sim *sim, const struct wperf_spe_control *control)
{
	assert_int_equal(try_start(sim, control), DRIVER_OK);
}

static enum driver_status try_control(struct sim *sim, uint32_t code, unsigned core)
{
	struct wperf_control control = control_of_core(core, WPERF_CONTROL_SPE);
	return ask_sized(sim, ALICE, code, &control, sizeof(control), 8).status;
}

static void stop(struct sim *sim)
{
	assert_int_equal(try_control(sim, WPERF_PMU_CTL_SPE_STOP, CORE), DRIVER_OK);
}

static uint64_t get_size(struct sim *sim)
{
	struct wperf_control control = control_of_core(CORE, WPERF_CONTROL_SPE);
	uint64_t size;
	struct answer answer =
		ask_sized(sim, ALICE, WPERF_PMU_CTL_SPE_GET_SIZE, &control, sizeof(control), 8);
	assert_int_equal(answer.status, DRIVER_OK);
	memcpy(&size, answer.bytes, sizeof(size));
	return size;
}

/** Everything that a run gave. */
struct profile {
	struct spe_stream stream;
	uint64_t hash, num_loads, num_kernel, last_ticks;
	uint32_t shortest;
};

static void take_record(struct profile *profile, const struct spe_record *record)
{
	assert_true(spe_record_has_address(record, SPE_ADDRESS_PC));
	assert_true(spe_record_has_latency(record, SPE_COUNTER_TOTAL));
	assert_true(spe_record_latency(record, SPE_COUNTER_TOTAL) >
		    spe_record_latency(record, SPE_COUNTER_ISSUE));
	struct spe_operation operation =
		spe_operation_of(spe_record_class(record), spe_record_operation(record));
	bool is_memory = spe_record_class(record) == SPE_CLASS_LOAD_STORE;
	assert_int_equal(is_memory, spe_record_has_address(record, SPE_ADDRESS_VIRTUAL));
	profile->num_loads += is_memory && !(operation.flags & SPE_OPERATION_IS_STORE);
	profile->num_kernel += (int64_t)spe_record_address(record, SPE_ADDRESS_PC) < 0;
	uint32_t latency = spe_record_latency(record, SPE_COUNTER_TOTAL);
	if (!profile->shortest || latency < profile->shortest)
		profile->shortest = latency;
	assert_true(record->values[SPE_VALUE_TIMESTAMP] >= profile->last_ticks);
	profile->last_ticks = record->values[SPE_VALUE_TIMESTAMP];
	for (size_t i = 0; i < SPE_NUM_VALUES; i++)
		profile->hash = profile->hash * 31 + record->values[i];
}

static size_t take(struct sim *sim, struct profile *profile, uint64_t size)
{
	struct wperf_spe_control control = spe_control();
	control.buffer_size = size;
	struct answer answer = ask_sized(sim, ALICE, WPERF_PMU_CTL_SPE_GET_BUFFER, &control,
					 sizeof(control), WPERF_MAX_OUTPUT);
	assert_int_equal(answer.status, DRIVER_OK);
	const struct spe_record *record;
	spe_stream_feed(&profile->stream, answer.bytes, answer.size);
	while ((record = spe_stream_next(&profile->stream)))
		take_record(profile, record);
	return answer.size;
}

static struct profile run(struct sim *sim, const struct wperf_spe_control *control,
			  uint64_t duration_ns, uint64_t step_ns, uint64_t size)
{
	struct profile profile = {};
	spe_stream_init(&profile.stream, 0);
	start(sim, control);
	for (uint64_t passed = 0; passed < duration_ns; passed += step_ns) {
		sim_advance(sim, step_ns);
		while (take(sim, &profile, size) == size)
			continue;
	}
	stop(sim);
	while (take(sim, &profile, size))
		continue;
	spe_stream_break(&profile.stream, 0);
	assert_int_equal(profile.stream.num_bad_bytes, 0);
	return profile;
}

// Core 1 executes 0.75 * 1.15 operations in each of 2500 cycles in a microsecond.
static void test_one_of_an_interval_is_sampled(void **state)
{
	struct sim *sim = create_locked();
	struct wperf_spe_control control = spe_control();
	control.interval = 4096;
	control.config_flags = WPERF_SPE_TIMESTAMP;
	struct profile profile = run(sim, &control, MS(20), 100000, WPERF_MAX_OUTPUT);
	uint64_t num_operations = sim_truth(sim, CORE, OP_SPEC, true);
	assert_int_equal(sim_truth(sim, CORE, SAMPLE_POP, true), num_operations);
	uint64_t feed = sim_truth(sim, CORE, SAMPLE_POP + 1, true);
	uint64_t filtrate = sim_truth(sim, CORE, SAMPLE_POP + 2, true);
	uint64_t collisions = sim_truth(sim, CORE, SAMPLE_POP + 3, true);
	assert_int_equal(feed + collisions, num_operations / 4096);
	assert_int_equal(filtrate, feed);
	assert_int_equal(profile.stream.num_records, filtrate);
	assert_true(collisions > 0 && collisions < feed / 100);
	assert_in_range(profile.num_loads * 100 / filtrate, 22, 26);
	assert_in_range(profile.num_kernel * 100 / filtrate, 9, 11);
	assert_in_range(profile.last_ticks, MS(20) - 5000, MS(20)); // the timer of the simulator
	free(sim);
}

// However time passes, and however the bytes are taken away.
static void test_steps_make_no_difference(void **state)
{
	static const struct {
		uint64_t step_ns, size;
	} ways[] = {{50000, WPERF_MAX_OUTPUT}, {10000, 64}, {20000, 1000}, {100000, 4096}};
	uint64_t hash = 0;
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct sim *sim = create_locked();
		struct wperf_spe_control control = spe_control();
		control.interval = 8192;
		control.config_flags = WPERF_SPE_TIMESTAMP | WPERF_SPE_JITTER;
		struct profile profile = run(sim, &control, MS(2), ways[i].step_ns, ways[i].size);
		assert_true(profile.stream.num_records > 400);
		if (i)
			assert_int_equal(profile.hash, hash);
		hash = profile.hash;
		free(sim);
	}
}

static void test_filters(void **state)
{
	struct sim *sim = create_locked();
	struct wperf_spe_control control = spe_control();
	control.operation_filter = WPERF_SPE_LOAD;
	struct profile profile = run(sim, &control, MS(2), 20000, WPERF_MAX_OUTPUT);
	assert_true(profile.stream.num_records > 500);
	assert_int_equal(profile.num_loads, profile.stream.num_records);
	assert_int_equal(sim_truth(sim, CORE, SAMPLE_POP + 2, true), profile.num_loads);
	assert_int_equal(profile.last_ticks, 0);

	control.operation_filter = WPERF_SPE_STORE | WPERF_SPE_BRANCH;
	profile = run(sim, &control, MS(2), 20000, WPERF_MAX_OUTPUT);
	assert_true(profile.stream.num_records > 500);
	assert_int_equal(profile.num_loads, 0);

	control.operation_filter = 0;
	control.config_flags = WPERF_SPE_MIN_LATENCY | UINT64_C(60) << WPERF_SPE_MIN_LATENCY_SHIFT;
	profile = run(sim, &control, MS(5), 20000, WPERF_MAX_OUTPUT);
	assert_true(profile.stream.num_records > 20);
	assert_in_range(profile.shortest, 60, 70);

	control.config_flags = 0;
	control.event_filter = UINT64_C(1) << SPE_EVENT_TLB_WALK;
	profile = run(sim, &control, MS(5), 20000, WPERF_MAX_OUTPUT);
	assert_true(profile.stream.num_records > 10);
	assert_true(profile.shortest > 20);
	free(sim);
}

// The hardware stops when there is no room, and goes on when there is; nothing is torn.
static void test_a_full_buffer(void **state)
{
	struct sim *sim = create_locked();
	struct wperf_spe_control control = spe_control();
	struct profile profile = {};
	spe_stream_init(&profile.stream, 0);
	start(sim, &control);
	sim_advance(sim, MS(20));
	uint64_t size = get_size(sim);
	assert_in_range(size, SIM_SPE_BUFFER - 8192, SIM_SPE_BUFFER);
	uint64_t population = sim_truth(sim, CORE, SAMPLE_POP, true);
	assert_true(population < sim_truth(sim, CORE, OP_SPEC, true) / 2);
	sim_advance(sim, MS(1)); // it was started again, and stops at once
	assert_int_equal(get_size(sim), size);
	for (uint64_t taken = 0; taken < size;)
		taken += take(sim, &profile, 10000);
	sim_advance(sim, 100000);
	assert_true(take(sim, &profile, WPERF_MAX_OUTPUT) > 1000);
	assert_int_equal(profile.stream.num_bad_bytes, 0);
	assert_true(sim_truth(sim, CORE, SAMPLE_POP, true) > population);
	free(sim);
}

// A start forgets, a stop keeps, an init forgets.
static void test_what_is_kept(void **state)
{
	struct sim *sim = create_locked();
	struct wperf_spe_control control = spe_control();
	start(sim, &control);
	assert_int_equal(try_start(sim, &control), DRIVER_DEVICE_BUSY);
	sim_advance(sim, 100000);
	stop(sim);
	uint64_t size = get_size(sim);
	assert_true(size > 1000);
	sim_advance(sim, 100000);
	assert_int_equal(get_size(sim), size);
	start(sim, &control);
	assert_int_equal(get_size(sim), 0);
	sim_advance(sim, 100000);
	assert_true(get_size(sim) > 0);
	assert_int_equal(try_control(sim, WPERF_PMU_CTL_SPE_INIT, CORE), DRIVER_OK);
	assert_int_equal(get_size(sim), 0);
	sim_advance(sim, 100000);
	assert_int_equal(get_size(sim), 0);
	stop(sim);

	start(sim, &control);
	sim_close(sim, ALICE);
	take_lock(sim, ALICE);
	sim_advance(sim, 100000);
	assert_int_equal(get_size(sim), 0);
	free(sim);
}

static void test_the_peers_size_is_too_large(void **state)
{
	struct sim *sim = create_locked();
	struct wperf_spe_control control = spe_control();
	struct answer answer = ask_sized(sim, ALICE, WPERF_PMU_CTL_SPE_GET_BUFFER, &control,
					 sizeof(control), WPERF_MAX_OUTPUT + 1);
	assert_int_equal(answer.status, DRIVER_BUFFER_OVERFLOW);
	free(sim);
}

static void test_requests_that_make_no_sense(void **state)
{
	static const struct wperf_spe_control bad[] = {
		{.cores_count = 0},
		{.cores_count = 2, .cores_no = {0, 1}},
		{.cores_count = 1, .cores_no = {4}},
		{.cores_count = 1, .operation_filter = 8},
		{.cores_count = 1, .config_flags = 8},
		{.cores_count = 1, .config_flags = UINT64_C(1) << 47},
		{.cores_count = 1, .config_flags = UINT64_C(1) << 48}, // a latency without the flag
	};
	struct sim *sim = create_locked();
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(try_start(sim, &bad[i]), DRIVER_INVALID_PARAMETER);
	static const uint32_t codes[] = {WPERF_PMU_CTL_SPE_INIT, WPERF_PMU_CTL_SPE_GET_SIZE,
					 WPERF_PMU_CTL_SPE_STOP};
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		assert_int_equal(try_control(sim, codes[i], 4), DRIVER_INVALID_PARAMETER);
	struct wperf_spe_control control = spe_control();
	assert_int_equal(
		ask_sized(sim, BOB, WPERF_PMU_CTL_SPE_START, &control, sizeof(control), 0).status,
		DRIVER_INVALID_DEVICE_STATE);
	free(sim);
}

static void test_without_spe(void **state)
{
	struct sim_config config = full_machine();
	config.spe = false;
	struct sim *sim = create_sim(&config);
	take_lock(sim, ALICE);
	struct wperf_spe_control control = spe_control();
	assert_int_equal(try_start(sim, &control), DRIVER_NOT_SUPPORTED);
	assert_int_equal(try_control(sim, WPERF_PMU_CTL_SPE_INIT, CORE), DRIVER_NOT_SUPPORTED);
	assert_int_equal(try_control(sim, WPERF_PMU_CTL_SPE_GET_SIZE, CORE), DRIVER_NOT_SUPPORTED);
	free(sim);
}

// The PMU counts SPE's events, when they happen and nothing else.
static void test_events_are_counted(void **state)
{
	struct sim *sim = create_locked();
	static const uint16_t events[] = {SAMPLE_POP, SAMPLE_POP + 1, SAMPLE_POP + 2,
					  SAMPLE_POP + 3};
	assign_all(sim, WPERF_CLASS_CORE, events, 4, 0);
	tell_all(sim, WPERF_PMU_CTL_START, WPERF_CONTROL_CORE);
	sim_advance(sim, MS(1));
	struct wperf_spe_control control = spe_control();
	control.operation_filter = WPERF_SPE_LOAD;
	struct profile profile = run(sim, &control, MS(3), 20000, WPERF_MAX_OUTPUT);
	sim_advance(sim, MS(1));
	tell_all(sim, WPERF_PMU_CTL_STOP, WPERF_CONTROL_CORE);
	struct wperf_core_counts counts = read_core(sim, CORE);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(counts.evts[i + 1].value,
				 sim_truth(sim, CORE, SAMPLE_POP + i, true));
	assert_int_equal(counts.evts[3].value, profile.stream.num_records);
	assert_int_equal(read_core(sim, 0).evts[1].value, 0);
	free(sim);
}

// Counters of latency have 12 bits, or 16 (PMSIDR_EL1.CountSize): more would be reserved bits.
static void test_latency_is_as_wide_as_its_counter(void **state)
{
	enum { COUNTS_16_BITS = 3 << 16 };
	const struct {
		uint64_t count_size, asked, written;
	} cases[] = {{2 << 16, 0xabc, 0xabc},
		     {2 << 16, 0x1000, 0xfff},
		     {COUNTS_16_BITS, 0x1000, 0x1000},
		     {COUNTS_16_BITS, 0xffff, 0xffff}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sim *sim = create_locked();
		uint64_t *pmsidr = &sim->registers[CORE][DRIVER_PMSIDR_EL1];
		*pmsidr = (*pmsidr & ~UINT64_C(0xf0000)) | cases[i].count_size;
		struct wperf_spe_control control = spe_control();
		control.config_flags =
			WPERF_SPE_MIN_LATENCY | cases[i].asked << WPERF_SPE_MIN_LATENCY_SHIFT;
		start(sim, &control);
		assert_int_equal(sim->registers[CORE][DRIVER_PMSLATFR_EL1], cases[i].written);
		free(sim);
	}
}

// The buffer stays, and the unit goes on behind what is in it as it was told to before.
static void test_around_a_sleep(void **state)
{
	struct sim *sim = create_locked();
	struct wperf_spe_control control = spe_control();
	struct profile profile = {};
	spe_stream_init(&profile.stream, 0);
	control.operation_filter = WPERF_SPE_LOAD;
	start(sim, &control);
	sim_advance(sim, MS(1));
	driver_core_suspend(&sim->core);
	uint64_t size = get_size(sim), num = sim_truth(sim, CORE, SAMPLE_POP + 2, true);
	assert_true(num > 100);
	sim_switch_off(sim, CORE);
	sim_advance(sim, MS(100));
	assert_int_equal(get_size(sim), size);
	driver_core_resume(&sim->core);
	sim_advance(sim, MS(1));
	stop(sim);
	while (take(sim, &profile, WPERF_MAX_OUTPUT))
		continue;
	assert_int_equal(profile.stream.num_bad_bytes, 0);
	assert_int_equal(profile.num_loads, profile.stream.num_records);
	assert_in_range(profile.stream.num_records, 2 * num - num / 10, 2 * num + num / 10);
	free(sim);
}

int driver_spe_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_of_an_interval_is_sampled),
		cmocka_unit_test(test_steps_make_no_difference),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_a_full_buffer),
		cmocka_unit_test(test_what_is_kept),
		cmocka_unit_test(test_the_peers_size_is_too_large),
		cmocka_unit_test(test_requests_that_make_no_sense),
		cmocka_unit_test(test_without_spe),
		cmocka_unit_test(test_latency_is_as_wide_as_its_counter),
		cmocka_unit_test(test_around_a_sleep),
		cmocka_unit_test(test_events_are_counted),
	};
	return cmocka_run_group_tests_name("driver_spe", tests, NULL, NULL);
}
