/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BENCH_RANDOM_NUMBERS_H
#define WPERF_BENCH_RANDOM_NUMBERS_H

/** Numbers that are the same in each run, so that recordings made of them are. */

#include <stddef.h>
#include <stdint.h>

/** @state: of the generator; any value begins a sequence. The constants are Knuth's (MMIX). */
static inline uint64_t random_next(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	uint64_t mixed = *state ^ (*state >> 29);
	return mixed * UINT64_C(0x9e3779b97f4a7c15) >> 20;
}

/** At least 0, and below @end. */
static inline size_t random_below(uint64_t *state, size_t end)
{
	return (size_t)(random_next(state) % end);
}

#endif
