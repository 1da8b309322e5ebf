/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_FILE_TIME_H
#define WPERF_BASE_FILE_FILE_TIME_H

/** Windows only: its times, a FILETIME of two 32-bit halves in units of 100 ns. */

#include <stdint.h>
#include <windows.h>

enum { NS_PER_FILE_TIME_TICK = 100 };

static inline uint64_t file_time_ticks(FILETIME time)
{
	return (uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime;
}

/** A duration. Not for dates: nanoseconds since 1601 do not fit. */
static inline uint64_t file_time_ns(FILETIME time)
{
	return file_time_ticks(time) * NS_PER_FILE_TIME_TICK;
}

/** A date in ticks since 1601, as CLOCK_REALTIME: since 1970; 0 if it is earlier. */
static inline uint64_t file_time_wall_ns(uint64_t ticks)
{
	const uint64_t until_1970 = UINT64_C(116444736000000000);
	return ticks < until_1970 ? 0 : (ticks - until_1970) * NS_PER_FILE_TIME_TICK;
}

#endif
