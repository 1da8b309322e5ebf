// SPDX-License-Identifier: Apache-2.0

// Counters that go round, or reach what used to be their end, while they count.

#include "tests/baremetal/client.h"
#include "tests/baremetal/events.h"
#include "tests/baremetal/loops.h"
#include "tests/baremetal/tests.h"

enum { PERIOD_MS = 10, ROUNDS = 10000, NUM_INCREMENTS = 5, BEFORE_END = 3 };
enum { PMU_VERSION_3_5 = 6 }; // from it on counters can have 64 bits

#define END_OF_32_BITS (UINT64_C(1) << 32)
#define ALL_BUT_FIRST  (MACHINE_ALL_COUNTERS - 1)

// Of PMCR_EL0: event counters with 64 bits, as the operating system may have chosen.
#define LONG_EVENTS UINT64_C(0x80)

static const uint16_t events[] = {INST_RETIRED, SW_INCR};
enum { NUM_EVENTS = sizeof(events) / sizeof(events[0]) };

struct run {
	uint32_t free_counters;
	bool preloads;
	uint64_t value;   /* that the registers of its events have before the work */
	uint64_t control; /* of PMCR_EL0, before the driver */
};

struct counted {
	uint64_t cycles, instructions, increments;
	uint64_t overflows, second; /* of PMOVSCLR_EL0; the register of the second event */
};

static void preload(struct machine *machine, const struct run *run)
{
	unsigned first = run->free_counters & 1 ? 0 : 1;
	for (unsigned i = 0; run->preloads && i < NUM_EVENTS; i++)
		machine_write(machine, (enum driver_register)(DRIVER_PMEVCNTR0_EL0 + first + i),
			      run->value);
	unsigned last = machine_cycle_counter(machine);
	if (run->preloads)
		machine_write(machine, (enum driver_register)(DRIVER_PMEVCNTR0_EL0 + last),
			      run->value);
}

static struct counted count_between(const struct wperf_core_counts *before,
				    const struct wperf_core_counts *after)
{
	return (struct counted){
		.cycles = after->evts[0].value - before->evts[0].value,
		.instructions = after->evts[1].value - before->evts[1].value,
		.increments = after->evts[2].value - before->evts[2].value,
	};
}

static NOT_INLINED struct counted count(const struct client *client, const struct run *run)
{
	client_assign(client, events, NUM_EVENTS, 0);
	client_start(client, PERIOD_MS);
	preload(client->machine, run);
	struct wperf_core_counts before = client_read(client);
	loop_of_sums(ROUNDS);
	for (unsigned i = 0; i < NUM_INCREMENTS; i++)
		event_increment();
	uint64_t overflows = machine_read(client->machine, DRIVER_PMOVSCLR_EL0);
	client_stop(client);
	struct wperf_core_counts after = client_read(client);
	struct counted counted = count_between(&before, &after);
	counted.overflows = overflows;
	counted.second =
		machine_read(client->machine, (enum driver_register)(DRIVER_PMEVCNTR0_EL0 + 1));
	return counted;
}

static struct counted check_same(struct machine *machine, struct report *report,
				 const struct run *run)
{
	struct client client = client_create(machine, report, run->free_counters);
	machine_write(machine, DRIVER_PMCR_EL0, run->control);
	struct run plain_run = {.free_counters = run->free_counters};
	struct counted plain = count(&client, &plain_run);
	struct counted preloaded = count(&client, run);
	EXPECT_EQUAL(report, preloaded.increments, NUM_INCREMENTS);
	EXPECT_EQUAL(report, preloaded.instructions, plain.instructions);
	EXPECT_EQUAL(report, preloaded.cycles, plain.cycles);
	EXPECT_WITHIN(report, preloaded.instructions, ROUNDS * LOOP_ROUND,
		      (2 * ROUNDS) * LOOP_ROUND);
	EXPECT_EQUAL(report, machine_read(machine, DRIVER_PMOVSCLR_EL0), 0);
	return preloaded;
}

void test_wrap_of_32_bits(struct machine *machine, struct report *report)
{
	struct run run = {ALL_BUT_FIRST, true, END_OF_32_BITS - BEFORE_END, 0};
	struct counted counted = check_same(machine, report, &run);
	EXPECT_EQUAL(report, counted.overflows,
		     0x6 | UINT64_C(1) << machine_cycle_counter(machine));
}

static bool can_have_64_bits(void)
{
	return (SYSREG_READ(id_aa64dfr0_el1) >> 8 & 0xf) >= PMU_VERSION_3_5;
}

void test_no_wrap_of_64_bits(struct machine *machine, struct report *report)
{
	if (!can_have_64_bits()) {
		report_skip(report, "the counters of this CPU have 32 bits");
		return;
	}
	struct run across_32 = {MACHINE_ALL_COUNTERS, true, END_OF_32_BITS - BEFORE_END,
				LONG_EVENTS};
	struct counted counted = check_same(machine, report, &across_32);
	EXPECT_EQUAL(report, counted.second, END_OF_32_BITS - BEFORE_END + NUM_INCREMENTS);
	EXPECT_EQUAL(report, counted.overflows, 0);
	struct run across_64 = {MACHINE_ALL_COUNTERS, true, UINT64_MAX - BEFORE_END + 1,
				LONG_EVENTS};
	check_same(machine, report, &across_64);
}
