// SPDX-License-Identifier: Apache-2.0

// The core's sampling, by interrupts of this PMU. What runs at EL0 is known to the instruction.

#include "tests/baremetal/client.h"
#include "tests/baremetal/events.h"
#include "tests/baremetal/gic.h"
#include "tests/baremetal/sysreg.h"
#include "tests/baremetal/tests.h"
#include "tests/baremetal/user_mode.h"

enum { INTERVAL = 20011, PERIOD_MS = 10 };
enum { NUDGE_TICKS = 20, TIMER_ENABLE = 1, ROUNDS_TO_ARRIVE = 1000 };

#define CYCLE_BIT (UINT64_C(1) << WPERF_CYCLE_COUNTER)

static const struct wperf_sample_event instructions = {INST_RETIRED, INTERVAL,
						       WPERF_FILTER_EXCLUDE_EL1};

static struct wperf_samples samples;

// QEMU looks at an event counter one event before its overflow, and after that only when an
// exception comes by: so one does all the time.
static void nudge(void *context, const struct interrupted *interrupted)
{
	SYSREG_WRITE(cntv_tval_el0, NUDGE_TICKS);
}

static void begin_nudging(struct machine *machine)
{
	interrupts_enable(&machine->interrupts, GIC_VIRTUAL_TIMER, nudge, NULL);
	SYSREG_WRITE(cntv_tval_el0, NUDGE_TICKS);
	SYSREG_WRITE(cntv_ctl_el0, TIMER_ENABLE);
}

static uint64_t run_at_el0(uint64_t rounds)
{
	interrupts_unmask();
	user_mode_run(loop_of_loads, rounds);
	interrupts_mask();
	return rounds * LOOP_ROUND + LOOP_EXTRA + USER_MODE_EXTRA;
}

static bool is_between(uint64_t address, const void *begin, const void *end)
{
	return address >= (uint64_t)begin && address < (uint64_t)end;
}

// All in the loop, which returns to user_mode_run().
static void check_places(struct report *report)
{
	unsigned elsewhere = 0, strange_callers = 0;
	for (unsigned i = 0; i < samples.size; i++) {
		const struct wperf_sample *sample = &samples.samples[i];
		elsewhere +=
			!is_between(sample->pc, (const void *)loop_of_loads, loop_of_loads_end);
		strange_callers +=
			!is_between(sample->lr, (const void *)user_mode_run, user_mode_return);
	}
	EXPECT_EQUAL(report, elsewhere, 0);
	EXPECT_EQUAL(report, strange_callers, 0);
}

static unsigned count_flags(uint64_t flags)
{
	unsigned num = 0;
	for (unsigned i = 0; i < samples.size; i++)
		num += samples.samples[i].ov_flags == flags;
	return num;
}

void test_sample_each_interval(struct machine *machine, struct report *report)
{
	enum { NUM_SAMPLES = 100 };
	struct client client = client_create(machine, report, MACHINE_ALL_COUNTERS);
	client_sample_start(&client, &instructions, 1);
	begin_nudging(machine);
	uint64_t executed = run_at_el0(NUM_SAMPLES * INTERVAL / LOOP_ROUND + ROUNDS_TO_ARRIVE);
	struct wperf_sample_summary summary = client_sample_stop(&client);
	client_sample_get(&client, &samples);
	EXPECT_EQUAL(report, executed / INTERVAL, NUM_SAMPLES);
	EXPECT_EQUAL(report, summary.sample_generated, NUM_SAMPLES);
	EXPECT_EQUAL(report, summary.sample_dropped, 0);
	EXPECT_EQUAL(report, samples.size, NUM_SAMPLES);
	EXPECT_EQUAL(report, count_flags(1), NUM_SAMPLES);
	check_places(report);
	client_sample_get(&client, &samples);
	EXPECT_EQUAL(report, samples.size, 0);
}

// On the last counter, and on the only one that is ours. To clients it is the cycle counter.
static void sample_cycles(struct machine *machine, struct report *report, uint32_t free_counters)
{
	enum { NUM_SAMPLES = 100 };
	const struct wperf_sample_event cycles = {WPERF_CYCLE_EVENT, INTERVAL,
						  WPERF_FILTER_EXCLUDE_EL1};
	struct client client = client_create(machine, report, free_counters);
	client_sample_start(&client, &cycles, 1);
	begin_nudging(machine);
	run_at_el0(NUM_SAMPLES * INTERVAL / LOOP_ROUND + INTERVAL / LOOP_ROUND / 2);
	struct wperf_sample_summary summary = client_sample_stop(&client);
	client_sample_get(&client, &samples);
	EXPECT_EQUAL(report, summary.sample_generated, NUM_SAMPLES);
	EXPECT_EQUAL(report, samples.size, NUM_SAMPLES);
	EXPECT_EQUAL(report, count_flags(CYCLE_BIT), NUM_SAMPLES);
	check_places(report);
}

void test_sample_cycles(struct machine *machine, struct report *report)
{
	sample_cycles(machine, report, MACHINE_ALL_COUNTERS);
	sample_cycles(machine, report, 1 << 1);
}

