// SPDX-License-Identifier: Apache-2.0

// Counts against the truth of the simulator, to the last event.

#include "tests/unit/sim_fixture.h"

#include "driver/sim/register_file.h"

enum { MAX_TEST_EVENTS = WPERF_MAX_CORE_EVENTS - 1 };

static const uint16_t some_events[] = {0x1b, 0x11, 0x08,   0x70, 0x71, 0x73, 0x03, 0x04,
				       0x10, 0x12, 0x1234, 0x2b, 0x2a, 0x17, 0x75};

static struct sim *create_locked(const struct sim_config *config)
{
	struct sim *sim = create_sim(config);
	take_lock(sim, ALICE);
	return sim;
}

static void start(struct sim *sim, uint32_t flags, int32_t period_ms)
{
	struct wperf_control control = control_of_all(sim, flags);
	control.period = period_ms;
	tell(sim, WPERF_PMU_CTL_START, &control, sizeof(control));
}

static void stop(struct sim *sim, uint32_t flags)
{
	tell_all(sim, WPERF_PMU_CTL_STOP, flags);
}

static uint64_t rate_times(uint64_t per_ms, uint64_t ns)
{
	return ns / 1000000 * per_ms + ns % 1000000 * per_ms / 1000000;
}

// A second scheduler, told nothing but the rules: what should have been counted?
struct expectation {
	uint64_t value[MAX_TEST_EVENTS], scheduled[MAX_TEST_EVENTS];
	uint64_t round, turn;
	uint64_t per_ms[MAX_TEST_EVENTS];
	unsigned num_events, num_counters;
};

static void expect_turn(struct expectation *expected, uint64_t from_ns, uint64_t to_ns)
{
	unsigned n = expected->num_events, counters = expected->num_counters;
	bool takes_turns = n > counters;
	for (unsigned i = 0; i < (takes_turns ? counters : n); i++) {
		uint64_t event = takes_turns ? (counters * expected->turn + i) % n : i;
		expected->value[event] += rate_times(expected->per_ms[event], to_ns) -
					  rate_times(expected->per_ms[event], from_ns);
		expected->scheduled[event]++;
	}
	expected->turn++;
	expected->round++;
}

static void expect_no_round(struct expectation *expected)
{
	unsigned n = expected->num_events, counters = expected->num_counters;
	unsigned size = n > counters ? counters : n;
	uint64_t last_turn = n > counters ? expected->turn - 1 : 0;
	for (unsigned i = 0; i < size; i++) {
		if (expected->scheduled[(counters * last_turn + i) % n] == 1)
			return;
	}
	for (unsigned i = 0; i < size; i++)
		expected->scheduled[(counters * last_turn + i) % n]--;
	expected->round--;
}

static void expect_run(struct expectation *expected, uint64_t from_ns, uint64_t to_ns,
		       uint64_t period_ns)
{
	uint64_t began = from_ns;
	while (began + period_ns < to_ns) {
		expect_turn(expected, began, began + period_ns);
		began += period_ns;
	}
	expect_turn(expected, began, to_ns);
	if (to_ns - began < period_ns / 2 && expected->round > 1)
		expect_no_round(expected);
}

static void assert_counts(const struct wperf_core_counts *counts,
			  const struct expectation *expected)
{
	assert_int_equal(counts->evt_num, expected->num_events + 1);
	assert_int_equal(counts->round, expected->round);
	assert_int_equal(counts->evts[0].event_idx, WPERF_CYCLE_EVENT);
	assert_int_equal(counts->evts[0].scheduled, expected->round);
	for (unsigned i = 0; i < expected->num_events; i++) {
		assert_int_equal(counts->evts[i + 1].value, expected->value[i]);
		assert_int_equal(counts->evts[i + 1].scheduled, expected->scheduled[i]);
	}
}

static uint64_t truth_per_ms(struct sim *sim, unsigned core, uint64_t event, bool with_kernel)
{
	uint64_t now = sim->now_ns;
	sim->now_ns = 1000000;
	uint64_t per_ms = sim_truth(sim, core, event, with_kernel);
	sim->now_ns = now;
	return per_ms;
}

struct random {
	uint64_t state;
};

static unsigned next(struct random *random, unsigned limit)
{
	random->state = random->state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(random->state >> 33) % limit;
}

