// SPDX-License-Identifier: Apache-2.0

// PMCCNTR_EL0 is the operating system's, which accounts threads' cycles with it: whatever the
// driver does, it goes on as if there were no driver, and so do the registers that decide how it
// counts.

#include "tests/baremetal/client.h"
#include "tests/baremetal/events.h"
#include "tests/baremetal/loops.h"
#include "tests/baremetal/tests.h"

enum { PERIOD_MS = 10, ROUNDS = 10000, NUM_STEPS = 6, INTERVAL = 20011 };

#define CYCLE_BIT   (UINT64_C(1) << WPERF_CYCLE_COUNTER)
#define ENABLE      UINT64_C(0x01)
#define DIVIDE      UINT64_C(0x08)
#define LONG_CYCLES UINT64_C(0x40)

static const uint16_t events[] = {INST_RETIRED, CPU_CYCLES,   SW_INCR,   STALL_BACKEND,
				  SW_INCR,      INST_RETIRED, CPU_CYCLES};
enum { NUM_EVENTS = sizeof(events) / sizeof(events[0]) };

static const struct wperf_sample_event cycles = {WPERF_CYCLE_EVENT, INTERVAL,
						 WPERF_FILTER_EXCLUDE_EL0};

// Steps of a client's life; between them the machine works.
static void take_step(const struct client *client, unsigned step)
{
	switch (step) {
	case 0:
		client_assign(client, events, NUM_EVENTS, WPERF_FILTER_EXCLUDE_EL0);
		break;
	case 1:
		client_start(client, PERIOD_MS);
		break;
	case 2:
		driver_core_tick(&client->machine->core, MACHINE_CPU);
		break;
	case 3:
		client_stop(client);
		break;
	case 4:
		client_sample_start(client, &cycles, 1);
		break;
	default:
		client_sample_stop(client);
	}
}

// An instruction is a cycle and a nanosecond (tests.h), so that the timer tells what it must show.
static uint64_t now_ns(const struct machine *machine)
{
	uint64_t ticks = machine_read(machine, DRIVER_CNTVCT_EL0);
	return ticks * (UINT64_C(1000000000) / machine_read(machine, DRIVER_CNTFRQ_EL0));
}

void test_cycle_counter_goes_on(struct machine *machine, struct report *report)
{
	enum { TOLERANCE = 100 }; // a tick of the timer, and what lies between two readings
	struct client client = client_create(machine, report, MACHINE_ALL_COUNTERS);
	machine_write(machine, DRIVER_PMCR_EL0, ENABLE | LONG_CYCLES);
	machine_write(machine, DRIVER_PMCNTENSET_EL0, CYCLE_BIT);
	uint64_t first = machine_read(machine, DRIVER_PMCCNTR_EL0), began_ns = now_ns(machine);
	for (unsigned step = 0; step <= NUM_STEPS; step++) {
		if (step < NUM_STEPS)
			take_step(&client, step);
		else
			machine_close(machine, client.id);
		interrupts_unmask();
		loop_of_sums(ROUNDS);
		interrupts_mask();
		uint64_t passed = now_ns(machine) - began_ns;
		EXPECT_WITHIN(report, machine_read(machine, DRIVER_PMCCNTR_EL0) - first,
			      passed - TOLERANCE, passed + TOLERANCE);
	}
}

static const enum driver_register kept[] = {DRIVER_PMCR_EL0, DRIVER_PMCCFILTR_EL0,
					    DRIVER_PMINTENSET_EL1, DRIVER_PMCNTENSET_EL0};
enum { NUM_KEPT = sizeof(kept) / sizeof(kept[0]) };

static void read_kept(const struct machine *machine, uint64_t *ret)
{
	for (unsigned i = 0; i < NUM_KEPT; i++)
		ret[i] = machine_read(machine, kept[i]);
}

static void check_kept(const struct machine *machine, struct report *report, const uint64_t *before)
{
	uint64_t after[NUM_KEPT];
	read_kept(machine, after);
	for (unsigned i = 0; i < NUM_KEPT; i++)
		EXPECT_EQUAL(report, after[i], before[i]);
}

// While the driver counts, only E and the bits of its counters may differ.
static void check_while_busy(const struct machine *machine, struct report *report,
			     const uint64_t *before)
{
	uint64_t now[NUM_KEPT];
	read_kept(machine, now);
	EXPECT_EQUAL(report, now[0] | ENABLE, before[0] | ENABLE);
	EXPECT_EQUAL(report, now[1], before[1]);
	EXPECT_EQUAL(report, now[2] & CYCLE_BIT, before[2] & CYCLE_BIT);
	EXPECT_EQUAL(report, now[3] & CYCLE_BIT, before[3] & CYCLE_BIT);
}

void test_registers_as_before(struct machine *machine, struct report *report)
{
	static const struct {
		uint64_t control, filter, interrupts, enabled;
	} states[] = {
		{ENABLE | LONG_CYCLES, 0, 0, CYCLE_BIT},
		{ENABLE | DIVIDE, WPERF_FILTER_EXCLUDE_EL0, CYCLE_BIT | 1, CYCLE_BIT | 1},
		{0, WPERF_FILTER_EXCLUDE_EL1, 0, 0},
		{LONG_CYCLES, 0, 0, CYCLE_BIT},
	};
	for (unsigned i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		struct client client = client_create(machine, report, MACHINE_ALL_COUNTERS);
		machine_write(machine, DRIVER_PMCR_EL0, states[i].control);
		machine_write(machine, DRIVER_PMCCFILTR_EL0, states[i].filter);
		machine_write(machine, DRIVER_PMINTENSET_EL1, states[i].interrupts);
		machine_write(machine, DRIVER_PMCNTENSET_EL0, states[i].enabled);
		uint64_t before[NUM_KEPT];
		read_kept(machine, before);
		for (unsigned step = 0; step < NUM_STEPS; step++) {
			take_step(&client, step);
			check_while_busy(machine, report, before);
			if (step == 0 || step == 3 || step == 5)
				check_kept(machine, report, before);
		}
		// Killed while it counts, and while it samples; forget_work is an unload.
		client_start(&client, PERIOD_MS);
		machine_close(machine, client.id);
		check_kept(machine, report, before);
		EXPECT_EQUAL(report, client_lock(&client, WPERF_LOCK_GET), WPERF_LOCK_ACQUIRED);
		client_sample_start(&client, &cycles, 1);
		driver_core_forget_work(&machine->core);
		check_kept(machine, report, before);
	}
}

// Nothing is counted: that must not look like a success.
void test_no_counter(struct machine *machine, struct report *report)
{
	struct client client = client_create(machine, report, 0);
	EXPECT_EQUAL(report, client_try_start(&client, PERIOD_MS), DRIVER_INSUFFICIENT_RESOURCES);
	EXPECT_EQUAL(report, machine_read(machine, DRIVER_PMCNTENSET_EL0), 0);
}