// The peer's driver would be silent after the first full buffer.
void test_sample_when_full(struct machine *machine, struct report *report)
{
	enum { NUM_SAMPLES = 300, NUM_MORE = 20 };
	struct client client = client_create(machine, report, MACHINE_ALL_COUNTERS);
	client_sample_start(&client, &instructions, 1);
	begin_nudging(machine);
	run_at_el0(NUM_SAMPLES * INTERVAL / LOOP_ROUND + ROUNDS_TO_ARRIVE);
	client_sample_get(&client, &samples);
	EXPECT_EQUAL(report, samples.size, WPERF_MAX_SAMPLES);
	run_at_el0(NUM_MORE * INTERVAL / LOOP_ROUND + ROUNDS_TO_ARRIVE);
	client_sample_get(&client, &samples);
	EXPECT_EQUAL(report, samples.size, NUM_MORE);
	check_places(report);
	struct wperf_sample_summary summary = client_sample_stop(&client);
	EXPECT_EQUAL(report, summary.sample_generated, NUM_SAMPLES + NUM_MORE);
	EXPECT_EQUAL(report, summary.sample_dropped, NUM_SAMPLES - WPERF_MAX_SAMPLES);
}

// The second has overflowed with each other one of the first; both count 32 bits.
void test_sample_two_events(struct machine *machine, struct report *report)
{
	enum { NUM_SAMPLES = 100, NOT_FIRST = (int)~1u };
	const struct wperf_sample_event events[] = {
		instructions, {INST_RETIRED, 2 * INTERVAL, WPERF_FILTER_EXCLUDE_EL1}};
	struct client client = client_create(machine, report, (uint32_t)NOT_FIRST);
	client_sample_start(&client, events, 2);
	begin_nudging(machine);
	run_at_el0(NUM_SAMPLES * INTERVAL / LOOP_ROUND + ROUNDS_TO_ARRIVE);
	struct wperf_sample_summary summary = client_sample_stop(&client);
	client_sample_get(&client, &samples);
	EXPECT_EQUAL(report, summary.sample_generated, NUM_SAMPLES);
	EXPECT_EQUAL(report, count_flags(2), NUM_SAMPLES / 2);
	EXPECT_EQUAL(report, count_flags(6), NUM_SAMPLES / 2);
	check_places(report);
}

// As often as can be; the program gets on, and nothing is unaccounted for.
void test_sample_each_instruction(struct machine *machine, struct report *report)
{
	enum { ROUNDS = 50000 };
	const struct wperf_sample_event each = {INST_RETIRED, 1, WPERF_FILTER_EXCLUDE_EL1};
	struct client client = client_create(machine, report, MACHINE_ALL_COUNTERS);
	client_sample_start(&client, &each, 1);
	begin_nudging(machine);
	uint64_t executed = run_at_el0(ROUNDS);
	struct wperf_sample_summary summary = client_sample_stop(&client);
	client_sample_get(&client, &samples);
	EXPECT_EQUAL(report, summary.sample_generated, executed);
	EXPECT_EQUAL(report, samples.size, WPERF_MAX_SAMPLES);
	EXPECT_WITHIN(report, summary.sample_dropped, 0, executed - WPERF_MAX_SAMPLES);
}

// What runs at EL1 besides the loop, nudges and the driver's own code between interrupts, counts.
void test_sample_kernel(struct machine *machine, struct report *report)
{
	enum { NUM_SAMPLES = 100, CONTROL = 0x41 }; // enabled, 64 bits of cycles
	const struct wperf_sample_event kernel = {WPERF_CYCLE_EVENT, INTERVAL,
						  WPERF_FILTER_EXCLUDE_EL0};
	struct client client = client_create(machine, report, MACHINE_ALL_COUNTERS);
	machine_write(machine, DRIVER_PMCR_EL0, CONTROL);
	machine_write(machine, DRIVER_PMCNTENSET_EL0, CYCLE_BIT);
	client_sample_start(&client, &kernel, 1);
	begin_nudging(machine);
	interrupts_unmask();
	uint64_t before = machine_read(machine, DRIVER_PMCCNTR_EL0);
	loop_of_loads(NUM_SAMPLES * INTERVAL / LOOP_ROUND);
	uint64_t passed = machine_read(machine, DRIVER_PMCCNTR_EL0) - before;
	interrupts_mask();
	struct wperf_sample_summary summary = client_sample_stop(&client);
	client_sample_get(&client, &samples);
	EXPECT_EQUAL(report, summary.sample_generated, samples.size + summary.sample_dropped);
	EXPECT_WITHIN(report, summary.sample_generated, NUM_SAMPLES, passed / INTERVAL + 3);
	unsigned in_loop = 0;
	for (unsigned i = 0; i < samples.size; i++)
		in_loop += is_between(samples.samples[i].pc, (const void *)loop_of_loads,
				      loop_of_loads_end);
	EXPECT_WITHIN(report, in_loop, samples.size - 1, samples.size);
}

// Counters that wrapped in sampling interrupt no more.
void test_count_after_sampling(struct machine *machine, struct report *report)
{
	static const uint16_t events[] = {INST_RETIRED};
	struct client client = client_create(machine, report, MACHINE_ALL_COUNTERS);
	client_assign(&client, events, 1, WPERF_FILTER_EXCLUDE_EL1);
	client_sample_start(&client, &instructions, 1);
	begin_nudging(machine);
	EXPECT_EQUAL(report, client_try_start(&client, PERIOD_MS), DRIVER_DEVICE_BUSY);
	run_at_el0(INTERVAL);
	client_sample_stop(&client);
	client_sample_get(&client, &samples);
	client_start(&client, PERIOD_MS);
	machine_write(machine,
		      (enum driver_register)(DRIVER_PMEVCNTR0_EL0 + machine_cycle_counter(machine)),
		      UINT32_MAX - INTERVAL);
	uint64_t executed = run_at_el0(INTERVAL);
	client_stop(&client);
	EXPECT_EQUAL(report, client_read(&client).evts[1].value, executed);
	client_sample_get(&client, &samples);
	EXPECT_EQUAL(report, samples.size, 0);
}