// Random events on random counters for random times, started and stopped several times.
static void play_random_session(struct random *random)
{
	struct sim_config config = full_machine();
	config.counters = 1 + next(random, 8);
	config.busy_counters = next(random, config.counters);
	config.pmu_version = (uint8_t)(4 + next(random, 4));
	struct sim *sim = create_locked(&config);
	unsigned core = next(random, config.num_cores);
	bool with_kernel = next(random, 2);
	struct expectation expected = {
		.num_events = 1 + next(random, next(random, 10) ? 20 : MAX_TEST_EVENTS),
		.num_counters = config.counters - config.busy_counters,
	};
	uint16_t events[MAX_TEST_EVENTS];
	for (unsigned i = 0; i < expected.num_events; i++) {
		events[i] = some_events[next(random, sizeof(some_events) / sizeof(uint16_t))];
		expected.per_ms[i] = truth_per_ms(sim, core, events[i], with_kernel);
	}
	sim_advance(sim, next(random, 1000000000));
	assign_all(sim, WPERF_CLASS_CORE, events, (uint16_t)expected.num_events,
		   with_kernel ? 0 : WPERF_FILTER_EXCLUDE_EL1);
	uint64_t cycles = 0;
	for (unsigned run = 1 + next(random, 4); run > 0; run--) {
		unsigned period_ms = 10 + next(random, 91);
		uint64_t from_ns = sim->now_ns;
		uint64_t cycles_before = sim_truth(sim, core, WPERF_CYCLE_EVENT, with_kernel);
		start(sim, WPERF_CONTROL_CORE, (int32_t)period_ms);
		for (unsigned step = 1 + next(random, 3); step > 0; step--) {
			sim_advance(sim, next(random, 3) ? next(random, 900000000) : 1);
			if (next(random, 2))
				read_core(sim, core); // changes nothing
		}
		expect_run(&expected, from_ns, sim->now_ns, MS(period_ms));
		cycles += sim_truth(sim, core, WPERF_CYCLE_EVENT, with_kernel) - cycles_before;
		stop(sim, WPERF_CONTROL_CORE);
		sim_advance(sim, next(random, 100000000)); // counts for nobody
		struct wperf_core_counts counts = read_core(sim, core);
		assert_counts(&counts, &expected);
		assert_int_equal(counts.evts[0].value, cycles);
	}
	free(sim);
}

static void test_random_sessions(void **state)
{
	struct random random = {1};
	for (unsigned i = 0; i < 400; i++)
		play_random_session(&random);
}

// A run that is shorter than a period counts all the same.
static void test_one_millisecond(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	assign_all(sim, WPERF_CLASS_CORE, some_events, 8, 0);
	start(sim, WPERF_CONTROL_CORE, 100);
	sim_advance(sim, MS(1));
	stop(sim, WPERF_CONTROL_CORE);
	struct wperf_core_counts counts = read_core(sim, 2);
	assert_int_equal(counts.round, 1);
	assert_int_equal(counts.evts[0].value, 2500000);
	for (unsigned i = 0; i < 8; i++) {
		bool is_first_window = i < 6;
		assert_int_equal(counts.evts[i + 1].scheduled, is_first_window);
		assert_int_equal(counts.evts[i + 1].value,
				 is_first_window ? sim_truth(sim, 2, some_events[i], true) : 0);
	}
	free(sim);
}

// value * round / scheduled, of a steady load, comes near the truth.
static void test_scaling(void **state)
{
	struct sim_config config = full_machine();
	for (uint64_t duration = MS(300); duration < MS(5000); duration += MS(37)) {
		struct sim *sim = create_locked(&config);
		assign_all(sim, WPERF_CLASS_CORE, some_events, 15, 0);
		start(sim, WPERF_CONTROL_CORE, 10);
		sim_advance(sim, duration);
		stop(sim, WPERF_CONTROL_CORE);
		struct wperf_core_counts counts = read_core(sim, 0);
		for (unsigned i = 0; i < 15; i++) {
			double scaled = (double)counts.evts[i + 1].value * (double)counts.round /
					(double)counts.evts[i + 1].scheduled;
			double truth = (double)sim_truth(sim, 0, some_events[i], true);
			assert_true(scaled > truth * 0.93 && scaled < truth * 1.07);
		}
		free(sim);
	}
}

static void test_filter(void **state)
{
	struct sim_config config = full_machine();
	for (unsigned with_kernel = 0; with_kernel < 2; with_kernel++) {
		struct sim *sim = create_locked(&config);
		uint64_t filter = with_kernel ? 0 : WPERF_FILTER_EXCLUDE_EL1;
		assign_all(sim, WPERF_CLASS_CORE, some_events, 3, filter);
		start(sim, WPERF_CONTROL_CORE, 100);
		sim_advance(sim, MS(1234));
		stop(sim, WPERF_CONTROL_CORE);
		struct wperf_core_counts counts = read_core(sim, 1);
		assert_int_equal(counts.evts[0].value,
				 MS(1234) / 1000 * (with_kernel ? 2500 : 2250));
		for (unsigned i = 0; i < 3; i++)
			assert_int_equal(counts.evts[i + 1].value,
					 sim_truth(sim, 1, some_events[i], with_kernel));
		for (unsigned i = 0; i < 4; i++)
			assert_int_equal(counts.evts[i].filter_bits, filter);
		free(sim);
	}
}

