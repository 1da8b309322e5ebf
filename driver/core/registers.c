// SPDX-License-Identifier: Apache-2.0

#include "driver/core/registers.h"

struct fetch {
	const struct driver_registers *registers;
	unsigned cpu;
	enum driver_register reg;
	uint64_t value;
};

static void fetch_here(void *argument)
{
	struct fetch *fetch = argument;
	fetch->value = driver_registers_read(fetch->registers, fetch->cpu, fetch->reg);
}

uint64_t driver_registers_fetch(const struct driver_registers *registers, unsigned cpu,
				enum driver_register reg)
{
	struct fetch fetch = {.registers = registers, .cpu = cpu, .reg = reg};
	driver_registers_on_cpu(registers, cpu, fetch_here, &fetch);
	return fetch.value;
}
