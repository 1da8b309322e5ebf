// SPDX-License-Identifier: Apache-2.0

// Overflow interrupts and where they come from. Without the core: the test programs the
// registers itself, through the same register file.

#include "tests/baremetal/events.h"
#include "tests/baremetal/tests.h"
#include "tests/baremetal/user_mode.h"

#include "driver/include/wperf_driver.h"

enum {
	INTERVAL = 20000,
	SUMS_SAMPLES = 100,
	LOADS_SAMPLES = 300,
	ROUNDS_PER_SAMPLE = INTERVAL / LOOP_ROUND,
};

#define CYCLE_BIT (UINT32_C(1) << WPERF_CYCLE_COUNTER)
#define CONTROL   UINT64_C(0x41) // enabled, 64 bits of cycles

struct sampler {
	struct machine *machine;
	volatile unsigned in_sums, in_loads, elsewhere, at_el0;
	volatile uint64_t overflows; /* bits of PMOVSCLR_EL0 */
};

static bool is_within(uint64_t pc, loop_fn *begin, const char *end)
{
	return pc >= (uint64_t)begin && pc < (uint64_t)end;
}

static void take_sample(void *context, const struct interrupted *interrupted)
{
	struct sampler *sampler = context;
	uint64_t overflows = machine_read(sampler->machine, DRIVER_PMOVSCLR_EL0);
	machine_write(sampler->machine, DRIVER_PMOVSCLR_EL0, overflows);
	sampler->overflows |= overflows;
	if (overflows & CYCLE_BIT)
		machine_write(sampler->machine, DRIVER_PMCCNTR_EL0, -(uint64_t)INTERVAL);
	if (is_within(interrupted->pc, loop_of_sums, loop_of_sums_end))
		sampler->in_sums++;
	else if (is_within(interrupted->pc, loop_of_loads, loop_of_loads_end))
		sampler->in_loads++;
	else
		sampler->elsewhere++;
	sampler->at_el0 += (interrupted->state & 0xf) == 0;
}

static void begin(struct sampler *sampler, uint64_t counters)
{
	struct machine *machine = sampler->machine;
	interrupts_enable(&machine->interrupts, GIC_PMU, take_sample, sampler);
	machine_write(machine, DRIVER_PMINTENSET_EL1, counters);
	machine_write(machine, DRIVER_PMCR_EL0, CONTROL);
	interrupts_unmask();
	machine_write(machine, DRIVER_PMCNTENSET_EL0, counters);
}

static void end(struct sampler *sampler)
{
	machine_write(sampler->machine, DRIVER_PMCNTENCLR_EL0, UINT32_MAX);
	interrupts_mask();
}

static void begin_cycles(struct sampler *sampler, struct report *report, uint64_t filter)
{
	EXPECT_EQUAL(report, machine_init(sampler->machine, 0), DRIVER_OK);
	machine_write(sampler->machine, DRIVER_PMCCFILTR_EL0, filter);
	machine_write(sampler->machine, DRIVER_PMCCNTR_EL0, -(uint64_t)INTERVAL);
	begin(sampler, CYCLE_BIT);
}

static void check_cycles(const struct sampler *sampler, struct report *report)
{
	EXPECT_WITHIN(report, sampler->in_sums, SUMS_SAMPLES - 1, SUMS_SAMPLES + 1);
	EXPECT_WITHIN(report, sampler->in_loads, LOADS_SAMPLES - 2, LOADS_SAMPLES + 2);
	EXPECT_EQUAL(report, sampler->elsewhere, 0);
	EXPECT_EQUAL(report, sampler->overflows, CYCLE_BIT);
}

void test_samples_of_el1(struct machine *machine, struct report *report)
{
	struct sampler sampler = {.machine = machine};
	begin_cycles(&sampler, report, 0);
	loop_of_sums(SUMS_SAMPLES * ROUNDS_PER_SAMPLE);
	loop_of_loads(LOADS_SAMPLES * ROUNDS_PER_SAMPLE);
	end(&sampler);
	check_cycles(&sampler, report);
	EXPECT_EQUAL(report, sampler.at_el0, 0);
}

// Nothing of EL1 counts, so that the samples lie exactly an interval apart.
void test_samples_of_el0(struct machine *machine, struct report *report)
{
	struct sampler sampler = {.machine = machine};
	begin_cycles(&sampler, report, WPERF_FILTER_EXCLUDE_EL1);
	user_mode_run(loop_of_sums, SUMS_SAMPLES * ROUNDS_PER_SAMPLE);
	user_mode_run(loop_of_loads, LOADS_SAMPLES * ROUNDS_PER_SAMPLE);
	end(&sampler);
	check_cycles(&sampler, report);
	EXPECT_EQUAL(report, sampler.at_el0, SUMS_SAMPLES + LOADS_SAMPLES);
}

void test_overflow_at_third_increment(struct machine *machine, struct report *report)
{
	enum { COUNTER_BIT = 1, TIME_TO_ARRIVE = 100 };
	struct sampler sampler = {.machine = machine};
	EXPECT_EQUAL(report, machine_init(machine, 0), DRIVER_OK);
	machine_write(machine, DRIVER_PMEVTYPER0_EL0, SW_INCR);
	machine_write(machine, DRIVER_PMEVCNTR0_EL0, UINT32_MAX - 2);
	begin(&sampler, COUNTER_BIT);
	for (unsigned increment = 1; increment <= 5; increment++) {
		event_increment();
		loop_of_loads(TIME_TO_ARRIVE);
		EXPECT_EQUAL(report, sampler.overflows, increment < 3 ? 0 : COUNTER_BIT);
		EXPECT_EQUAL(report, sampler.in_loads + sampler.elsewhere, increment >= 3);
	}
	end(&sampler);
}
