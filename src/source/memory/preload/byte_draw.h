/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_BYTE_DRAW_H
#define WPERF_SOURCE_MEMORY_BYTE_DRAW_H

/**
 * Chooses allocations by chance: each byte with the same small probability, independently of all
 * others (a Poisson process). Needs no libm, as it is part of a library that links only libc.
 */

#include <stdint.h>

/** @state: of the random numbers; never 0. */
uint64_t byte_draw_seed(uint64_t first, uint64_t second);

/** How many bytes come before the next chosen one; @mean on average. */
uint64_t byte_draw_next(uint64_t *state, uint64_t mean);

/** The natural logarithm of a number above 0. */
double byte_draw_log(double value);

#endif
