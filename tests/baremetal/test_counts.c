// SPDX-License-Identifier: Apache-2.0

#include "tests/baremetal/client.h"
#include "tests/baremetal/events.h"
#include "tests/baremetal/loops.h"
#include "tests/baremetal/tests.h"

enum {
	PERIOD_MS = 10,
	ROUNDS = 10000,
	NUM_INCREMENTS = 7,
	MAX_CALLS = 2000, // instructions that a start, a stop and the like take while it counts
};

static const uint16_t events[] = {INST_RETIRED, CPU_CYCLES, SW_INCR};
enum { NUM_EVENTS = sizeof(events) / sizeof(events[0]) };

static NOT_INLINED struct wperf_core_counts count(const struct client *client, uint64_t rounds)
{
	client_assign(client, events, NUM_EVENTS, 0);
	client_start(client, PERIOD_MS);
	loop_of_sums(rounds);
	for (unsigned i = 0; i < NUM_INCREMENTS; i++)
		event_increment();
	client_stop(client);
	return client_read(client);
}

static void check_form(struct report *report, const struct wperf_core_counts *counts)
{
	EXPECT_EQUAL(report, counts->evt_num, NUM_EVENTS + 1);
	EXPECT_EQUAL(report, counts->round, 1);
	EXPECT_EQUAL(report, counts->evts[0].event_idx, WPERF_CYCLE_EVENT);
	for (unsigned i = 0; i < NUM_EVENTS; i++) {
		EXPECT_EQUAL(report, counts->evts[i + 1].event_idx, events[i]);
		EXPECT_EQUAL(report, counts->evts[i + 1].scheduled, 1);
	}
}

// The counters begin and end with one instruction each, so that they agree to the last event.
void test_exact_counts(struct machine *machine, struct report *report)
{
	struct client client = client_create(machine, report, MACHINE_ALL_COUNTERS);
	struct wperf_core_counts once = count(&client, ROUNDS);
	struct wperf_core_counts twice = count(&client, 2 * ROUNDS);
	check_form(report, &once);
	check_form(report, &twice);
	for (unsigned i = 0; i <= 2; i++) {
		uint64_t one = once.evts[i].value, two = twice.evts[i].value;
		EXPECT_EQUAL(report, two - one, ROUNDS * LOOP_ROUND);
		EXPECT_WITHIN(report, one, ROUNDS * LOOP_ROUND, ROUNDS * LOOP_ROUND + MAX_CALLS);
		EXPECT_EQUAL(report, one, once.evts[0].value);
	}
	EXPECT_EQUAL(report, once.evts[3].value, NUM_INCREMENTS);
	EXPECT_EQUAL(report, twice.evts[3].value, NUM_INCREMENTS);
}

void test_ticks_lose_nothing(struct machine *machine, struct report *report)
{
	enum { NUM_TICKS = 3 };
	struct client client = client_create(machine, report, MACHINE_ALL_COUNTERS);
	client_assign(&client, events, NUM_EVENTS, 0);
	client_start(&client, PERIOD_MS);
	interrupts_unmask();
	uint64_t num_loops = 0;
	for (; machine->timer.num_ticks < NUM_TICKS; num_loops++) {
		loop_of_sums(ROUNDS);
		event_increment();
	}
	client_stop(&client);
	struct wperf_core_counts counts = client_read(&client);
	interrupts_mask();
	EXPECT_EQUAL(report, counts.round, NUM_TICKS); // the last period was a short one
	EXPECT_EQUAL(report, counts.evts[1].value, counts.evts[0].value);
	EXPECT_EQUAL(report, counts.evts[2].value, counts.evts[0].value);
	EXPECT_EQUAL(report, counts.evts[3].value, num_loops);
	EXPECT_WITHIN(report, counts.evts[0].value, NUM_TICKS * PERIOD_MS * UINT64_C(1000000),
		      NUM_TICKS * PERIOD_MS * UINT64_C(1000000) + ROUNDS * LOOP_ROUND + MAX_CALLS);
}

static NOT_INLINED uint64_t count_after_reset(const struct client *client, uint64_t rounds)
{
	client_assign(client, events, NUM_EVENTS, 0);
	client_start(client, PERIOD_MS);
	loop_of_sums(3 * rounds);
	client_reset(client);
	loop_of_sums(rounds);
	client_stop(client);
	return client_read(client).evts[1].value;
}

void test_reset(struct machine *machine, struct report *report)
{
	struct client client = client_create(machine, report, MACHINE_ALL_COUNTERS);
	uint64_t once = count_after_reset(&client, ROUNDS);
	uint64_t twice = count_after_reset(&client, 2 * ROUNDS);
	EXPECT_EQUAL(report, twice - once, ROUNDS * LOOP_ROUND);
	EXPECT_WITHIN(report, once, ROUNDS * LOOP_ROUND, ROUNDS * LOOP_ROUND + MAX_CALLS);
	client_reset(&client);
	struct wperf_core_counts counts = client_read(&client);
	EXPECT_EQUAL(report, counts.round, 0);
	for (unsigned i = 0; i <= NUM_EVENTS; i++) {
		EXPECT_EQUAL(report, counts.evts[i].value, 0);
		EXPECT_EQUAL(report, counts.evts[i].scheduled, 0);
	}
}

// Somebody else counts with counter 0, and with interrupts.
static NOT_INLINED uint64_t count_of_other(struct machine *machine, struct report *report,
					   uint64_t rounds)
{
	struct client client = client_create(machine, report, MACHINE_ALL_COUNTERS - 1);
	machine_write(machine, DRIVER_PMEVTYPER0_EL0, INST_RETIRED);
	machine_write(machine, DRIVER_PMEVCNTR0_EL0, 0);
	machine_write(machine, DRIVER_PMINTENSET_EL1, 1);
	machine_write(machine, DRIVER_PMCR_EL0, 1);
	machine_write(machine, DRIVER_PMCNTENSET_EL0, 1);
	struct wperf_core_counts counts = count(&client, rounds);
	EXPECT_EQUAL(report, counts.evts[1].value, counts.evts[0].value);
	EXPECT_EQUAL(report, counts.evts[3].value, NUM_INCREMENTS);
	return machine_read(machine, DRIVER_PMEVCNTR0_EL0);
}

void test_busy_counters(struct machine *machine, struct report *report)
{
	uint64_t once = count_of_other(machine, report, ROUNDS);
	uint64_t twice = count_of_other(machine, report, 2 * ROUNDS);
	EXPECT_EQUAL(report, twice - once, ROUNDS * LOOP_ROUND);
	EXPECT_EQUAL(report, machine_read(machine, DRIVER_PMEVTYPER0_EL0), INST_RETIRED);
	EXPECT_EQUAL(report, machine_read(machine, DRIVER_PMCNTENSET_EL0), 1);
	EXPECT_EQUAL(report, machine_read(machine, DRIVER_PMINTENSET_EL1), 1);
}
