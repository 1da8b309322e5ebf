// SPDX-License-Identifier: Apache-2.0

#include "driver/core/counting.h"

#include <string.h>

// One struct for a core's PMU and for a cluster's: counters.h hides the difference. All work
// runs on the CPU that has the registers; the functions at the end only carry an order there
// (driver_registers_on_cpu()), where ticks of the same CPU cannot interrupt it.
//
// Counters are never reset while they count. counting_collect() adds the difference to the last
// value, modulo the counter's width, so that a tick must come before a 32-bit counter goes round
// twice. With more events than counters, a tick pauses the counters, collects, and programs the
// next window (take_turn()). A last period that was too short to be representative is taken back
// (forget_short_round()), because value * round / scheduled would count it as a whole one.
//
// Before counters are believed, their registers are compared with what was put there: a core that
// was off comes back with others. Then the round is taken back and begins anew (begin_anew()).

enum { MS_PER_SECOND = 1000 };

void driver_counting_init(struct driver_counting *counting, const struct driver_counters *counters,
			  struct driver_counted_event *events)
{
	memset(counting, 0, sizeof(*counting));
	counting->counters = *counters;
	counting->events = events;
}

static unsigned window_size(const struct driver_counting *counting)
{
	unsigned num_counters = counting->counters.num;
	return counting->num_events < num_counters ? counting->num_events : num_counters;
}

static bool counting_is_multiplexed(const struct driver_counting *counting)
{
	return counting->num_events > counting->counters.num;
}

static struct driver_counted_event *event_on(const struct driver_counting *counting,
					     unsigned counter)
{
	return &counting->events[(counting->window + counter) % counting->num_events];
}

static uint64_t read_time(const struct driver_counting *counting)
{
	const struct driver_counters *counters = &counting->counters;
	return driver_registers_read(counters->registers, counters->cpu, DRIVER_CNTVCT_EL0);
}

static void counting_report(const struct driver_counting *counting, uint32_t event,
			    unsigned counter, uint64_t value)
{
	const struct driver_counters *counters = &counting->counters;
	const struct driver_registers *registers = counters->registers;
	if (counters->pmu == DRIVER_PMU_CORE && registers->ops->counted)
		registers->ops->counted(registers->context, counters->cpu, event, counter, value);
}

// Differences modulo the width are right as long as no counter goes round twice in a period.
static void counting_collect(struct driver_counting *counting)
{
	const struct driver_counters *counters = &counting->counters;
	uint64_t cycles = driver_counters_read_cycles(counters);
	uint64_t new_cycles = (cycles - counting->last_cycles) & counters->cycle_mask;
	counting->cycles += new_cycles;
	counting->last_cycles = cycles;
	counting_report(counting, WPERF_CYCLE_EVENT, WPERF_CYCLE_COUNTER, new_cycles);
	for (unsigned i = 0; i < window_size(counting); i++) {
		struct driver_counted_event *event = event_on(counting, i);
		uint64_t value = driver_counters_read(counters, i);
		uint64_t new_events = (value - counting->last_values[i]) & counters->value_mask;
		event->value += new_events;
		counting->last_values[i] = value;
		counting_report(counting, event->number, counters->indexes[i], new_events);
	}
}

static void begin_round(struct driver_counting *counting)
{
	counting->round++;
	for (unsigned i = 0; i < window_size(counting); i++)
		event_on(counting, i)->scheduled++;
	counting->period_began = read_time(counting);
}

static void take_round_back(struct driver_counting *counting)
{
	counting->round--;
	for (unsigned i = 0; i < window_size(counting); i++)
		event_on(counting, i)->scheduled--;
}

// The event counters stand still before and count after.
static void begin_window(struct driver_counting *counting)
{
	for (unsigned i = 0; i < window_size(counting); i++) {
		driver_counters_program(&counting->counters, i, event_on(counting, i)->number,
					counting->filter);
		counting->last_values[i] = 0;
	}
	begin_round(counting);
	driver_counters_enable(&counting->counters, window_size(counting));
}