// At 30 GHz a counter of 32 bits goes round in nearly every period; at 100 GHz only 64 bits do,
// which are the operating system's choice (PMCR_EL0.LP).
static void test_wrap(void **state)
{
	static const struct {
		unsigned mhz;
		uint8_t pmu_version;
	} cases[] = {{30000, 4}, {30000, 6}, {100000, 6}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sim_config config = full_machine();
		config.mhz = cases[i].mhz;
		config.pmu_version = cases[i].pmu_version;
		struct sim *sim = create_locked(&config);
		if (cases[i].pmu_version >= 6)
			sim->registers[0][DRIVER_PMCR_EL0] |= 0x80;
		static const uint16_t events[] = {0x11, 0x1b};
		assign_all(sim, WPERF_CLASS_CORE, events, 2, 0);
		start(sim, WPERF_CONTROL_CORE, 100);
		sim_advance(sim, MS(10050));
		stop(sim, WPERF_CONTROL_CORE);
		struct wperf_core_counts counts = read_core(sim, 0);
		for (unsigned e = 0; e < 2; e++)
			assert_int_equal(counts.evts[e + 1].value,
					 sim_truth(sim, 0, events[e], true));
		free(sim);
	}
}

// Neither the width of counters nor registers of somebody else's are ours to change.
static void test_busy_counters_are_left_alone(void **state)
{
	struct sim_config config = full_machine();
	config.pmu_version = 6;
	config.busy_counters = 2;
	struct sim *sim = create_locked(&config);
	uint64_t before[4], after[4];
	memcpy(before, &sim->registers[0][DRIVER_PMEVCNTR0_EL0], 2 * sizeof(uint64_t));
	memcpy(before + 2, &sim->registers[0][DRIVER_PMEVTYPER0_EL0], 2 * sizeof(uint64_t));
	sim->registers[0][DRIVER_PMINTENSET_EL1] = 0xf; // those of counters 2 and 3 would be for us
	sim->registers[0][DRIVER_PMCNTENSET_EL0] = 0x80000000;
	assign_all(sim, WPERF_CLASS_CORE, some_events, 9, 0);
	start(sim, WPERF_CONTROL_CORE, 10);
	sim_advance(sim, MS(95));
	assert_int_equal(sim->registers[0][DRIVER_PMCNTENSET_EL0], 0x8000007c);
	assert_int_equal(sim->registers[0][DRIVER_PMINTENSET_EL1], 3);
	assert_int_equal(sim->registers[0][DRIVER_PMCR_EL0] & 0x80, 0);
	stop(sim, WPERF_CONTROL_CORE);
	memcpy(after, &sim->registers[0][DRIVER_PMEVCNTR0_EL0], 2 * sizeof(uint64_t));
	memcpy(after + 2, &sim->registers[0][DRIVER_PMEVTYPER0_EL0], 2 * sizeof(uint64_t));
	assert_memory_equal(before, after, sizeof(before));
	assert_int_equal(sim->registers[0][DRIVER_PMINTENSET_EL1], 0xf); // as before
	assert_int_equal(sim->registers[0][DRIVER_PMCNTENSET_EL0], 0x80000000);
	free(sim);
}

static void test_no_free_counter(void **state)
{
	struct sim_config config = full_machine();
	config.busy_counters = config.counters;
	struct sim *sim = create_locked(&config);
	assign_all(sim, WPERF_CLASS_CORE, some_events, 3, 0);
	start(sim, WPERF_CONTROL_CORE, 10);
	sim_advance(sim, MS(100));
	stop(sim, WPERF_CONTROL_CORE);
	struct wperf_core_counts counts = read_core(sim, 0);
	assert_int_equal(counts.round, 10);
	assert_int_equal(counts.evts[0].value, 250000000);
	for (unsigned i = 1; i < 4; i++) {
		assert_int_equal(counts.evts[i].value, 0);
		assert_int_equal(counts.evts[i].scheduled, 0);
	}
	free(sim);
}

