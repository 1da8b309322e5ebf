/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_SAMPLING_H
#define WPERF_DRIVER_CORE_SAMPLING_H

/**
 * Sampling on one core. A counter is preloaded so that it overflows after `interval` events; the
 * interrupt stores where it came and arms the counter again for what is left of the next interval:
 * after N events there have been N / interval overflows, exactly, however late interrupts come.
 *
 * Every overflow is a sample, those of several counters in one interrupt are one. A sample is
 * dropped, and counted as dropped, if there is no room for it, or if its interrupt came only after
 * the next overflow of the counter, or never before the stop.
 */

#include "driver/core/counters.h"
#include "driver/include/wperf_driver.h"

#include <stdbool.h>
#include <stdint.h>

/** What an interrupt interrupted. */
struct driver_interrupted {
	uint64_t pc, lr;
};

struct driver_sampling {
	struct driver_counters counters;
	struct wperf_sample_event events[DRIVER_MAX_EVENT_COUNTERS]; /* [i]: on counter i */
	unsigned num_events;
	struct wperf_sample_event cycles; /* an interval of 0: not sampled */
	bool is_running;
	struct wperf_sample_summary summary;
	struct wperf_samples samples;
};

/** Nothing to sample yet. */
void driver_sampling_init(struct driver_sampling *sampling, const struct driver_counters *counters);

/**
 * Sample these, while it stands still. What is said of them in WPERF_PMU_CTL_SAMPLE_SET_SRC holds.
 */
void driver_sampling_set_events(struct driver_sampling *sampling,
				const struct wperf_sample_event *events, unsigned num);

/** Has it something to sample? */
bool driver_sampling_has_events(const struct driver_sampling *sampling);

/** Begin anew; there is something to sample, and nothing else uses the counters. */
void driver_sampling_start(struct driver_sampling *sampling);

/** A stop without a start gives the numbers again. */
void driver_sampling_stop(struct driver_sampling *sampling, struct wperf_sample_summary *ret);

/** Take the samples away. */
void driver_sampling_take(struct driver_sampling *sampling, struct wperf_samples *ret);

/** Stop, and keep nothing. */
void driver_sampling_forget(struct driver_sampling *sampling);

/**
 * In the interrupt, on the counters' CPU; the functions above go there by themselves.
 * Returns false if no counter that is sampled has overflowed.
 */
bool driver_sampling_overflow(struct driver_sampling *sampling,
			      const struct driver_interrupted *interrupted);

#endif
