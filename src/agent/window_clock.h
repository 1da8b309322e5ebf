/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_AGENT_WINDOW_CLOCK_H
#define WPERF_AGENT_WINDOW_CLOCK_H

/**
 * When windows begin and end. They end at multiples of their length, moved by a part of it that is
 * the host's own: many agents do not send in the same second then.
 *
 * Lengths are measured by the monotonic clock. The wall clock is read once for each window, at its
 * start: if somebody sets it, one window has another length, its time is off by as much as the
 * clock was, and nothing else is. A store puts a window where its start is, so windows need not be
 * aligned for it.
 */

#include <stdbool.h>
#include <stdint.h>

struct window_clock {
	uint64_t length_ns, phase_ns;
	uint64_t start_ns, end_ns; /* of the current window, on the monotonic clock */
	uint64_t start_wall_ns;    /* since 1970 */
};

/** An instant on both clocks. */
struct window_instant {
	uint64_t monotonic_ns, wall_ns;
};

/** @host: a number of its own. */
static inline void window_clock_init(struct window_clock *clock, uint64_t length_ns, uint64_t host)
{
	*clock = (struct window_clock){.length_ns = length_ns, .phase_ns = host % length_ns};
}

/** @is_whole: it is as long as it can be, wherever it begins; else it ends with the next multiple.
 *  One that would be shorter than a tenth of the length is as much longer. */
static inline void window_clock_begin(struct window_clock *clock, struct window_instant now,
				      bool is_whole)
{
	uint64_t length_ns = clock->length_ns;
	uint64_t since_ns = (now.wall_ns + length_ns - clock->phase_ns) % length_ns;
	uint64_t left_ns = is_whole ? length_ns : length_ns - since_ns;
	if (left_ns < length_ns / 10)
		left_ns += length_ns;
	clock->start_ns = now.monotonic_ns;
	clock->start_wall_ns = now.wall_ns;
	clock->end_ns = now.monotonic_ns + left_ns;
}

static inline uint64_t window_clock_left_ns(const struct window_clock *clock, uint64_t now_ns)
{
	return now_ns < clock->end_ns ? clock->end_ns - now_ns : 0;
}

#endif
