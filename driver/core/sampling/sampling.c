// SPDX-License-Identifier: Apache-2.0

#include "driver/core/sampling/sampling.h"

#include <string.h>

// driver_sampling_overflow() is the interrupt: stop the counters, read and clear the overflow
// flags, arm the counters again, store the sample, start the counters. While they are stopped, the
// driver does not sample itself, and no overflow falls between reading a counter and arming it.
//
// The counter goes on after its overflow, so its value in the interrupt is the number of events by
// which the interrupt is late. sampling_rearm() subtracts that from the next interval, and adds
// overflows that were missed altogether to the dropped ones. So the number of samples does not
// depend on interrupt latency.
//
// Counters of the kernel's code count again as soon as they are enabled, which is before the HAL
// has ended the interrupt and the CPU has left it. MIN_REST is what that may take, ten times more
// than was seen under a hypervisor: less of an interval must not be left.

#define CYCLE_BIT (UINT64_C(1) << WPERF_CYCLE_COUNTER)

// Half of the smallest interval there: an interrupt that is on time never gives up a sample.
enum { MIN_REST = WPERF_MIN_KERNEL_INTERVAL / 2 };

// Fewer interrupts than that take no CPU away, at 18 us for each, entry and exit included: a tenth
// of the time is left. More are a burst, which has an end.
enum { CALM_PER_SECOND = 50000, MAX_BURST = 10000 };

void driver_sampling_init(struct driver_sampling *sampling, const struct driver_counters *counters,
			  void *ring_memory, size_t ring_size)
{
	memset(sampling, 0, sizeof(*sampling));
	sampling->counters = *counters;
	driver_ring_init(&sampling->ring, ring_memory, ring_size);
}

bool driver_sampling_has_events(const struct driver_sampling *sampling)
{
	return sampling->num_events > 0 || sampling->cycles.interval > 0;
}

static uint64_t sampled_bits(const struct driver_sampling *sampling)
{
	uint64_t bits = sampling->cycles.interval ? CYCLE_BIT : 0;
	for (unsigned i = 0; i < sampling->num_events; i++)
		bits |= driver_counters_bit(&sampling->counters, i);
	return bits;
}

// After so many events it overflows next. @late: how many have passed since it did.
static uint64_t rest_of_interval(const struct wperf_sample_event *event, uint64_t late,
				 uint64_t *num_missed)
{
	uint64_t rest = event->interval - late % event->interval;
	*num_missed += late / event->interval;
	if (event->filter_bits == WPERF_FILTER_EXCLUDE_EL1 || rest >= MIN_REST)
		return rest;
	++*num_missed;
	return rest + event->interval;
}

// The counters stand still. What a counter shows is how late we are, in events: it went on from 0
// at its overflow. Returns how many overflows there were or will be that are no samples.
static uint64_t sampling_rearm(const struct driver_sampling *sampling, uint64_t overflows)
{
	const struct driver_counters *counters = &sampling->counters;
	uint64_t num_missed = 0;
	if (overflows & CYCLE_BIT) {
		uint64_t late = driver_counters_read_cycles(counters);
		driver_counters_preload_cycles(counters, rest_of_interval(&sampling->cycles, late,
									  &num_missed));
	}
	for (unsigned i = 0; i < sampling->num_events; i++) {
		if (!(overflows & driver_counters_bit(counters, i)))
			continue;
		uint64_t late = driver_counters_read(counters, i);
		driver_counters_preload(counters, i,
					rest_of_interval(&sampling->events[i], late, &num_missed));
	}
	return num_missed;
}

static uint64_t take_overflows(struct driver_sampling *sampling)
{
	uint64_t overflows =
		driver_counters_take_overflows(&sampling->counters, sampled_bits(sampling));
	uint64_t num_missed = sampling_rearm(sampling, overflows);
	// Several counters that overflow together are one sample.
	sampling->summary.sample_generated += num_missed + (overflows != 0);
	sampling->summary.sample_dropped += num_missed;
	return overflows;
}

