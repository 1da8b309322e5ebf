/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_SAMPLING_SAMPLING_H
#define WPERF_DRIVER_CORE_SAMPLING_SAMPLING_H

/**
 * Sampling on one core. A counter is preloaded so that it overflows after `interval` events; the
 * interrupt stores where it came and arms the counter again for what is left of the next interval:
 * after N events there have been N / interval overflows, exactly, however late interrupts come.
 *
 * What is stored goes where the start said: among the WPERF_MAX_SAMPLES that
 * WPERF_PMU_CTL_SAMPLE_GET takes away, or into the ring, with thread, time and callers.
 *
 * Every overflow is a sample, those of several counters in one interrupt are one. A sample is
 * dropped, and counted as dropped, if there is no room for it, or if its interrupt came only after
 * the next overflow of the counter, or never before the stop.
 *
 * Interrupts never take a CPU away from what they interrupt. Where the kernel is sampled, the rest
 * of an interval that is too short for the interrupt to end in is given up, and the sample with it.
 * And a CPU that interrupts too often for too long is throttled: its counters go on, but do not
 * interrupt until a tick finds that it has rested for as long as it was busy. What overflows
 * meanwhile is dropped.
 */

#include "driver/core/counters.h"
#include "driver/core/sampling/frames.h"
#include "driver/core/sampling/ring.h"
#include "driver/include/wperf_driver.h"

#include <stdbool.h>
#include <stdint.h>

enum { DRIVER_SAMPLING_TICK_MS = 10 };

struct driver_sampling {
	struct driver_counters counters;
	struct wperf_sample_event events[DRIVER_MAX_EVENT_COUNTERS]; /* [i]: on counter i */
	unsigned num_events;
	struct wperf_sample_event cycles; /* an interval of 0: not sampled */
	bool is_running;
	bool is_suspended; /* while the computer sleeps */
	struct wperf_sample_summary summary;

	uint64_t burst_began; /* CNTVCT_EL0 */
	unsigned num_in_burst;
	bool is_throttled;
	uint64_t throttled_at; /* CNTVCT_EL0 */
	uint64_t num_throttled;
	uint64_t num_lost_states;

	struct wperf_samples samples;

	struct driver_ring ring;
	bool uses_ring;           /* since the last start */
	uint64_t dropped_by_then; /* when the last sample was put into the ring */
	unsigned max_callers;
	uint64_t callers[WPERF_RING_MAX_CALLERS]; /* of the sample in work */
};

/** Nothing to sample yet. @ring_memory, @ring_size: as for driver_ring_init(). */
void driver_sampling_init(struct driver_sampling *sampling, const struct driver_counters *counters,
			  void *ring_memory, size_t ring_size);

/**
 * Sample these, while it stands still. What is said of them in WPERF_PMU_CTL_SAMPLE_SET_SRC holds.
 */
void driver_sampling_set_events(struct driver_sampling *sampling,
				const struct wperf_sample_event *events, unsigned num);

/** Has it something to sample? */
bool driver_sampling_has_events(const struct driver_sampling *sampling);

/** Begin anew; there is something to sample, and nothing else uses the counters. */
void driver_sampling_start(struct driver_sampling *sampling);

/** The same, into the ring, which there is. */
void driver_sampling_start_ring(struct driver_sampling *sampling, unsigned max_callers);

/** Will there be more in the ring? */
bool driver_sampling_fills_ring(const struct driver_sampling *sampling);

/** A stop without a start gives the numbers again. */
void driver_sampling_stop(struct driver_sampling *sampling, struct wperf_sample_summary *ret);

/** The computer is going to sleep, and has woken: what samples pauses meanwhile. */
void driver_sampling_suspend(struct driver_sampling *sampling);
void driver_sampling_resume(struct driver_sampling *sampling);

/** Take the samples away that are not in the ring. */
void driver_sampling_take(struct driver_sampling *sampling, struct wperf_samples *ret);

/** Stop, and keep nothing. */
void driver_sampling_forget(struct driver_sampling *sampling);

/**
 * Each DRIVER_SAMPLING_TICK_MS while it runs, on the counters' CPU: counters that lost their state
 * begin anew, and a throttled CPU may interrupt again.
 */
void driver_sampling_tick(struct driver_sampling *sampling);

/**
 * In the interrupt, on the counters' CPU; the functions above go there by themselves.
 * Returns false if no counter that is sampled has overflowed.
 */
bool driver_sampling_overflow(struct driver_sampling *sampling,
			      const struct driver_interrupted *interrupted);

#endif
