// SPDX-License-Identifier: Apache-2.0

#include "driver/core/uncore/dmc_counting.h"

#include <stdbool.h>
#include <string.h>

// Counters of the memory controllers have 32 bits. They are read at every tick, and differences are
// added up modulo 2^32. There are as many counters as events are allowed, so that nothing is
// multiplexed. Registers are memory-mapped and could be accessed from anywhere; all accesses are
// made on one CPU, so that ticks and requests do not come between each other.
//
// A counter has a value and a control register (CoreLink DMC-620 TRM, PMU counter registers): bit 0
// enables it, the event is in the bits from 2. Linux has the same fields in
// drivers/perf/arm_dmc620_pmu.c.

#define CONTROL_ENABLE UINT32_C(1)

enum { CONTROL_EVENT_SHIFT = 2 };

void driver_dmc_counting_init(struct driver_dmc_counting *counting,
			      const struct driver_registers *registers, unsigned channel)
{
	memset(counting, 0, sizeof(*counting));
	counting->registers = registers;
	counting->channel = channel;
}

static uint32_t read_value(const struct driver_dmc_counting *counting, unsigned counter)
{
	const struct driver_registers *registers = counting->registers;
	return registers->ops->read_dmc(registers->context, counting->channel, counter,
					DRIVER_DMC_VALUE);
}

static void dmc_counting_write_control(const struct driver_dmc_counting *counting, unsigned counter,
				       uint32_t control)
{
	const struct driver_registers *registers = counting->registers;
	registers->ops->write_dmc(registers->context, counting->channel, counter,
				  DRIVER_DMC_CONTROL, control);
}

static void start_kind(struct driver_dmc_counting *counting, enum driver_dmc_kind kind)
{
	struct driver_dmc_events *events = &counting->kinds[kind];
	events->round++;
	for (unsigned i = 0; i < events->num; i++) {
		unsigned counter = driver_dmc_kinds[kind].first_counter + i;
		uint32_t event = (uint32_t)events->items[i].number << CONTROL_EVENT_SHIFT;
		// It starts from where it stands: the value is noted while it is off.
		dmc_counting_write_control(counting, counter, event);
		events->items[i].last = read_value(counting, counter);
		dmc_counting_write_control(counting, counter, event | CONTROL_ENABLE);
	}
}

static void collect_kind(struct driver_dmc_counting *counting, enum driver_dmc_kind kind)
{
	struct driver_dmc_events *events = &counting->kinds[kind];
	for (unsigned i = 0; i < events->num; i++) {
		uint32_t value = read_value(counting, driver_dmc_kinds[kind].first_counter + i);
		// In 32 bits: right if the counter went round once.
		events->items[i].value += (uint32_t)(value - events->items[i].last);
		events->items[i].last = value;
	}
}

static void stop_kind(struct driver_dmc_counting *counting, enum driver_dmc_kind kind)
{
	for (unsigned i = 0; i < counting->kinds[kind].num; i++)
		dmc_counting_write_control(counting, driver_dmc_kinds[kind].first_counter + i, 0);
	collect_kind(counting, kind);
}

static void zero_kind(struct driver_dmc_counting *counting, enum driver_dmc_kind kind)
{
	struct driver_dmc_events *events = &counting->kinds[kind];
	events->round = 0;
	for (unsigned i = 0; i < events->num; i++)
		events->items[i].value = 0;
}

void driver_dmc_counting_tick(struct driver_dmc_counting *counting)
{
	if (!counting->period_ms)
		return;
	for (unsigned kind = 0; kind < NUM_DRIVER_DMC_KINDS; kind++) {
		collect_kind(counting, (enum driver_dmc_kind)kind);
		counting->kinds[kind].round++;
	}
}

// The functions below take the way to the CPU.

struct order {
	struct driver_dmc_counting *counting;
	unsigned period_ms;
	enum driver_dmc_kind kind;
	const uint16_t *numbers;
	unsigned num;
	struct wperf_dmc_counts *counts;
};

static void dmc_counting_carry_out(struct order *order, driver_cpu_fn *function)
{
	driver_registers_on_cpu(order->counting->registers, DRIVER_DMC_CPU, function, order);
}

