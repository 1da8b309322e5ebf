/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_TIME_CONVERSION_H
#define WPERF_RECORD_TIME_CONVERSION_H

/**
 * From ticks of a processor's timer, which hardware writes into its traces, to nanoseconds of the
 * clock that records have: as the kernel says it in the page of a ring (perf_event_mmap_page) and
 * perf in its files (PERF_ABI_TIME_CONV).
 */

#include <stdbool.h>
#include <stdint.h>

struct time_conversion {
	uint64_t zero_ns; /* at tick 0 */
	uint32_t multiplier;
	uint8_t shift; /* at most 63 */
	bool is_known; /* false: ticks cannot be converted */
	/** The timer has fewer than 64 bits: what is masked off is as at this tick, or one more. */
	bool is_short;
	uint64_t cycles, mask;
};

static inline uint64_t time_conversion_ns(const struct time_conversion *conversion, uint64_t ticks)
{
	if (conversion->is_short)
		ticks = conversion->cycles + ((ticks - conversion->cycles) & conversion->mask);
	uint64_t quotient = ticks >> conversion->shift;
	uint64_t rest = ticks & ((UINT64_C(1) << conversion->shift) - 1);
	return conversion->zero_ns + quotient * conversion->multiplier +
	       (rest * conversion->multiplier >> conversion->shift);
}

/** Of a timer that ticks so often a second, and whose clock shows @ns at @ticks. */
static inline struct time_conversion time_conversion_of_timer(uint64_t frequency_hz, uint64_t ticks,
							      uint64_t ns)
{
	enum { NS_PER_S = 1000000000, MAX_SHIFT = 30 };
	struct time_conversion conversion = {.shift = MAX_SHIFT, .is_known = frequency_hz > 0};
	if (!conversion.is_known)
		return conversion;
	while (conversion.shift &&
	       ((uint64_t)NS_PER_S << conversion.shift) / frequency_hz > UINT32_MAX)
		conversion.shift--;
	conversion.multiplier = (uint32_t)(((uint64_t)NS_PER_S << conversion.shift) / frequency_hz);
	conversion.zero_ns = ns - time_conversion_ns(&conversion, ticks); // may wrap
	return conversion;
}

#endif
