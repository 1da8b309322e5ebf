// SPDX-License-Identifier: Apache-2.0

// More events than counters: two counters with a gap between them, a third for cycles, five events.

#include "tests/baremetal/client.h"
#include "tests/baremetal/events.h"
#include "tests/baremetal/loops.h"
#include "tests/baremetal/tests.h"

enum { PERIOD_MS = 10, FREE_COUNTERS = 1 << 0 | 1 << 2 | 1 << 3, NUM_COUNTERS = 2 };

enum {
	AT_INST_RETIRED,
	AT_SW_INCR,
	AT_CPU_CYCLES,
	AT_STALL_BACKEND,
	AT_SECOND_SW_INCR,
	NUM_EVENTS,
};

static const uint16_t events[NUM_EVENTS] = {
	[AT_INST_RETIRED] = INST_RETIRED, [AT_SW_INCR] = SW_INCR,
	[AT_CPU_CYCLES] = CPU_CYCLES,     [AT_STALL_BACKEND] = STALL_BACKEND,
	[AT_SECOND_SW_INCR] = SW_INCR,
};

static bool has_turn(unsigned event, unsigned turn)
{
	for (unsigned i = 0; i < NUM_COUNTERS; i++) {
		if ((NUM_COUNTERS * turn + i) % NUM_EVENTS == event)
			return true;
	}
	return false;
}

// What happens of each event in a turn; no two turns are alike.
enum { ROUNDS = 1000, MAX_CALLS = 600 };

static uint64_t work_in_turn(unsigned event, unsigned turn)
{
	switch (events[event]) {
	case SW_INCR:
		return turn + 1;
	case STALL_BACKEND:
		return 0;
	default:
		return (turn + 1) * (uint64_t)(ROUNDS * LOOP_ROUND);
	}
}

static void work(unsigned turn)
{
	for (unsigned i = 0; i <= turn; i++) {
		loop_of_sums(ROUNDS);
		event_increment();
	}
}

// Of an event that happens between the calls that begin and end a turn, calls add some.
static uint64_t max_extra_in_turn(unsigned event, unsigned turn)
{
	bool is_of_calls = event == AT_INST_RETIRED || event == AT_CPU_CYCLES;
	unsigned per_loop = 10;
	return is_of_calls ? MAX_CALLS + per_loop * (turn + 1) : 0;
}

static void check_event(struct report *report, const struct wperf_core_counts *counts,
			unsigned event, unsigned num_turns)
{
	uint64_t low = 0, extra = 0, scheduled = 0;
	for (unsigned turn = 0; turn < num_turns; turn++) {
		if (!has_turn(event, turn))
			continue;
		low += work_in_turn(event, turn);
		extra += max_extra_in_turn(event, turn);
		scheduled++;
	}
	// The last one was cut short, and its events had others.
	scheduled -= has_turn(event, num_turns - 1);
	EXPECT_WITHIN(report, counts->evts[event + 1].value, low, low + extra);
	EXPECT_EQUAL(report, counts->evts[event + 1].scheduled, scheduled);
}

void test_turns(struct machine *machine, struct report *report)
{
	enum { MIN_TURNS = 6, MAX_TURNS = 12 };
	struct client client = client_create(machine, report, FREE_COUNTERS);
	for (unsigned num_turns = MIN_TURNS; num_turns <= MAX_TURNS; num_turns++) {
		client_assign(&client, events, NUM_EVENTS, 0);
		client_start(&client, PERIOD_MS);
		for (unsigned turn = 0; turn < num_turns; turn++) {
			if (turn > 0)
				driver_core_tick(&machine->core, MACHINE_CPU);
			work(turn);
		}
		client_stop(&client);
		struct wperf_core_counts counts = client_read(&client);
		EXPECT_EQUAL(report, counts.round, num_turns - 1);
		for (unsigned event = 0; event < NUM_EVENTS; event++)
			check_event(report, &counts, event, num_turns);
	}
}

// Turns by the clock: each event has six of fifteen, and scaled it is what happened in all.
void test_scaling(struct machine *machine, struct report *report)
{
	enum { NUM_TURNS = 15, TURNS_OF_EVENT = 6, TOLERANCE = 1000 };
	struct client client = client_create(machine, report, FREE_COUNTERS);
	client_assign(&client, events, NUM_EVENTS, 0);
	client_start(&client, PERIOD_MS);
	interrupts_unmask();
	uint64_t num_loops = 0;
	for (; machine->timer.num_ticks < NUM_TURNS; num_loops++)
		work(0);
	client_stop(&client);
	struct wperf_core_counts counts = client_read(&client);
	interrupts_mask();
	uint64_t cycles = counts.evts[0].value;
	const uint64_t truth[NUM_EVENTS] = {cycles, num_loops, cycles, 0, num_loops};
	EXPECT_EQUAL(report, counts.round, NUM_TURNS);
	for (unsigned i = 0; i < NUM_EVENTS; i++) {
		const struct wperf_event_count *count = &counts.evts[i + 1];
		uint64_t tolerance = truth[i] / TOLERANCE;
		EXPECT_EQUAL(report, count->scheduled, TURNS_OF_EVENT);
		EXPECT_WITHIN(report, count->value * counts.round / count->scheduled,
			      truth[i] - tolerance, truth[i] + tolerance);
	}
}