static bool sampling_store(struct driver_sampling *sampling,
			   const struct driver_interrupted *interrupted, uint64_t overflows)
{
	struct wperf_samples *samples = &sampling->samples;
	if (samples->size == WPERF_MAX_SAMPLES)
		return false;
	struct wperf_sample *sample = &samples->samples[samples->size++];
	// LR is the caller only until the function saves it and calls another one; WindowsPerf's
	// format has nothing better.
	sample->lr = interrupted->lr;
	sample->pc = interrupted->pc;
	sample->ov_flags = overflows;
	return true;
}

// Since the sample before it in the ring: so a client sees where they were lost.
static uint32_t num_lost(const struct driver_sampling *sampling)
{
	uint64_t num = sampling->summary.sample_dropped - sampling->dropped_by_then;
	return num < UINT32_MAX ? (uint32_t)num : UINT32_MAX;
}

static bool put_in_ring(struct driver_sampling *sampling,
			const struct driver_interrupted *interrupted, uint64_t overflows)
{
	const struct driver_counters *counters = &sampling->counters;
	const struct driver_registers *registers = counters->registers;
	struct driver_task task = {0, 0};
	bool is_cut = false;
	if (registers->ops->read_task)
		registers->ops->read_task(registers->context, counters->cpu, &task);
	struct wperf_ring_sample sample = {
		.num_callers = (uint16_t)driver_frames_walk(registers, counters->cpu, interrupted,
							    sampling->max_callers,
							    sampling->callers, &is_cut),
		.core = (uint16_t)counters->cpu,
		.pid = task.pid,
		.tid = task.tid,
		.time = driver_registers_read(registers, counters->cpu, DRIVER_CNTVCT_EL0),
		.pc = interrupted->pc,
		.lr = interrupted->lr,
		.overflows = (uint32_t)overflows,
		.num_lost = num_lost(sampling),
	};
	sample.flags = (uint16_t)((interrupted->in_kernel ? WPERF_RING_KERNEL : 0) |
				  (is_cut ? WPERF_RING_CUT : 0));
	if (!driver_ring_put(&sampling->ring, &sample, sampling->callers))
		return false;
	sampling->dropped_by_then = sampling->summary.sample_dropped;
	return true;
}

static void sampling_enable(struct driver_sampling *sampling)
{
	driver_counters_enable(&sampling->counters, sampling->num_events);
}

static uint64_t sampling_time(const struct driver_sampling *sampling)
{
	const struct driver_counters *counters = &sampling->counters;
	return driver_registers_read(counters->registers, counters->cpu, DRIVER_CNTVCT_EL0);
}

static void begin_burst(struct driver_sampling *sampling)
{
	sampling->is_throttled = false;
	sampling->num_in_burst = 0;
	sampling->burst_began = sampling_time(sampling);
}

static void count_in_burst(struct driver_sampling *sampling)
{
	if (++sampling->num_in_burst < MAX_BURST)
		return;
	driver_counters_disable_interrupts(&sampling->counters);
	sampling->is_throttled = true;
	sampling->throttled_at = sampling_time(sampling);
	sampling->num_throttled++;
}

// With the counters paused our own code is not sampled, and no overflow comes between reading and
// arming.
bool driver_sampling_overflow(struct driver_sampling *sampling,
			      const struct driver_interrupted *interrupted)
{
	if (!sampling->is_running || sampling->is_suspended || sampling->is_throttled)
		return false;
	driver_counters_disable(&sampling->counters);
	uint64_t overflows = take_overflows(sampling);
	bool is_stored = overflows == 0 ||
			 (sampling->uses_ring ? put_in_ring(sampling, interrupted, overflows)
					      : sampling_store(sampling, interrupted, overflows));
	sampling->summary.sample_dropped += !is_stored;
	count_in_burst(sampling);
	sampling_enable(sampling);
	return overflows != 0;
}