static void dmc_counting_assign_order(void *argument)
{
	struct order *order = argument;
	struct driver_dmc_counting *counting = order->counting;
	struct driver_dmc_events *events = &counting->kinds[order->kind];
	// Events of the other kind go on.
	if (counting->period_ms)
		stop_kind(counting, order->kind);
	events->num = order->num;
	for (unsigned i = 0; i < order->num; i++)
		events->items[i].number = order->numbers[i];
	zero_kind(counting, order->kind);
	if (counting->period_ms)
		start_kind(counting, order->kind);
}

void driver_dmc_counting_assign(struct driver_dmc_counting *counting, enum driver_dmc_kind kind,
				const uint16_t *numbers, unsigned num)
{
	struct order order = {
		.counting = counting,
		.kind = kind,
		.numbers = numbers,
		.num = num,
	};
	dmc_counting_carry_out(&order, dmc_counting_assign_order);
}

static void dmc_counting_start_order(void *argument)
{
	struct order *order = argument;
	bool stands_still = order->counting->period_ms == 0;
	order->counting->suspended_ms = 0;
	order->counting->period_ms = order->period_ms;
	for (unsigned kind = 0; stands_still && kind < NUM_DRIVER_DMC_KINDS; kind++)
		start_kind(order->counting, (enum driver_dmc_kind)kind);
}

void driver_dmc_counting_start(struct driver_dmc_counting *counting, unsigned period_ms)
{
	struct order order = {.counting = counting, .period_ms = period_ms};
	dmc_counting_carry_out(&order, dmc_counting_start_order);
}

static void dmc_counting_stop_order(void *argument)
{
	struct driver_dmc_counting *counting = ((struct order *)argument)->counting;
	counting->suspended_ms = 0;
	if (!counting->period_ms)
		return;
	for (unsigned kind = 0; kind < NUM_DRIVER_DMC_KINDS; kind++)
		stop_kind(counting, (enum driver_dmc_kind)kind);
	counting->period_ms = 0;
}

void driver_dmc_counting_stop(struct driver_dmc_counting *counting)
{
	struct order order = {.counting = counting};
	dmc_counting_carry_out(&order, dmc_counting_stop_order);
}

void driver_dmc_counting_suspend(struct driver_dmc_counting *counting)
{
	unsigned period_ms = counting->period_ms;
	driver_dmc_counting_stop(counting);
	counting->suspended_ms = period_ms;
}

void driver_dmc_counting_resume(struct driver_dmc_counting *counting)
{
	if (counting->suspended_ms)
		driver_dmc_counting_start(counting, counting->suspended_ms);
}

static void dmc_counting_reset_order(void *argument)
{
	struct driver_dmc_counting *counting = ((struct order *)argument)->counting;
	for (unsigned kind = 0; kind < NUM_DRIVER_DMC_KINDS; kind++) {
		if (counting->period_ms)
			stop_kind(counting, (enum driver_dmc_kind)kind);
		zero_kind(counting, (enum driver_dmc_kind)kind);
		if (counting->period_ms)
			start_kind(counting, (enum driver_dmc_kind)kind);
	}
}

void driver_dmc_counting_reset(struct driver_dmc_counting *counting)
{
	struct order order = {.counting = counting};
	dmc_counting_carry_out(&order, dmc_counting_reset_order);
}

static uint8_t dmc_counting_read_kind(struct driver_dmc_counting *counting,
				      enum driver_dmc_kind kind, struct wperf_event_count *counts)
{
	const struct driver_dmc_events *events = &counting->kinds[kind];
	if (counting->period_ms)
		collect_kind(counting, kind);
	for (unsigned i = 0; i < events->num; i++) {
		counts[i] = (struct wperf_event_count){
			.event_idx = events->items[i].number,
			.value = events->items[i].value,
			.scheduled = events->round,
		};
	}
	return (uint8_t)events->num;
}

static void dmc_counting_read_order(void *argument)
{
	struct order *order = argument;
	struct wperf_dmc_counts *counts = order->counts;
	memset(counts, 0, sizeof(*counts));
	counts->clk_events_num =
		dmc_counting_read_kind(order->counting, DRIVER_DMC_CLK, counts->clk_events);
	counts->clkdiv2_events_num =
		dmc_counting_read_kind(order->counting, DRIVER_DMC_CLKDIV2, counts->clkdiv2_events);
}

void driver_dmc_counting_read(struct driver_dmc_counting *counting, struct wperf_dmc_counts *ret)
{
	struct order order = {.counting = counting, .counts = ret};
	dmc_counting_carry_out(&order, dmc_counting_read_order);
}
