// SPDX-License-Identifier: Apache-2.0

// What the driver loses, and says so: cores that are switched off, computers that sleep, interrupts
// that come too often.

#include "tests/unit/sim_fixture.h"

enum { CORE = 1, EVENT = 0x1b, OTHER = 0x08, INTERVAL = 1000000 };

#define ONLY_USER   WPERF_FILTER_EXCLUDE_EL1
#define ONLY_KERNEL WPERF_FILTER_EXCLUDE_EL0

static struct sim *create_locked(void)
{
	struct sim_config config = full_machine();
	struct sim *sim = create_sim(&config);
	take_lock(sim, ALICE);
	return sim;
}

static struct wperf_losses losses_of(struct sim *sim)
{
	struct wperf_losses losses;
	uint32_t any = 0;
	struct answer answer =
		ask_sized(sim, ALICE, WPERF_LOSSES_CTL_QUERY, &any, sizeof(any), sizeof(losses));
	assert_int_equal(answer.status, DRIVER_OK);
	assert_int_equal(answer.size, sizeof(losses));
	memcpy(&losses, answer.bytes, sizeof(losses));
	return losses;
}

static uint64_t truth(const struct sim *sim, uint64_t event)
{
	return sim_truth(sim, CORE, event, true);
}

static void start_counting(struct sim *sim, const uint16_t *events, uint16_t num)
{
	assign_all(sim, WPERF_CLASS_CORE, events, num, 0);
	tell_all(sim, WPERF_PMU_CTL_START, WPERF_CONTROL_CORE);
}

// Found by the next tick, a read or the stop: what was counted since the one before is lost.
static void test_counts_of_a_core_that_was_off(void **state)
{
	static const uint16_t events[] = {EVENT, OTHER};
	enum { BY_TICK, BY_READ, BY_STOP, NUM_WAYS };
	for (unsigned way = 0; way < NUM_WAYS; way++) {
		struct sim *sim = create_locked();
		start_counting(sim, events, 2);
		sim_advance(sim, MS(100) + 1); // a tick
		uint64_t seen = truth(sim, EVENT);
		struct wperf_core_counts before = read_core(sim, CORE);
		assert_int_equal(before.evts[1].value, seen);
		sim_advance(sim, MS(50));
		sim_switch_off(sim, CORE);
		sim_advance(sim, way == BY_TICK ? MS(50) : MS(10));
		if (way == BY_READ)
			read_core(sim, CORE);
		uint64_t lost_until = truth(sim, EVENT);
		if (way != BY_STOP)
			sim_advance(sim, MS(70));
		tell_all(sim, WPERF_PMU_CTL_STOP, WPERF_CONTROL_CORE);
		struct wperf_core_counts counts = read_core(sim, CORE);
		uint64_t after = way == BY_STOP ? 0 : truth(sim, EVENT) - lost_until;
		assert_in_range(counts.evts[1].value, seen + after, seen + after + 3);
		assert_int_equal(counts.evts[1].scheduled, counts.round);
		assert_int_equal(losses_of(sim).lost_rounds, 1);
		// The others were on all the time.
		assert_int_equal(read_core(sim, 0).evts[1].value, sim_truth(sim, 0, EVENT, true));
		tell_all(sim, WPERF_PMU_CTL_RESET, WPERF_CONTROL_CORE);
		assert_int_equal(losses_of(sim).lost_rounds, 0);
		free(sim);
	}
}

// Ten events share six counters; a lost period has no part in what they are scaled to.
static void test_turns_of_a_core_that_was_off(void **state)
{
	static const uint16_t events[] = {0x1b, 0x08, 0x70, 0x71, 0x73,
					  0x03, 0x04, 0x10, 0x12, 0x11};
	enum { NUM = sizeof(events) / sizeof(events[0]), NUM_PERIODS = 40, NUM_OFF = 7 };
	struct sim *sim = create_locked();
	start_counting(sim, events, NUM);
	for (unsigned i = 0; i < NUM_PERIODS; i++) {
		sim_advance(sim, MS(60));
		if (i % 5 == 2 && i / 5 < NUM_OFF)
			sim_switch_off(sim, CORE);
		sim_advance(sim, MS(40));
	}
	tell_all(sim, WPERF_PMU_CTL_STOP, WPERF_CONTROL_CORE);
	assert_int_equal(losses_of(sim).lost_rounds, NUM_OFF);
	struct wperf_core_counts counts = read_core(sim, CORE);
	assert_int_equal(counts.round, NUM_PERIODS - NUM_OFF);
	uint64_t share = counts.round;
	for (unsigned i = 0; i < NUM; i++) {
		const struct wperf_event_count *event = &counts.evts[i + 1];
		uint64_t scaled = event->value * share / event->scheduled;
		uint64_t wanted = truth(sim, events[i]) * share / NUM_PERIODS;
		assert_in_range(scaled, wanted - wanted / 1000 - 1, wanted + wanted / 1000 + 1);
	}
	free(sim);
}

