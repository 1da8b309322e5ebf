/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_WINDOWS_TIME_H
#define WPERF_BASE_WINDOWS_TIME_H

/** What Windows says when it was: hundreds of nanoseconds since 1601. */

#include <stdint.h>

/** As CLOCK_REALTIME has it; 0 for what was before 1970. */
static inline uint64_t windows_time_ns(uint64_t ticks)
{
	const uint64_t until_1970 = UINT64_C(116444736000000000);
	return ticks < until_1970 ? 0 : (ticks - until_1970) * 100;
}

#endif