// From nothing: all intervals begin.
static void sampling_arm(struct driver_sampling *sampling)
{
	struct driver_counters *counters = &sampling->counters;
	if (sampling->cycles.interval)
		driver_counters_preload_cycles(counters, sampling->cycles.interval);
	for (unsigned i = 0; i < sampling->num_events; i++) {
		const struct wperf_sample_event *event = &sampling->events[i];
		driver_counters_program(counters, i, (uint16_t)event->event_src,
					event->filter_bits);
		driver_counters_preload(counters, i, event->interval);
	}
	driver_counters_enable_interrupts(counters, sampled_bits(sampling));
	begin_burst(sampling);
	sampling_enable(sampling);
}

// What overflowed while nobody was interrupted cannot be a sample: nobody knows where it was.
static void drop_overflows(struct driver_sampling *sampling)
{
	if (take_overflows(sampling))
		sampling->summary.sample_dropped++;
}

static void end_calm_burst(struct driver_sampling *sampling)
{
	const struct driver_counters *counters = &sampling->counters;
	uint64_t per_second =
		driver_registers_read(counters->registers, counters->cpu, DRIVER_CNTFRQ_EL0);
	uint64_t ticks = sampling_time(sampling) - sampling->burst_began;
	if (sampling->num_in_burst * per_second <= ticks * CALM_PER_SECOND)
		begin_burst(sampling);
}

static void end_throttling(struct driver_sampling *sampling)
{
	uint64_t busy = sampling->throttled_at - sampling->burst_began;
	if (sampling_time(sampling) - sampling->throttled_at < busy)
		return;
	driver_counters_disable(&sampling->counters);
	drop_overflows(sampling);
	driver_counters_enable_interrupts(&sampling->counters, sampled_bits(sampling));
	begin_burst(sampling);
	sampling_enable(sampling);
}

void driver_sampling_tick(struct driver_sampling *sampling)
{
	struct driver_counters *counters = &sampling->counters;
	if (!sampling->is_running || sampling->is_suspended)
		return;
	if (driver_counters_have_lost_state(counters)) {
		sampling->num_lost_states++;
		driver_counters_prepare_again(counters, sampling->cycles.filter_bits);
		sampling_arm(sampling);
	} else if (sampling->is_throttled) {
		end_throttling(sampling);
	} else {
		end_calm_burst(sampling);
	}
}

// The functions below take the way to the CPU.

struct order {
	struct driver_sampling *sampling;
	const struct wperf_sample_event *events;
	unsigned num;
	struct wperf_sample_summary *summary;
	struct wperf_samples *samples;
	bool into_ring;
	unsigned max_callers;
};

static void sampling_carry_out(struct order *order, driver_cpu_fn *function)
{
	const struct driver_counters *counters = &order->sampling->counters;
	driver_registers_on_cpu(counters->registers, counters->cpu, function, order);
}

static void forget_events(struct driver_sampling *sampling)
{
	sampling->num_events = 0;
	memset(&sampling->cycles, 0, sizeof(sampling->cycles));
}

static void set_events_order(void *argument)
{
	const struct order *order = argument;
	struct driver_sampling *sampling = order->sampling;
	forget_events(sampling);
	for (unsigned i = 0; i < order->num; i++) {
		if (order->events[i].event_src == WPERF_CYCLE_EVENT)
			sampling->cycles = order->events[i];
		else
			sampling->events[sampling->num_events++] = order->events[i];
	}
}

void driver_sampling_set_events(struct driver_sampling *sampling,
				const struct wperf_sample_event *events, unsigned num)
{
	struct order order = {.sampling = sampling, .events = events, .num = num};
	sampling_carry_out(&order, set_events_order);
}

static void forget_samples(struct driver_sampling *sampling)
{
	memset(&sampling->summary, 0, sizeof(sampling->summary));
	memset(&sampling->samples, 0, sizeof(sampling->samples));
	driver_ring_clear(&sampling->ring);
	sampling->dropped_by_then = 0;
	sampling->num_throttled = 0;
	sampling->num_lost_states = 0;
}

