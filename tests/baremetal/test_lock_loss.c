// SPDX-License-Identifier: Apache-2.0

// Who has lost the lock counts no more: not in the registers either. The cycle counter, which the
// operating system uses, goes on.

#include "tests/baremetal/client.h"
#include "tests/baremetal/events.h"
#include "tests/baremetal/loops.h"
#include "tests/baremetal/tests.h"

enum { PERIOD_MS = 10, ROUNDS = 10000 };

static const uint16_t events[] = {INST_RETIRED, CPU_CYCLES, SW_INCR};
enum { NUM_EVENTS = sizeof(events) / sizeof(events[0]) };

#define CYCLE_BIT (UINT64_C(1) << WPERF_CYCLE_COUNTER)
#define CONTROL   UINT64_C(0x41) // enabled, 64 bits of cycles

static struct client create_busy(struct machine *machine, struct report *report)
{
	struct client client = client_create(machine, report, MACHINE_ALL_COUNTERS);
	machine_write(machine, DRIVER_PMCR_EL0, CONTROL);
	machine_write(machine, DRIVER_PMCNTENSET_EL0, CYCLE_BIT);
	client_assign(&client, events, NUM_EVENTS, 0);
	client_start(&client, PERIOD_MS);
	loop_of_sums(ROUNDS);
	event_increment();
	EXPECT_EQUAL(report, machine->timer.period_ms, PERIOD_MS);
	EXPECT_EQUAL(report, client_read(&client).evts[3].value, 1);
	return client;
}

static void check_stands_still(struct machine *machine, struct report *report)
{
	EXPECT_EQUAL(report, machine->timer.period_ms, 0);
	EXPECT_EQUAL(report, machine_read(machine, DRIVER_PMCNTENSET_EL0), CYCLE_BIT);
	enum driver_register borrowed =
		(enum driver_register)(DRIVER_PMEVCNTR0_EL0 + machine_cycle_counter(machine));
	uint64_t of_system = machine_read(machine, DRIVER_PMCCNTR_EL0);
	uint64_t cycles = machine_read(machine, borrowed);
	uint64_t instructions = machine_read(machine, DRIVER_PMEVCNTR0_EL0);
	loop_of_sums(ROUNDS);
	EXPECT_WITHIN(report, machine_read(machine, DRIVER_PMCCNTR_EL0) - of_system,
		      ROUNDS * LOOP_ROUND, ROUNDS * LOOP_ROUND * 2);
	EXPECT_EQUAL(report, machine_read(machine, borrowed), cycles);
	EXPECT_EQUAL(report, machine_read(machine, DRIVER_PMEVCNTR0_EL0), instructions);
	EXPECT_WITHIN(report, cycles, ROUNDS * LOOP_ROUND, UINT32_MAX);
}

static void check_clean(const struct client *client, struct report *report)
{
	struct wperf_core_counts counts = client_read(client);
	EXPECT_EQUAL(report, counts.evt_num, 1);
	EXPECT_EQUAL(report, counts.round, 0);
	EXPECT_EQUAL(report, counts.evts[0].value, 0);
}

void test_lock_is_forced(struct machine *machine, struct report *report)
{
	struct client alice = create_busy(machine, report);
	struct client bob = client_create_rival(&alice);
	EXPECT_EQUAL(report, client_lock(&bob, WPERF_LOCK_GET), WPERF_LOCK_BUSY);
	EXPECT_EQUAL(report, machine->timer.period_ms, PERIOD_MS); // she counts still
	EXPECT_EQUAL(report, client_lock(&bob, WPERF_LOCK_GET_FORCE), WPERF_LOCK_ACQUIRED);
	check_stands_still(machine, report);
	EXPECT_EQUAL(report, client_try_start(&alice, PERIOD_MS), DRIVER_INVALID_DEVICE_STATE);
	check_stands_still(machine, report);
	check_clean(&bob, report);
}

void test_handle_is_closed(struct machine *machine, struct report *report)
{
	struct client alice = create_busy(machine, report);
	struct client bob = client_create_rival(&alice);
	machine_close(machine, alice.id);
	check_stands_still(machine, report);
	EXPECT_EQUAL(report, client_lock(&bob, WPERF_LOCK_GET), WPERF_LOCK_ACQUIRED);
	check_clean(&bob, report);
}