static void take_turn(struct driver_counting *counting)
{
	// The first window after a reset is that of the first events.
	if (counting_is_multiplexed(counting) && counting->had_turn)
		counting->window =
			(counting->window + counting->counters.num) % counting->num_events;
	counting->had_turn = true;
	begin_window(counting);
}

static void lose_round(struct driver_counting *counting)
{
	take_round_back(counting);
	counting->num_lost_rounds++;
}

// The same window again: it has not had its turn.
static void begin_anew(struct driver_counting *counting)
{
	lose_round(counting);
	driver_counters_prepare_again(&counting->counters, counting->filter);
	counting->last_cycles = driver_counters_read_cycles(&counting->counters);
	begin_window(counting);
}

static void start_here(struct driver_counting *counting, unsigned period_ms)
{
	driver_counters_prepare(&counting->counters, counting->filter);
	counting->last_cycles = driver_counters_read_cycles(&counting->counters);
	counting->period_ms = period_ms;
	counting->is_suspended = false;
	take_turn(counting);
}

static void forget_short_round(struct driver_counting *counting)
{
	// By CNTVCT_EL0, which is the same clock on all CPUs.
	const struct driver_counters *counters = &counting->counters;
	uint64_t per_second =
		driver_registers_read(counters->registers, counters->cpu, DRIVER_CNTFRQ_EL0);
	uint64_t period = per_second * counting->period_ms / MS_PER_SECOND;
	if (read_time(counting) - counting->period_began >= period / 2 || counting->round <= 1)
		return;
	// An event that was scheduled once only would be left without any time on a counter.
	for (unsigned i = 0; i < window_size(counting); i++) {
		if (event_on(counting, i)->scheduled == 1)
			return;
	}
	take_round_back(counting);
}

static void counting_halt(struct driver_counting *counting)
{
	driver_counters_disable(&counting->counters);
	if (driver_counters_have_lost_state(&counting->counters)) {
		lose_round(counting);
	} else {
		counting_collect(counting);
		forget_short_round(counting);
	}
	driver_counters_release(&counting->counters);
}

static void counting_stop_here(struct driver_counting *counting)
{
	if (!counting->is_suspended)
		counting_halt(counting);
	counting->is_suspended = false;
	counting->period_ms = 0;
}

static void counting_zero(struct driver_counting *counting)
{
	counting->window = 0;
	counting->had_turn = false;
	counting->round = 0;
	counting->cycles = 0;
	counting->num_lost_rounds = 0;
	for (unsigned i = 0; i < counting->num_events; i++)
		counting->events[i].value = counting->events[i].scheduled = 0;
}

void driver_counting_tick(struct driver_counting *counting)
{
	if (!counting->period_ms || counting->is_suspended)
		return;
	// Paused, so that all counters of a window have the same time.
	bool is_multiplexed = counting_is_multiplexed(counting);
	if (is_multiplexed)
		driver_counters_pause(&counting->counters);
	if (driver_counters_have_lost_state(&counting->counters)) {
		begin_anew(counting);
		return;
	}
	counting_collect(counting);
	if (is_multiplexed)
		take_turn(counting);
	else
		begin_round(counting);
}

// The functions below take the way to the CPU.

struct order {
	struct driver_counting *counting;
	unsigned period_ms;
	const uint16_t *numbers;
	unsigned num;
	uint64_t filter;
	uint64_t round;
	struct wperf_event_count *counts;
};

static void counting_carry_out(struct order *order, driver_cpu_fn *function)
{
	const struct driver_counters *counters = &order->counting->counters;
	driver_registers_on_cpu(counters->registers, counters->cpu, function, order);
}

