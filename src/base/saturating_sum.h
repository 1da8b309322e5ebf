/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_SATURATING_SUM_H
#define WPERF_BASE_SATURATING_SUM_H

#include <stdint.h>

/** UINT64_MAX where the sum would be more. */
static inline uint64_t saturating_sum(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif
