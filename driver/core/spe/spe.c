// SPDX-License-Identifier: Apache-2.0

#include "driver/core/spe/spe.h"

#include <string.h>

// Registers of the Arm ARM, "The Statistical Profiling Extension": PMSCR_EL1 switches profiling,
// PMBPTR_EL1 and PMBLIMITR_EL1 are the buffer. To read what was written, pause_here() stops
// profiling and drains it (PSB CSYNC), since records may still be on their way; go_on_here()
// continues at the end of the data. The buffer is not a ring: when a half of it was taken,
// spe_make_room() moves the rest to its beginning, by whole pages to keep the alignment of records.
// Interrupts are masked meanwhile, so that it is not done each time. The hardware's pointer is
// checked before it is believed.

// PMBIDR_EL1.P: the buffer belongs to a hypervisor or the firmware.
#define PMBIDR_NOT_OURS (UINT64_C(1) << 4)

enum { PAGE = 4096 }; // what the hardware's limit is aligned to, and more than its records are

bool driver_spe_exists(const struct driver_registers *registers, unsigned cpu)
{
	uint64_t dfr0 = driver_registers_fetch(registers, cpu, DRIVER_ID_AA64DFR0_EL1);
	if (driver_register_field(dfr0, 35, 32) == 0) // PMSVer
		return false;
	return !(driver_registers_fetch(registers, cpu, DRIVER_PMBIDR_EL1) & PMBIDR_NOT_OURS);
}

void driver_spe_init(struct driver_spe *spe, const struct driver_registers *registers, unsigned cpu,
		     void *memory, size_t size)
{
	memset(spe, 0, sizeof(*spe));
	spe->registers = *registers;
	spe->cpu = cpu;
	size_t skipped = (PAGE - (uintptr_t)memory % PAGE) % PAGE;
	if (!memory || size < skipped + PAGE)
		return;
	spe->buffer = (uint8_t *)memory + skipped;
	spe->size = (size - skipped) / PAGE * PAGE;
}

static uint64_t spe_read(const struct driver_spe *spe, enum driver_register reg)
{
	return driver_registers_read(&spe->registers, spe->cpu, reg);
}

static void spe_write(const struct driver_spe *spe, enum driver_register reg, uint64_t value)
{
	driver_registers_write(&spe->registers, spe->cpu, reg, value);
}

// What was profiled so far is in memory then.
static void pause_here(struct driver_spe *spe)
{
	if (!spe->is_running || spe->is_suspended)
		return;
	// The order of the Arm ARM: no new samples, wait for those under way, then the pointer is
	// final.
	spe_write(spe, DRIVER_PMSCR_EL1, 0);
	driver_registers_drain_profiling(&spe->registers, spe->cpu);
	uint64_t end = spe_read(spe, DRIVER_PMBPTR_EL1) - (uintptr_t)spe->buffer;
	spe_write(spe, DRIVER_PMBLIMITR_EL1, 0);
	// A pointer that left the buffer would be a fault of the hardware: nothing is believed
	// then.
	if (end >= spe->end && end <= spe->size)
		spe->end = (size_t)end;
}

static void go_on_here(const struct driver_spe *spe)
{
	if (!spe->is_running || spe->is_suspended)
		return;
	uintptr_t buffer = (uintptr_t)spe->buffer;
	// S would keep the unit off; the syndrome of a full buffer or a collision is not needed any
	// more.
	spe_write(spe, DRIVER_PMBSR_EL1, 0);
	spe_write(spe, DRIVER_PMBPTR_EL1, buffer + spe->end);
	spe_write(spe, DRIVER_PMBLIMITR_EL1, (buffer + spe->size) | DRIVER_PMBLIMITR_E);
	spe_write(spe, DRIVER_PMSCR_EL1, spe->settings.pmscr);
}

// Whole pages of what was taken are free again. What is left keeps its alignment.
static void spe_make_room(struct driver_spe *spe)
{
	bool is_empty = spe->start == spe->end;
	if (!is_empty && spe->start < spe->size / 2)
		return;
	size_t shift = is_empty ? spe->start : spe->start / PAGE * PAGE;
	memmove(spe->buffer, spe->buffer + shift, spe->end - shift);
	spe->start -= shift;
	spe->end -= shift;
}

