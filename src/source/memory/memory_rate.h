/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_MEMORY_RATE_H
#define WPERF_SOURCE_MEMORY_MEMORY_RATE_H

/**
 * A period that follows how fast a program allocates: as short as was asked for, but so long that
 * there are not many more samples a second than `most`. Each sample knows the period that
 * it was drawn with, so that its weight is right all the same.
 */

#include <stdint.h>

struct memory_rate {
	uint64_t least, period; /* set by the caller: the same */
	unsigned most;          /* likewise: samples a second */
	/* private */
	uint64_t window_ns, second_ns;         /* when they began; 0: not yet */
	unsigned num_in_window, num_in_second; /* samples */
};

/** A sample has come. @time_ns: of it. @drawn_with: its period. Returns the period from now on. */
uint64_t memory_rate_note(struct memory_rate *rate, uint64_t time_ns, uint64_t drawn_with);

#endif