static void sampling_start_order(void *argument)
{
	const struct order *order = argument;
	struct driver_sampling *sampling = order->sampling;
	forget_samples(sampling);
	sampling->uses_ring = order->into_ring;
	sampling->max_callers = order->max_callers;
	driver_counters_prepare(&sampling->counters, sampling->cycles.filter_bits);
	sampling->is_running = true;
	sampling_arm(sampling);
}

void driver_sampling_start(struct driver_sampling *sampling)
{
	struct order order = {.sampling = sampling};
	sampling_carry_out(&order, sampling_start_order);
}

void driver_sampling_start_ring(struct driver_sampling *sampling, unsigned max_callers)
{
	struct order order = {
		.sampling = sampling,
		.into_ring = true,
		.max_callers = max_callers,
	};
	sampling_carry_out(&order, sampling_start_order);
}

bool driver_sampling_fills_ring(const struct driver_sampling *sampling)
{
	return sampling->is_running && sampling->uses_ring;
}

static void sampling_halt(struct driver_sampling *sampling)
{
	driver_counters_disable(&sampling->counters);
	// The interrupt of what overflowed is on the way, and will find nothing any more.
	if (driver_counters_have_lost_state(&sampling->counters))
		sampling->num_lost_states++;
	else
		drop_overflows(sampling);
	driver_counters_release(&sampling->counters);
}

static void sampling_stop_here(struct driver_sampling *sampling)
{
	if (!sampling->is_suspended)
		sampling_halt(sampling);
	sampling->is_suspended = false;
	sampling->is_running = false;
}

static void sampling_suspend_order(void *argument)
{
	struct driver_sampling *sampling = ((const struct order *)argument)->sampling;
	if (!sampling->is_running || sampling->is_suspended)
		return;
	sampling_halt(sampling);
	sampling->is_suspended = true;
}

void driver_sampling_suspend(struct driver_sampling *sampling)
{
	struct order order = {.sampling = sampling};
	sampling_carry_out(&order, sampling_suspend_order);
}

static void sampling_resume_order(void *argument)
{
	struct driver_sampling *sampling = ((const struct order *)argument)->sampling;
	if (!sampling->is_suspended)
		return;
	sampling->is_suspended = false;
	driver_counters_prepare(&sampling->counters, sampling->cycles.filter_bits);
	sampling_arm(sampling);
}

void driver_sampling_resume(struct driver_sampling *sampling)
{
	struct order order = {.sampling = sampling};
	sampling_carry_out(&order, sampling_resume_order);
}

static void sampling_stop_order(void *argument)
{
	const struct order *order = argument;
	if (order->sampling->is_running)
		sampling_stop_here(order->sampling);
	*order->summary = order->sampling->summary;
}

void driver_sampling_stop(struct driver_sampling *sampling, struct wperf_sample_summary *ret)
{
	struct order order = {.sampling = sampling, .summary = ret};
	sampling_carry_out(&order, sampling_stop_order);
}

static void sampling_take_order(void *argument)
{
	const struct order *order = argument;
	*order->samples = order->sampling->samples;
	memset(&order->sampling->samples, 0, sizeof(order->sampling->samples));
}

void driver_sampling_take(struct driver_sampling *sampling, struct wperf_samples *ret)
{
	struct order order = {.sampling = sampling, .samples = ret};
	sampling_carry_out(&order, sampling_take_order);
}

static void forget_order(void *argument)
{
	const struct order *order = argument;
	if (order->sampling->is_running)
		sampling_stop_here(order->sampling);
	forget_events(order->sampling);
	forget_samples(order->sampling);
}

void driver_sampling_forget(struct driver_sampling *sampling)
{
	struct order order = {.sampling = sampling};
	sampling_carry_out(&order, forget_order);
}
