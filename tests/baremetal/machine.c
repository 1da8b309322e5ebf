// SPDX-License-Identifier: Apache-2.0

#include "tests/baremetal/machine.h"

#include "driver/core/request.h"
#include "tests/baremetal/cpu_registers.h"

// PMCR_EL0 with all counters reset, in 32 bits, and nothing enabled.
enum { PMCR_RESET = 1 << 1 | 1 << 2 };

uint64_t machine_read(const struct machine *machine, enum driver_register reg)
{
	return driver_registers_read(&machine->registers, MACHINE_CPU, reg);
}

void machine_write(const struct machine *machine, enum driver_register reg, uint64_t value)
{
	driver_registers_write(&machine->registers, MACHINE_CPU, reg, value);
}

unsigned machine_cycle_counter(const struct machine *machine)
{
	unsigned last = 0;
	for (unsigned i = 0; i < DRIVER_MAX_EVENT_COUNTERS; i++)
		last = machine->core.free_counters >> i & 1 ? i : last;
	return last;
}

static void reset_pmu(const struct machine *machine)
{
	machine_write(machine, DRIVER_PMCNTENCLR_EL0, UINT32_MAX);
	machine_write(machine, DRIVER_PMINTENCLR_EL1, UINT32_MAX);
	machine_write(machine, DRIVER_PMCR_EL0, PMCR_RESET);
	machine_write(machine, DRIVER_PMOVSCLR_EL0, UINT32_MAX);
	machine_write(machine, DRIVER_PMCCFILTR_EL0, 0);
}

static void tick(void *context)
{
	driver_core_tick(context, MACHINE_CPU);
}

static void overflow(void *context, const struct interrupted *interrupted)
{
	struct machine *machine = context;
	struct driver_interrupted place = {.pc = interrupted->pc, .lr = interrupted->lr};
	if (!driver_core_overflow(&machine->core, MACHINE_CPU, &place))
		machine->interrupts.num_unexpected++;
}

static void set_timer(struct machine *machine)
{
	unsigned period_ms = driver_core_timer_period_ms(&machine->core, MACHINE_CPU);
	timer_set_period(&machine->timer, period_ms);
}

enum driver_status machine_init(struct machine *machine, uint32_t free_counters)
{
	const struct driver_config config = {
		.num_cores = 1,
		.spe = true,
		.free_counters = free_counters,
		.version = {3, 8, 0},
		.git_version = "baremetal",
		.features = "",
	};
	interrupts_mask();
	machine->registers.ops = &cpu_registers_ops;
	reset_pmu(machine);
	interrupts_init(&machine->interrupts);
	timer_init(&machine->timer, &machine->interrupts, tick, &machine->core);
	interrupts_enable(&machine->interrupts, GIC_PMU, overflow, machine);
	return driver_core_init(&machine->core, &config, &machine->registers);
}

enum driver_status machine_request(struct machine *machine, driver_client client, uint32_t code,
				   const void *in, size_t in_size, void *out, size_t out_size,
				   size_t *ret_size)
{
	enum driver_status status =
		driver_request(&machine->core, client, code, in, in_size, out, out_size, ret_size);
	set_timer(machine);
	return status;
}

void machine_close(struct machine *machine, driver_client client)
{
	driver_core_close(&machine->core, client);
	set_timer(machine);
}
