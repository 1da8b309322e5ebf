// SPDX-License-Identifier: Apache-2.0

#include "driver/sim/interrupt.h"

#include "driver/sim/load.h"
#include "driver/sim/program.h"
#include "driver/sim/register_file.h"
#include "driver/sim/sim_machine.h"

// due_time() is the time of the core's next overflow, but not earlier than the end of the interrupt
// before. It is cached until a register is written. The place that was interrupted is made from a
// hash of time and core, by the kind of the event that overflowed: load events are found in
// load-heavy functions.

enum { KERNEL_SHARE = 10 }; // as in load.c: one of so many happens at EL1

static uint64_t due_time(struct sim *sim, unsigned cpu)
{
	struct sim_interrupt *interrupt = &sim->interrupts[cpu];
	if (interrupt->is_known)
		return interrupt->due_ns;
	uint64_t due_ns = register_file_overflow_time(sim, cpu);
	if (interrupt->last_ns && due_ns < interrupt->last_ns + SIM_INTERRUPT_NS)
		due_ns = interrupt->last_ns + SIM_INTERRUPT_NS;
	interrupt->due_ns = due_ns;
	interrupt->is_known = true;
	return due_ns;
}

unsigned sim_interrupt_find(struct sim *sim, uint64_t end_ns)
{
	unsigned first = SIM_NO_CPU;
	for (unsigned cpu = 0; cpu < sim->config.num_cores; cpu++) {
		uint64_t due_ns = due_time(sim, cpu);
		if (due_ns > end_ns || due_ns == UINT64_MAX)
			continue;
		if (first == SIM_NO_CPU || due_ns < sim->interrupts[first].due_ns)
			first = cpu;
	}
	return first;
}

static struct driver_interrupted interrupt_find_place(struct sim *sim, unsigned cpu)
{
	uint64_t event = 0, filter = 0;
	const struct sim_task *task = &sim->tasks[cpu];
	// Somebody plays a thread there (sim_run()): it has no callers.
	if (task->who.pid)
		return (struct driver_interrupted){.pc = task->pc};
	register_file_find_overflow(sim, cpu, &event, &filter);
	uint64_t seed = sim->now_ns * WPERF_MAX_CORES + cpu;
	bool in_kernel =
		filter == WPERF_FILTER_EXCLUDE_EL0 ||
		(filter != WPERF_FILTER_EXCLUDE_EL1 && load_hash(~seed) % KERNEL_SHARE == 0);
	struct program_place place = program_place(program_kind_of_event(event), in_kernel, seed);
	return (struct driver_interrupted){
		.pc = place.pc,
		.lr = place.lr,
		.fp = place.fp,
		.sp = place.fp, // a frame is all that a function has on its stack
		.in_kernel = in_kernel,
	};
}

struct delivery {
	struct sim *sim;
	unsigned cpu;
};

static void deliver_here(void *argument)
{
	const struct delivery *delivery = argument;
	struct sim *sim = delivery->sim;
	struct driver_interrupted interrupted = interrupt_find_place(sim, delivery->cpu);
	// An interrupt that the driver does not know of would come again and again.
	if (!driver_core_overflow(&sim->core, delivery->cpu, &interrupted))
		sim->num_faults++;
}

void sim_interrupt_take(struct sim *sim, unsigned cpu)
{
	struct delivery delivery = {sim, cpu};
	sim->interrupts[cpu].last_ns = sim->now_ns;
	driver_registers_on_cpu(&sim->core.registers, cpu, deliver_here, &delivery);
	sim->interrupts[cpu].is_known = false;
}