static void test_reset(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	assign_all(sim, WPERF_CLASS_CORE, some_events, 4, 0);
	start(sim, WPERF_CONTROL_CORE, 10);
	sim_advance(sim, MS(55));
	tell_all(sim, WPERF_PMU_CTL_RESET, WPERF_CONTROL_CORE); // it goes on from zero
	uint64_t before = sim_truth(sim, 3, 0x1b, true);
	sim_advance(sim, MS(5));
	stop(sim, WPERF_CONTROL_CORE);
	struct wperf_core_counts counts = read_core(sim, 3);
	assert_int_equal(counts.round, 1);
	assert_int_equal(counts.evts[1].value, sim_truth(sim, 3, 0x1b, true) - before);
	assert_int_equal(counts.evts[0].value, MS(5) / 1000 * 2500);
	tell_all(sim, WPERF_PMU_CTL_RESET, WPERF_CONTROL_CORE);
	counts = read_core(sim, 3);
	assert_int_equal(counts.evt_num, 5);
	assert_int_equal(counts.round, 0);
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(counts.evts[i].value, 0);
		assert_int_equal(counts.evts[i].scheduled, 0);
	}
	free(sim);
}

// Turns start again with the first window, be it in full run or at a stop.
static void test_reset_of_turns(void **state)
{
	for (unsigned stops = 0; stops < 2; stops++) {
		struct sim_config config = full_machine();
		struct sim *sim = create_locked(&config);
		assign_all(sim, WPERF_CLASS_CORE, some_events, 15, 0);
		start(sim, WPERF_CONTROL_CORE, 10);
		sim_advance(sim, MS(15)); // in the second of three windows
		if (stops)
			stop(sim, WPERF_CONTROL_CORE);
		tell_all(sim, WPERF_PMU_CTL_RESET, WPERF_CONTROL_CORE);
		if (stops)
			start(sim, WPERF_CONTROL_CORE, 10);
		sim_advance(sim, MS(2));
		struct wperf_core_counts counts = read_core(sim, 0);
		assert_int_equal(counts.round, 1);
		for (unsigned i = 0; i < 15; i++)
			assert_int_equal(counts.evts[i + 1].scheduled, i < 6);
		free(sim);
	}
}

static void test_assign_while_counting(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	assign_all(sim, WPERF_CLASS_CORE, some_events, 4, 0);
	start(sim, WPERF_CONTROL_CORE, 10);
	sim_advance(sim, MS(55));
	static const uint16_t other[] = {0x04};
	assign_all(sim, WPERF_CLASS_CORE, other, 1, 0);
	uint64_t before = sim_truth(sim, 0, 0x04, true);
	sim_advance(sim, MS(20));
	struct wperf_core_counts counts = read_core(sim, 0);
	assert_int_equal(counts.evt_num, 2);
	assert_int_equal(counts.evts[1].event_idx, 0x04);
	assert_int_equal(counts.evts[1].value, sim_truth(sim, 0, 0x04, true) - before);
	free(sim);
}

// Only the cores that were named count, and each what it was told to.
static void test_cores_are_apart(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	struct assign_request request = assign_begin(2, 0, 0);
	assign_add(&request, WPERF_CLASS_CORE, some_events, 2);
	tell(sim, WPERF_PMU_CTL_ASSIGN_EVENTS, request.bytes, request.size);
	struct wperf_control control = {
		.cores_count = 3,
		.cores_no = {2, 1, 2}, // twice is no harm
		.flags = WPERF_CONTROL_CORE,
	};
	tell(sim, WPERF_PMU_CTL_START, &control, sizeof(control));
	sim_advance(sim, MS(250));
	tell(sim, WPERF_PMU_CTL_STOP, &control, sizeof(control));
	assert_int_equal(read_core(sim, 0).evts[0].value, 0);
	assert_int_equal(read_core(sim, 0).round, 0);
	assert_int_equal(read_core(sim, 1).evts[0].value, 625000000);
	assert_int_equal(read_core(sim, 1).evt_num, 1);
	struct wperf_core_counts counts = read_core(sim, 2);
	assert_int_equal(counts.evt_num, 3);
	assert_int_equal(counts.round, 3); // the default period, as 0 is none
	assert_int_equal(counts.evts[1].value, sim_truth(sim, 2, some_events[0], true));
	free(sim);
}