static void start_sampling(struct sim *sim, uint32_t interval, uint32_t filter)
{
	struct {
		struct wperf_sample_source head;
		struct wperf_sample_event event;
	} source = {{CORE}, {WPERF_CYCLE_EVENT, interval, filter}};
	struct wperf_ring_start start = {.control = control_of_core(CORE, WPERF_CONTROL_CORE)};
	tell(sim, WPERF_PMU_CTL_SAMPLE_SET_SRC, &source, sizeof(source));
	tell(sim, WPERF_RING_CTL_START, &start, sizeof(start));
}

static struct wperf_sample_summary stop_sampling(struct sim *sim)
{
	struct wperf_control control = control_of_core(CORE, WPERF_CONTROL_CORE);
	struct wperf_sample_summary summary;
	read_counts(sim, WPERF_RING_CTL_STOP, &control, &summary, sizeof(summary));
	return summary;
}

static bool is_waiting(struct sim *sim)
{
	struct wperf_ring_wait wait = {0};
	return ask_sized(sim, ALICE, WPERF_RING_CTL_WAIT, &wait, sizeof(wait),
			 sizeof(struct wperf_ring_ready))
		       .status == DRIVER_PENDING;
}

static void test_samples_of_a_core_that_was_off(void **state)
{
	struct sim *sim = create_locked();
	start_sampling(sim, INTERVAL, ONLY_USER);
	sim_advance(sim, MS(105));
	uint64_t before = sim_truth(sim, CORE, WPERF_CYCLE_EVENT, false) / INTERVAL;
	sim_switch_off(sim, CORE);
	sim_advance(sim, MS(6)); // the tick at 110 ms has come
	assert_int_equal(losses_of(sim).lost_samplings, 1);
	uint64_t lost = sim_truth(sim, CORE, WPERF_CYCLE_EVENT, false);
	sim_advance(sim, MS(89));
	uint64_t after = (sim_truth(sim, CORE, WPERF_CYCLE_EVENT, false) - lost) / INTERVAL;
	assert_in_range(stop_sampling(sim).sample_generated, before + after, before + after + 3);
	free(sim);
}

// Each interrupt takes 2 us, and all the time if it is allowed to.
static void test_too_many_interrupts_are_throttled(void **state)
{
	enum { SHORT = 1000, INTERRUPT_NS = 2000 };
	struct sim *sim = create_locked();
	start_sampling(sim, SHORT, ONLY_USER);
	struct wperf_ring_read read = {CORE};
	for (unsigned i = 0; i < 200; i++) {
		sim_advance(sim, MS(1));
		ask_sized(sim, ALICE, WPERF_RING_CTL_READ, &read, sizeof(read), WPERF_MAX_OUTPUT);
	}
	uint64_t num_interrupts = sim->core.samplings[CORE].summary.sample_generated -
				  sim->core.samplings[CORE].summary.sample_dropped;
	struct wperf_sample_summary summary = stop_sampling(sim);
	assert_in_range(num_interrupts * INTERRUPT_NS, MS(200) / 4, MS(200) * 6 / 10);
	assert_in_range(losses_of(sim).num_throttled, 3, 8);
	assert_int_equal(summary.sample_generated,
			 sim_truth(sim, CORE, WPERF_CYCLE_EVENT, false) / SHORT);
	assert_int_equal(summary.sample_generated - summary.sample_dropped, num_interrupts);
	start_sampling(sim, INTERVAL, ONLY_USER);
	assert_int_equal(losses_of(sim).num_throttled, 0);
	free(sim);
}

// As fast as is calm, for ever.
static void test_calm_sampling_is_never_throttled(void **state)
{
	enum { CALM = 2250000 / 50 }; // 50 a millisecond
	struct sim *sim = create_locked();
	start_sampling(sim, CALM, ONLY_USER);
	sim_advance(sim, MS(2000));
	assert_int_equal(stop_sampling(sim).sample_generated, 100000);
	assert_int_equal(losses_of(sim).num_throttled, 0);
	free(sim);
}

