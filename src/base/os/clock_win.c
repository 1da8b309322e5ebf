// SPDX-License-Identifier: Apache-2.0

#include "base/os/clock.h"

#include "base/file/file_time.h"

#define NS_PER_S UINT64_C(1000000000)

uint64_t clock_ns(clockid_t clock)
{
	if (clock == CLOCK_REALTIME) {
		// The older call without "Precise" is as coarse as the system's tick, up to 16 ms.
		FILETIME time;
		GetSystemTimePreciseAsFileTime(&time);
		return file_time_wall_ns(file_time_ticks(time));
	}
	LARGE_INTEGER ticks, frequency;
	QueryPerformanceCounter(&ticks);
	QueryPerformanceFrequency(&frequency);
	uint64_t per_second = (uint64_t)frequency.QuadPart, now = (uint64_t)ticks.QuadPart;
	// Seconds for themselves: the product of all ticks would not fit 64 bits after some days.
	return now / per_second * NS_PER_S + now % per_second * NS_PER_S / per_second;
}