static void test_path_independent(void **state)
{
	struct sim_config config = full_machine();
	struct sim *a = create_locked(&config);
	struct sim *b = create_locked(&config);
	struct sim *sims[] = {a, b};
	for (unsigned i = 0; i < 2; i++) {
		assign_all(sims[i], WPERF_CLASS_CORE, some_events, 15, 0);
		assign_all(sims[i], WPERF_CLASS_DSU, some_events, 15, 0);
		start(sims[i], 7, 33);
	}
	for (unsigned i = 0; i < 1000; i++)
		sim_advance(a, MS(1));
	sim_advance(b, MS(1000));
	for (unsigned core = 0; core < 4; core++) {
		struct wperf_core_counts of_a = read_core(a, core), of_b = read_core(b, core);
		assert_memory_equal(&of_a, &of_b, sizeof(of_a));
		struct wperf_dsu_counts dsu_of_a = read_dsu(a, core), dsu_of_b = read_dsu(b, core);
		assert_memory_equal(&dsu_of_a, &dsu_of_b, sizeof(dsu_of_a));
	}
	free(a);
	free(b);
}

static void test_timer_periods(void **state)
{
	static const struct {
		int32_t period;
		unsigned ms;
	} cases[] = {{10, 10},  {100, 100},       {9, 100},         {101, 100}, {0, 100},
		     {-1, 100}, {INT32_MIN, 100}, {INT32_MAX, 100}, {55, 55}};
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		start(sim, WPERF_CONTROL_CORE, cases[i].period);
		assert_int_equal(driver_core_timer_period_ms(&sim->core, 3), cases[i].ms);
		stop(sim, WPERF_CONTROL_CORE);
		assert_int_equal(driver_core_timer_period_ms(&sim->core, 3), 0);
	}
	struct wperf_control control = control_of_core(3, WPERF_CONTROL_DSU);
	tell(sim, WPERF_PMU_CTL_START, &control, sizeof(control));
	assert_int_equal(driver_core_timer_period_ms(&sim->core, 0), 0);
	assert_int_equal(driver_core_timer_period_ms(&sim->core, 2), 100);
	assert_int_equal(driver_core_timer_period_ms(&sim->core, 3), 0);
	start(sim, WPERF_CONTROL_CORE | WPERF_CONTROL_DMC, 20);
	assert_int_equal(driver_core_timer_period_ms(&sim->core, 0), 20);
	assert_int_equal(driver_core_timer_period_ms(&sim->core, 2), 20);
	free(sim);
}

// Nobody counts for a client that is gone, and the next one finds a clean machine.
static void assert_clean(struct sim *sim)
{
	for (unsigned core = 0; core < 4; core++) {
		assert_int_equal(driver_core_timer_period_ms(&sim->core, core), 0);
		assert_int_equal(sim->registers[core][DRIVER_PMCNTENSET_EL0], 0);
		assert_int_equal(sim->registers[core][DRIVER_CLUSTERPMCNTENSET_EL1], 0);
	}
	for (unsigned i = 0; i < DRIVER_DMC_NUM_COUNTERS; i++)
		assert_int_equal(sim->dmc_registers[2][i][DRIVER_DMC_CONTROL], 0);
	sim_advance(sim, MS(150));
	assert_int_equal(ask_for_lock(sim, ALICE, WPERF_PMU_CTL_LOCK_ACQUIRE, WPERF_LOCK_GET_FORCE),
			 WPERF_LOCK_ACQUIRED);
	for (unsigned core = 0; core < 4; core++) {
		assert_int_equal(read_core(sim, core).evt_num, 1);
		assert_int_equal(read_core(sim, core).evts[0].value, 0);
		assert_int_equal(read_dsu(sim, core).evt_num, 1);
		assert_int_equal(read_dsu(sim, core).evts[0].value, 0);
	}
	struct wperf_dmc_counts counts = read_dmc(sim, 2);
	assert_int_equal(counts.clk_events_num, 0);
}

static struct sim *create_busy(void)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	static const uint16_t dmc_events[] = {1, 2};
	assign_all(sim, WPERF_CLASS_CORE, some_events, 9, WPERF_FILTER_EXCLUDE_EL1);
	assign_all(sim, WPERF_CLASS_DSU, some_events, 9, 0);
	assign_all(sim, WPERF_CLASS_DMC_CLK, dmc_events, 2, 0);
	start(sim, 7, 10);
	sim_advance(sim, MS(15));
	return sim;
}

