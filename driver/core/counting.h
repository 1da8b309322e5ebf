/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_COUNTING_H
#define WPERF_DRIVER_CORE_COUNTING_H

/**
 * Counting with one PMU, a core's or a cluster's. Time is cut into periods. More events than
 * counters take turns: in turn r, counted from 0 since the last reset, the window of events
 * (G * r + i) mod n is on the G counters; the next turn begins with each tick and each start.
 *
 * A round is a period that has begun. `scheduled` is in how many of them an event was on a
 * counter, so that value * round / scheduled is what it would have been all the time. A period
 * that a stop cut to less than half does not count as a round if all of its events had others:
 * it would weigh as much as a whole one. Nor does a period in which the counters lost their state:
 * what they had counted since we looked last is lost, and `num_lost_rounds` says how often.
 */

#include "driver/core/counters.h"
#include "driver/include/wperf_driver.h"

#include <stdbool.h>
#include <stdint.h>

struct driver_counted_event {
	uint64_t value;
	uint64_t scheduled;
	uint16_t number;
};

struct driver_counting {
	struct driver_counters counters;
	struct driver_counted_event *events; /* the user's */
	unsigned num_events;
	uint64_t filter;    /* WPERF_FILTER_* */
	unsigned period_ms; /* 0: it stands still */
	bool is_suspended;  /* while the computer sleeps */

	unsigned window; /* the event on the first counter */
	bool had_turn;   /* since the last reset */
	uint64_t round;
	uint64_t period_began; /* CNTVCT_EL0 */
	uint64_t num_lost_rounds;

	uint64_t cycles;
	/* What the counters showed when we looked last. */
	uint64_t last_cycles;
	uint64_t last_values[DRIVER_MAX_EVENT_COUNTERS];
};

/** @events: for as many as will ever be assigned; must outlive the counting. No events yet. */
void driver_counting_init(struct driver_counting *counting, const struct driver_counters *counters,
			  struct driver_counted_event *events);

/** Count these instead, from zero. What was counting goes on counting. */
void driver_counting_assign(struct driver_counting *counting, const uint16_t *numbers, unsigned num,
			    uint64_t filter);

/** Go on; where it counts already only the period changes, from the next tick on. */
void driver_counting_start(struct driver_counting *counting, unsigned period_ms);

/** Nothing is lost: what the last period has counted so far is kept. */
void driver_counting_stop(struct driver_counting *counting);

/** The computer is going to sleep, and has woken: what counts pauses meanwhile. */
void driver_counting_suspend(struct driver_counting *counting);
void driver_counting_resume(struct driver_counting *counting);

/** All numbers are 0 and the next turn is the first. What was counting goes on counting. */
void driver_counting_reset(struct driver_counting *counting);

/** A period has ended. Only on the counters' CPU; the functions above go there by themselves. */
void driver_counting_tick(struct driver_counting *counting);

/**
 * What was counted up to now.
 * @ret_counts: has room for the cycles and all events.
 * Returns how many were set.
 */
unsigned driver_counting_read(struct driver_counting *counting, uint64_t *ret_round,
			      struct wperf_event_count *ret_counts);

#endif
