/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_FILE_ETL_CLOCK_H
#define WPERF_RECORD_ETL_FILE_ETL_CLOCK_H

/**
 * From the ticks that a file of ETW counts its time in to nanoseconds of the recording's clock: see
 * etl_stream.h. Payloads have times in ticks as well.
 */

#include <stdint.h>

struct etl_clock {
	uint64_t frequency_hz;        /* not 0 */
	uint64_t zero_ticks, zero_ns; /* one moment on both */
};

enum { ETL_NS_PER_S = 1000000000 };

static inline uint64_t etl_clock_span_ns(uint64_t frequency_hz, uint64_t ticks)
{
	// Whole nanoseconds for a tick: true of all x64 files since Windows 10, which have 10 MHz.
	if (frequency_hz == 10000000)
		return ticks * 100;
	uint64_t seconds = ticks / frequency_hz, rest = ticks % frequency_hz;
	if (frequency_hz <= UINT64_MAX / ETL_NS_PER_S)
		return seconds * ETL_NS_PER_S + rest * ETL_NS_PER_S / frequency_hz;
	return seconds * ETL_NS_PER_S + rest / (frequency_hz / ETL_NS_PER_S);
}

static inline uint64_t etl_clock_ns(const struct etl_clock *clock, uint64_t ticks)
{
	return ticks >= clock->zero_ticks
		       ? clock->zero_ns +
				 etl_clock_span_ns(clock->frequency_hz, ticks - clock->zero_ticks)
		       : clock->zero_ns -
				 etl_clock_span_ns(clock->frequency_hz, clock->zero_ticks - ticks);
}

#endif
