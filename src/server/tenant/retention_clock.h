/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_TENANT_RETENTION_CLOCK_H
#define WPERF_SERVER_TENANT_RETENTION_CLOCK_H

/**
 * May old windows be dropped by the wall clock? What is dropped does not come back, and batches of
 * its time are refused from then on. So a clock that has jumped ahead drops nothing for a day: time
 * to notice, and for NTP to set it right. One that is that far ahead for a whole day is believed.
 */

#include <stdbool.h>
#include <stdint.h>

struct retention_instant {
	uint64_t wall_ns;   /* since 1970 */
	uint64_t steady_ns; /* of a clock that nobody sets, and that goes on in sleep */
};

struct retention_clock {
	struct retention_instant known; /* when both were as they should be */
	uint64_t held_ns;               /* since when nothing is dropped, on the steady clock */
	bool is_held;
	bool goes_by_window; /* known.wall_ns is the end of the newest window */
};

/** @newest_ns: the end of the newest window of all stores; 0: there is none. If it is older than
 *  half of @keep_ns, the clock may have jumped while no server ran. */
void retention_clock_init(struct retention_clock *clock, uint64_t newest_ns, uint64_t keep_ns,
			  struct retention_instant now);

/** To be called from time to time. @ret_ahead_ns: how far the clock has jumped, or how old the
 *  newest window is, if not. */
bool retention_clock_permits(struct retention_clock *clock, struct retention_instant now,
			     uint64_t *ret_ahead_ns);

#endif