struct interruption {
	struct sim *sim;
	uint64_t late;
};

static void interrupt_late(void *argument)
{
	const struct interruption *interruption = argument;
	struct sim *sim = interruption->sim;
	uint64_t *registers = sim->registers[CORE];
	unsigned counter = sim->core.samplings[CORE].counters.cycle_index;
	const struct driver_interrupted interrupted = {.pc = 0x1000};
	registers[DRIVER_PMEVCNTR0_EL0 + counter] = interruption->late;
	registers[DRIVER_PMOVSCLR_EL0] |= UINT64_C(1) << counter;
	assert_true(driver_core_overflow(&sim->core, CORE, &interrupted));
}

// The kernel is sampled: the end of this interrupt must not be the next one.
static void test_an_interrupt_has_time_to_end(void **state)
{
	enum { SHORT = WPERF_MIN_KERNEL_INTERVAL, REST = SHORT / 2 };
	static const struct {
		uint64_t late;
		uint32_t filter, left, dropped;
	} cases[] = {
		{0, ONLY_KERNEL, SHORT, 0},
		{300, ONLY_KERNEL, SHORT - 300, 0},
		{SHORT - REST, ONLY_KERNEL, REST, 0},
		{SHORT - REST + 1, ONLY_KERNEL, SHORT + REST - 1, 1},
		{SHORT - 1, 0, SHORT + 1, 1},
		{3 * SHORT - 1, 0, SHORT + 1, 3},
		{SHORT - 1, ONLY_USER, 1, 0},
		{3 * SHORT - 1, ONLY_USER, 1, 2},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sim *sim = create_locked();
		start_sampling(sim, SHORT, cases[i].filter);
		struct interruption interruption = {sim, cases[i].late};
		driver_registers_on_cpu(&sim->core.registers, CORE, interrupt_late, &interruption);
		unsigned counter = sim->core.samplings[CORE].counters.cycle_index;
		uint64_t value = sim->registers[CORE][DRIVER_PMEVCNTR0_EL0 + counter];
		assert_int_equal((0 - value) & UINT32_MAX, cases[i].left);
		struct wperf_sample_summary summary = stop_sampling(sim);
		assert_int_equal(summary.sample_dropped, cases[i].dropped);
		assert_int_equal(summary.sample_generated, cases[i].dropped + 1);
		free(sim);
	}
}

// The core is off meanwhile, as it is in a real sleep.
static void sleep_for(struct sim *sim, uint64_t duration_ns)
{
	driver_core_suspend(&sim->core);
	sim_advance(sim, duration_ns / 2);
	for (unsigned cpu = 0; cpu < sim->config.num_cores; cpu++)
		sim_switch_off(sim, cpu);
	sim_advance(sim, duration_ns / 2);
	driver_core_resume(&sim->core);
}

static void test_counts_around_a_sleep(void **state)
{
	static const uint16_t events[] = {EVENT, OTHER};
	static const uint16_t of_channel[] = {1};
	enum { ALL = WPERF_CONTROL_CORE | WPERF_CONTROL_DSU | WPERF_CONTROL_DMC };
	struct sim *sim = create_locked();
	assign_all(sim, WPERF_CLASS_CORE, events, 2, 0);
	assign_all(sim, WPERF_CLASS_DSU, events, 1, 0);
	assign_all(sim, WPERF_CLASS_DMC_CLKDIV2, of_channel, 1, 0);
	tell_all(sim, WPERF_PMU_CTL_START, ALL);
	sim_advance(sim, MS(250));
	uint64_t before[] = {truth(sim, EVENT), sim_truth_of_cluster(sim, 0, EVENT),
			     sim_truth_of_channel(sim, 2, DRIVER_DMC_CLKDIV2, 1)};
	sleep_for(sim, MS(3000));
	assert_int_equal(read_core(sim, CORE).evts[1].value, before[0]);
	before[0] = truth(sim, EVENT) - before[0];
	before[1] = sim_truth_of_cluster(sim, 0, EVENT) - before[1];
	before[2] = sim_truth_of_channel(sim, 2, DRIVER_DMC_CLKDIV2, 1) - before[2];
	sim_advance(sim, MS(250));
	tell_all(sim, WPERF_PMU_CTL_STOP, ALL);
	assert_in_range(read_core(sim, CORE).evts[1].value, truth(sim, EVENT) - before[0] - 1,
			truth(sim, EVENT) - before[0] + 1);
	uint64_t wanted = sim_truth_of_cluster(sim, 0, EVENT) - before[1];
	assert_in_range(read_dsu(sim, 0).evts[1].value, wanted - 1, wanted + 1);
	wanted = sim_truth_of_channel(sim, 2, DRIVER_DMC_CLKDIV2, 1) - before[2];
	assert_in_range(read_dmc(sim, 2).clkdiv2_events[0].value, wanted - 1, wanted + 1);
	assert_int_equal(losses_of(sim).lost_rounds, 0);
	free(sim);
}