static void test_lock_loss(void **state)
{
	struct sim *sim = create_busy();
	sim_close(sim, BOB); // nothing to do with him
	assert_int_equal(driver_core_timer_period_ms(&sim->core, 1), 10);
	sim_close(sim, ALICE);
	assert_clean(sim);
	free(sim);

	sim = create_busy();
	ask_for_lock(sim, ALICE, WPERF_PMU_CTL_LOCK_RELEASE, WPERF_LOCK_RELEASE);
	assert_clean(sim);
	free(sim);

	sim = create_busy();
	assert_int_equal(ask_for_lock(sim, BOB, WPERF_PMU_CTL_LOCK_ACQUIRE, WPERF_LOCK_GET),
			 WPERF_LOCK_BUSY);
	assert_int_equal(ask_for_lock(sim, ALICE, WPERF_PMU_CTL_LOCK_ACQUIRE, WPERF_LOCK_GET_FORCE),
			 WPERF_LOCK_ACQUIRED);
	assert_int_equal(driver_core_timer_period_ms(&sim->core, 1), 10); // it was its own
	ask_for_lock(sim, BOB, WPERF_PMU_CTL_LOCK_ACQUIRE, WPERF_LOCK_GET_FORCE);
	struct wperf_control control = control_of_core(0, WPERF_CONTROL_CORE);
	struct answer answer = ask(sim, ALICE, WPERF_PMU_CTL_STOP, &control, sizeof(control));
	assert_int_equal(answer.status, DRIVER_INVALID_DEVICE_STATE);
	assert_clean(sim);
	free(sim);
}

// A late tick comes after the stop.
static void test_stray_tick(void **state)
{
	struct sim *sim = create_busy();
	stop(sim, 7);
	struct wperf_core_counts before = read_core(sim, 0);
	for (unsigned core = 0; core < 4; core++)
		driver_core_tick(&sim->core, core);
	struct wperf_core_counts after = read_core(sim, 0);
	assert_memory_equal(&before, &after, sizeof(before));
	free(sim);
}

// An event that changes under a running counter would count for its successor.
static void write_watched(void *context, unsigned cpu, enum driver_register reg, uint64_t value)
{
	struct sim *sim = context;
	uint64_t enabled = sim->registers[cpu][DRIVER_PMCNTENSET_EL0];
	if (reg >= DRIVER_PMEVTYPER0_EL0 && reg <= DRIVER_PMEVTYPER30_EL0)
		assert_false(enabled >> (reg - DRIVER_PMEVTYPER0_EL0) & 1);
	if (reg >= DRIVER_PMEVCNTR0_EL0 && reg <= DRIVER_PMEVCNTR30_EL0)
		assert_false(enabled >> (reg - DRIVER_PMEVCNTR0_EL0) & 1);
	assert_int_not_equal(reg, DRIVER_PMCCNTR_EL0); // other software uses it
	register_file_ops.write(context, cpu, reg, value);
}

static void test_counters_stand_still_to_be_programmed(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	struct driver_register_ops ops = register_file_ops;
	ops.write = write_watched;
	sim->core.registers.ops = &ops;
	assign_all(sim, WPERF_CLASS_CORE, some_events, 15, 0);
	start(sim, WPERF_CONTROL_CORE, 10);
	sim_advance(sim, MS(95));
	tell_all(sim, WPERF_PMU_CTL_RESET, WPERF_CONTROL_CORE);
	assign_all(sim, WPERF_CLASS_CORE, some_events, 3, 0);
	sim_advance(sim, MS(95));
	assert_int_equal(read_core(sim, 0).round, 10);
	free(sim);
}

// Both cores of a cluster start, stop and reset it; it counts once.
static void test_dsu(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	static const uint16_t events[] = {0x2b, 0x2a, 0x1d};
	assign_all(sim, WPERF_CLASS_DSU, events, 3, WPERF_FILTER_EXCLUDE_EL1);
	start(sim, WPERF_CONTROL_DSU, 100);
	sim_advance(sim, MS(777) + 13);
	stop(sim, WPERF_CONTROL_DSU);
	for (unsigned core = 0; core < 4; core++) {
		struct wperf_dsu_counts counts = read_dsu(sim, core);
		assert_int_equal(counts.evt_num, 4);
		assert_int_equal(counts.round, 8);
		assert_int_equal(counts.evts[0].event_idx, WPERF_CYCLE_EVENT);
		assert_int_equal(counts.evts[0].value,
				 sim_truth_of_cluster(sim, core / 2, WPERF_CYCLE_EVENT));
		for (unsigned i = 0; i < 3; i++) {
			assert_int_equal(counts.evts[i + 1].value,
					 sim_truth_of_cluster(sim, core / 2, events[i]));
			assert_int_equal(counts.evts[i + 1].scheduled, 8);
		}
	}
	assert_int_equal(read_core(sim, 0).round, 0);

	struct wperf_control control = control_of_core(1, WPERF_CONTROL_DSU);
	tell(sim, WPERF_PMU_CTL_RESET, &control, sizeof(control));
	assert_int_equal(read_dsu(sim, 0).round, 0);
	assert_int_equal(read_dsu(sim, 2).round, 8);
	free(sim);
}

