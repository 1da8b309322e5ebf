// SPDX-License-Identifier: Apache-2.0

#include "tests/baremetal/cpu_registers.h"

#include "driver/windows/regs_arm64.h"

static uint64_t read(void *context, unsigned cpu, enum driver_register reg)
{
	return regs_arm64_read(reg);
}

static void write(void *context, unsigned cpu, enum driver_register reg, uint64_t value)
{
	regs_arm64_write(reg, value);
}

// There is one CPU: what a tick must not interrupt is called with interrupts masked.
static void on_cpu(void *context, unsigned cpu, driver_cpu_fn *function, void *argument)
{
	uint64_t saved = regs_arm64_mask_interrupts();
	function(argument);
	regs_arm64_unmask_interrupts(saved);
}

const struct driver_register_ops cpu_registers_ops = {
	.read = read,
	.write = write,
	.on_cpu = on_cpu,
};