// A client may ask while the computer goes to sleep, and may end what it began.
static void test_requests_in_a_sleep(void **state)
{
	static const uint16_t events[] = {EVENT};
	struct sim *sim = create_locked();
	start_counting(sim, events, 1);
	sim_advance(sim, MS(30));
	uint64_t counted = truth(sim, EVENT);
	driver_core_suspend(&sim->core);
	sim_advance(sim, MS(30));
	driver_core_suspend(&sim->core);
	assert_int_equal(read_core(sim, CORE).evts[1].value, counted);
	tell_all(sim, WPERF_PMU_CTL_STOP, WPERF_CONTROL_CORE);
	driver_core_resume(&sim->core);
	sim_advance(sim, MS(30));
	assert_int_equal(read_core(sim, CORE).evts[1].value, counted);
	assert_int_equal(sim->core.cores[CORE].period_ms, 0);
	start_sampling(sim, INTERVAL, ONLY_USER);
	driver_core_suspend(&sim->core);
	sim_advance(sim, MS(30));
	assert_int_equal(stop_sampling(sim).sample_generated, 0);
	driver_core_resume(&sim->core);
	sim_advance(sim, MS(30));
	assert_int_equal(stop_sampling(sim).sample_generated, 0);
	free(sim);
}

static void test_samples_around_a_sleep(void **state)
{
	struct sim *sim = create_locked();
	start_sampling(sim, INTERVAL, ONLY_USER);
	sim_advance(sim, MS(100));
	driver_core_suspend(&sim->core);
	uint64_t before = sim->core.samplings[CORE].summary.sample_generated;
	sim_switch_off(sim, CORE);
	sim_advance(sim, MS(500));
	// Nothing has ended: who waits goes on waiting.
	assert_true(is_waiting(sim));
	driver_core_resume(&sim->core);
	sim_advance(sim, MS(100));
	struct wperf_sample_summary summary = stop_sampling(sim);
	assert_int_equal(before, 225);
	assert_int_equal(summary.sample_generated, 450);
	assert_int_equal(summary.sample_dropped, 0);
	assert_int_equal(losses_of(sim).lost_samplings, 0);
	free(sim);
}

static void test_nobody_tells_of_overflows(void **state)
{
	static const uint16_t events[] = {EVENT};
	struct sim_config config = full_machine();
	config.no_interrupts = true;
	struct sim *sim = create_sim(&config);
	take_lock(sim, ALICE);
	struct {
		struct wperf_sample_source head;
		struct wperf_sample_event event;
	} source = {{CORE}, {WPERF_CYCLE_EVENT, INTERVAL, ONLY_USER}};
	assert_int_equal(ask_sized(sim, ALICE, WPERF_PMU_CTL_SAMPLE_SET_SRC, &source,
				   sizeof(source), 0)
				 .status,
			 DRIVER_NOT_SUPPORTED);
	uint32_t any = 0;
	assert_int_equal(ask(sim, ALICE, WPERF_RING_CTL_QUERY, &any, sizeof(any)).status,
			 DRIVER_NOT_SUPPORTED);
	start_counting(sim, events, 1);
	sim_advance(sim, MS(30));
	assert_int_equal(read_core(sim, CORE).evts[1].value, truth(sim, EVENT));
	free(sim);
}

int driver_losses_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts_of_a_core_that_was_off),
		cmocka_unit_test(test_turns_of_a_core_that_was_off),
		cmocka_unit_test(test_samples_of_a_core_that_was_off),
		cmocka_unit_test(test_too_many_interrupts_are_throttled),
		cmocka_unit_test(test_calm_sampling_is_never_throttled),
		cmocka_unit_test(test_an_interrupt_has_time_to_end),
		cmocka_unit_test(test_counts_around_a_sleep),
		cmocka_unit_test(test_requests_in_a_sleep),
		cmocka_unit_test(test_samples_around_a_sleep),
		cmocka_unit_test(test_nobody_tells_of_overflows),
	};
	return cmocka_run_group_tests_name("driver_losses", tests, NULL, NULL);
}