static void test_dsu_multiplexed(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	struct expectation expected = {.num_events = 15, .num_counters = 6};
	sim->now_ns = 1000000;
	for (unsigned i = 0; i < 15; i++)
		expected.per_ms[i] = sim_truth_of_cluster(sim, 1, some_events[i]);
	sim->now_ns = 0;
	assign_all(sim, WPERF_CLASS_DSU, some_events, 15, 0);
	start(sim, WPERF_CONTROL_DSU, 30);
	sim_advance(sim, MS(500));
	stop(sim, WPERF_CONTROL_DSU);
	expect_run(&expected, 0, MS(500), MS(30));
	struct wperf_dsu_counts counts = read_dsu(sim, 3);
	assert_int_equal(counts.round, expected.round);
	for (unsigned i = 0; i < 15; i++) {
		assert_int_equal(counts.evts[i + 1].value, expected.value[i]);
		assert_int_equal(counts.evts[i + 1].scheduled, expected.scheduled[i]);
	}
	free(sim);
}

static void check_channel(struct sim *sim, unsigned channel, const struct wperf_dmc_counts *counts,
			  unsigned num_clk, unsigned num_clkdiv2)
{
	assert_int_equal(counts->clk_events_num, num_clk);
	assert_int_equal(counts->clkdiv2_events_num, num_clkdiv2);
	for (unsigned i = 0; i < num_clk; i++)
		assert_int_equal(counts->clk_events[i].value,
				 sim_truth_of_channel(sim, channel, DRIVER_DMC_CLK,
						      counts->clk_events[i].event_idx));
	for (unsigned i = 0; i < num_clkdiv2; i++)
		assert_int_equal(counts->clkdiv2_events[i].value,
				 sim_truth_of_channel(sim, channel, DRIVER_DMC_CLKDIV2,
						      counts->clkdiv2_events[i].event_idx));
}

// 20 seconds: the counters of 32 bits go round.
static void test_dmc(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	static const uint16_t clk[] = {0, 2}, clkdiv2[] = {0, 18, 1, 2, 3, 4, 5, 25};
	assign_all(sim, WPERF_CLASS_DMC_CLK, clk, 2, 0);
	assign_all(sim, WPERF_CLASS_DMC_CLKDIV2, clkdiv2, 8, 0); // leaves the others alone
	start(sim, WPERF_CONTROL_DMC, 100);
	sim_advance(sim, MS(20000));
	stop(sim, WPERF_CONTROL_DMC);
	struct wperf_control control = {.dmc_idx = WPERF_ALL_DMCS, .flags = WPERF_CONTROL_DMC};
	struct wperf_dmc_counts all[3];
	read_counts(sim, WPERF_DMC_CTL_READ_COUNTING, &control, all, sizeof(all));
	for (uint8_t channel = 0; channel < 3; channel++) {
		check_channel(sim, channel, &all[channel], 2, 8);
		struct wperf_dmc_counts one = read_dmc(sim, channel);
		assert_memory_equal(&one, &all[channel], sizeof(one));
		assert_int_equal(one.clk_events[0].scheduled, 200);
	}
	assert_int_equal(all[0].clkdiv2_events[1].event_idx, 18);
	free(sim);
}

static void test_dmc_channels_are_apart(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	static const uint16_t clkdiv2[] = {18};
	struct assign_request request = assign_begin(0, 1, 0);
	assign_add(&request, WPERF_CLASS_DMC_CLKDIV2, clkdiv2, 1);
	tell(sim, WPERF_PMU_CTL_ASSIGN_EVENTS, request.bytes, request.size);
	struct wperf_control control = control_of_core(0, WPERF_CONTROL_DMC);
	control.dmc_idx = 1;
	tell(sim, WPERF_PMU_CTL_START, &control, sizeof(control));
	sim_advance(sim, MS(5));
	struct wperf_dmc_counts counts = read_dmc(sim, 1); // while it counts
	check_channel(sim, 1, &counts, 0, 1);
	tell(sim, WPERF_PMU_CTL_STOP, &control, sizeof(control));
	assert_int_equal(read_dmc(sim, 0).clkdiv2_events_num, 0);
	assert_int_equal(read_dmc(sim, 2).clkdiv2_events_num, 0);
	tell_all(sim, WPERF_PMU_CTL_RESET, WPERF_CONTROL_DMC);
	assert_int_equal(read_dmc(sim, 1).clkdiv2_events[0].value, 0);
	assert_int_equal(read_dmc(sim, 1).clkdiv2_events_num, 1);
	free(sim);
}