static void counting_assign_order(void *argument)
{
	struct order *order = argument;
	struct driver_counting *counting = order->counting;
	unsigned period_ms = counting->period_ms;
	if (period_ms)
		counting_stop_here(counting);
	counting->num_events = order->num;
	for (unsigned i = 0; i < order->num; i++)
		counting->events[i].number = order->numbers[i];
	counting->filter = order->filter;
	counting_zero(counting);
	if (period_ms)
		start_here(counting, period_ms);
}

void driver_counting_assign(struct driver_counting *counting, const uint16_t *numbers, unsigned num,
			    uint64_t filter)
{
	struct order order = {
		.counting = counting,
		.numbers = numbers,
		.num = num,
		.filter = filter,
	};
	counting_carry_out(&order, counting_assign_order);
}

static void counting_start_order(void *argument)
{
	struct order *order = argument;
	// It counts already: only the length of its periods changes.
	if (order->counting->period_ms)
		order->counting->period_ms = order->period_ms;
	else
		start_here(order->counting, order->period_ms);
}

void driver_counting_start(struct driver_counting *counting, unsigned period_ms)
{
	struct order order = {.counting = counting, .period_ms = period_ms};
	counting_carry_out(&order, counting_start_order);
}

static void counting_stop_order(void *argument)
{
	struct order *order = argument;
	if (order->counting->period_ms)
		counting_stop_here(order->counting);
}

void driver_counting_stop(struct driver_counting *counting)
{
	struct order order = {.counting = counting};
	counting_carry_out(&order, counting_stop_order);
}

static void counting_suspend_order(void *argument)
{
	struct driver_counting *counting = ((struct order *)argument)->counting;
	if (!counting->period_ms || counting->is_suspended)
		return;
	counting_halt(counting);
	counting->is_suspended = true;
}

void driver_counting_suspend(struct driver_counting *counting)
{
	struct order order = {.counting = counting};
	counting_carry_out(&order, counting_suspend_order);
}

static void counting_resume_order(void *argument)
{
	struct driver_counting *counting = ((struct order *)argument)->counting;
	if (counting->is_suspended)
		start_here(counting, counting->period_ms);
}

void driver_counting_resume(struct driver_counting *counting)
{
	struct order order = {.counting = counting};
	counting_carry_out(&order, counting_resume_order);
}

static void counting_reset_order(void *argument)
{
	struct order *order = argument;
	unsigned period_ms = order->counting->period_ms;
	if (period_ms)
		counting_stop_here(order->counting);
	counting_zero(order->counting);
	if (period_ms)
		start_here(order->counting, period_ms);
}

void driver_counting_reset(struct driver_counting *counting)
{
	struct order order = {.counting = counting};
	counting_carry_out(&order, counting_reset_order);
}

static void counting_read_order(void *argument)
{
	struct order *order = argument;
	struct driver_counting *counting = order->counting;
	// Up to now, and not up to the last tick.
	if (counting->period_ms && !counting->is_suspended) {
		if (driver_counters_have_lost_state(&counting->counters))
			begin_anew(counting);
		else
			counting_collect(counting);
	}
	order->round = counting->round;
	order->counts[0] = (struct wperf_event_count){
		.event_idx = WPERF_CYCLE_EVENT,
		.filter_bits = counting->filter,
		.value = counting->cycles,
		.scheduled = counting->round,
	};
	for (unsigned i = 0; i < counting->num_events; i++) {
		order->counts[i + 1] = (struct wperf_event_count){
			.event_idx = counting->events[i].number,
			.filter_bits = counting->filter,
			.value = counting->events[i].value,
			.scheduled = counting->events[i].scheduled,
		};
	}
	order->num = counting->num_events + 1;
}

unsigned driver_counting_read(struct driver_counting *counting, uint64_t *ret_round,
			      struct wperf_event_count *ret_counts)
{
	struct order order = {.counting = counting, .counts = ret_counts};
	counting_carry_out(&order, counting_read_order);
	*ret_round = order.round;
	return order.num;
}