// The functions below take the way to the CPU.

struct order {
	struct driver_spe *spe;
	const struct driver_spe_settings *settings;
	uint64_t max_bytes;
	struct driver_call *call;
};

static void spe_carry_out(struct order *order, driver_cpu_fn *function)
{
	struct driver_spe *spe = order->spe;
	driver_registers_on_cpu(&spe->registers, spe->cpu, function, order);
}

static void begin_here(struct driver_spe *spe)
{
	// 0: the first interval begins with the value of PMSIRR_EL1.
	spe_write(spe, DRIVER_PMSICR_EL1, 0);
	spe_write(spe, DRIVER_PMSIRR_EL1, spe->settings.pmsirr);
	spe_write(spe, DRIVER_PMSFCR_EL1, spe->settings.pmsfcr);
	spe_write(spe, DRIVER_PMSEVFR_EL1, spe->settings.pmsevfr);
	spe_write(spe, DRIVER_PMSLATFR_EL1, spe->settings.pmslatfr);
	go_on_here(spe);
}

static void spe_start_order(void *argument)
{
	const struct order *order = argument;
	struct driver_spe *spe = order->spe;
	spe->settings = *order->settings;
	spe->start = spe->end = 0;
	spe->is_running = true;
	begin_here(spe);
}

void driver_spe_start(struct driver_spe *spe, const struct driver_spe_settings *settings)
{
	struct order order = {.spe = spe, .settings = settings};
	spe_carry_out(&order, spe_start_order);
}

static void spe_stop_order(void *argument)
{
	const struct order *order = argument;
	pause_here(order->spe);
	order->spe->is_running = false;
	order->spe->is_suspended = false;
}

static void spe_suspend_order(void *argument)
{
	struct driver_spe *spe = ((const struct order *)argument)->spe;
	pause_here(spe);
	spe->is_suspended = spe->is_running;
}

void driver_spe_suspend(struct driver_spe *spe)
{
	struct order order = {.spe = spe};
	spe_carry_out(&order, spe_suspend_order);
}

static void spe_resume_order(void *argument)
{
	struct driver_spe *spe = ((const struct order *)argument)->spe;
	if (!spe->is_suspended)
		return;
	spe->is_suspended = false;
	begin_here(spe);
}

void driver_spe_resume(struct driver_spe *spe)
{
	struct order order = {.spe = spe};
	spe_carry_out(&order, spe_resume_order);
}

void driver_spe_stop(struct driver_spe *spe)
{
	struct order order = {.spe = spe};
	spe_carry_out(&order, spe_stop_order);
}

static void look_order(void *argument)
{
	const struct order *order = argument;
	pause_here(order->spe);
	go_on_here(order->spe);
}

uint64_t driver_spe_size(struct driver_spe *spe)
{
	struct order order = {.spe = spe};
	spe_carry_out(&order, look_order);
	return spe->end - spe->start;
}

static void spe_take_order(void *argument)
{
	const struct order *order = argument;
	struct driver_spe *spe = order->spe;
	pause_here(spe);
	size_t size = spe->end - spe->start;
	if (size > order->max_bytes)
		size = (size_t)order->max_bytes;
	if (size > order->call->out_size)
		size = order->call->out_size;
	if (size && driver_call_reply(order->call, spe->buffer + spe->start, size) == DRIVER_OK)
		spe->start += size;
	// While the unit is off: nothing writes to what is moved.
	spe_make_room(spe);
	go_on_here(spe);
}

void driver_spe_take(struct driver_spe *spe, uint64_t max_bytes, struct driver_call *call)
{
	struct order order = {.spe = spe, .max_bytes = max_bytes, .call = call};
	spe_carry_out(&order, spe_take_order);
}

void driver_spe_forget(struct driver_spe *spe)
{
	if (spe->is_running)
		driver_spe_stop(spe);
	spe->start = spe->end = 0;
}