// All classes in one request, all units at once; then one class changes and the others do not.
static void test_classes_are_apart(void **state)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	static const uint16_t dsu[] = {0x2b}, clk[] = {1}, clkdiv2[] = {18, 19}, core[] = {0x1b};
	struct assign_request request =
		assign_begin(WPERF_ALL_CORES, WPERF_ALL_DMCS, WPERF_FILTER_EXCLUDE_EL1);
	assign_add(&request, WPERF_CLASS_DMC_CLKDIV2, clkdiv2, 2);
	assign_add(&request, WPERF_CLASS_CORE, core, 1);
	assign_add(&request, WPERF_CLASS_DMC_CLK, clk, 1);
	assign_add(&request, WPERF_CLASS_DSU, dsu, 1);
	tell(sim, WPERF_PMU_CTL_ASSIGN_EVENTS, request.bytes, request.size);
	start(sim, 7, 100);
	sim_advance(sim, MS(100));
	assign_all(sim, WPERF_CLASS_DMC_CLK, NULL, 0, 0);
	sim_advance(sim, MS(100));
	stop(sim, 7);
	assert_int_equal(read_core(sim, 0).evts[1].value, sim_truth(sim, 0, 0x1b, false));
	assert_int_equal(read_dsu(sim, 0).evts[1].value, sim_truth_of_cluster(sim, 0, 0x2b));
	struct wperf_dmc_counts counts = read_dmc(sim, 0);
	check_channel(sim, 0, &counts, 0, 2);
	free(sim);
}

enum { EVENT_LIMIT = 0x100 };

// What a machine was told, by core; the context of its registers is the sim.
static uint64_t told_events[4][EVENT_LIMIT], told_cycles[4];

static void listen(void *context, unsigned cpu, uint32_t event, unsigned counter, uint64_t value)
{
	const struct sim *sim = context;
	assert_true(cpu < sim->config.num_cores);
	if (event == WPERF_CYCLE_EVENT) {
		assert_int_equal(counter, WPERF_CYCLE_COUNTER);
		told_cycles[cpu] += value;
		return;
	}
	assert_true(counter < sim->config.counters && event < EVENT_LIMIT);
	told_events[cpu][event] += value;
}

// Multiplexed, read in the middle, and of cores only.
static void test_what_is_told_adds_up(void **state)
{
	static const uint16_t of_clusters[] = {0x2b};
	struct sim_config config = full_machine();
	struct sim *sim = create_locked(&config);
	struct driver_register_ops ops = register_file_ops;
	ops.counted = listen;
	sim->core.registers.ops = &ops;
	memset(told_events, 0, sizeof(told_events));
	memset(told_cycles, 0, sizeof(told_cycles));
	assign_all(sim, WPERF_CLASS_CORE, some_events, 10, 0);
	assign_all(sim, WPERF_CLASS_DSU, of_clusters, 1, 0);
	start(sim, WPERF_CONTROL_CORE | WPERF_CONTROL_DSU, 10);
	sim_advance(sim, MS(123));
	read_core(sim, 2);
	sim_advance(sim, MS(321));
	stop(sim, WPERF_CONTROL_CORE | WPERF_CONTROL_DSU);
	for (unsigned core = 0; core < config.num_cores; core++) {
		struct wperf_core_counts counts = read_core(sim, core);
		assert_int_equal(told_cycles[core], counts.evts[0].value);
		for (unsigned i = 0; i < 10; i++)
			assert_int_equal(told_events[core][some_events[i]],
					 counts.evts[i + 1].value);
		assert_true(counts.evts[10].value > 0);
	}
	assert_int_equal(told_events[0][of_clusters[0]], 0);
	free(sim);
}

int driver_counting_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_sessions),
		cmocka_unit_test(test_one_millisecond),
		cmocka_unit_test(test_scaling),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_busy_counters_are_left_alone),
		cmocka_unit_test(test_no_free_counter),
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_reset_of_turns),
		cmocka_unit_test(test_assign_while_counting),
		cmocka_unit_test(test_cores_are_apart),
		cmocka_unit_test(test_path_independent),
		cmocka_unit_test(test_timer_periods),
		cmocka_unit_test(test_lock_loss),
		cmocka_unit_test(test_stray_tick),
		cmocka_unit_test(test_counters_stand_still_to_be_programmed),
		cmocka_unit_test(test_dsu),
		cmocka_unit_test(test_dsu_multiplexed),
		cmocka_unit_test(test_dmc),
		cmocka_unit_test(test_dmc_channels_are_apart),
		cmocka_unit_test(test_classes_are_apart),
		cmocka_unit_test(test_what_is_told_adds_up),
	};
	return cmocka_run_group_tests_name("driver_counting", tests, NULL, NULL);
}
