/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_CLOCK_H
#define WPERF_BASE_CLOCK_H

/** What time it is, in nanoseconds. */

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif
