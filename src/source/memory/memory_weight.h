/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_MEMORY_WEIGHT_H
#define WPERF_SOURCE_MEMORY_MEMORY_WEIGHT_H

/**
 * What a sampled allocation stands for. Each byte is chosen with the probability 1 / period, so
 * that an allocation of s bytes is sampled with p = 1 - exp(-s / period). It stands for 1 / p
 * allocations and s / p bytes: then the expected sums are those of all allocations, whatever their
 * sizes (Horvitz and Thompson, 1952). Weights are whole numbers; what is rounded off is carried
 * over to the next sample, so that sums are right.
 */

#include <stdint.h>

/** What rounding has left so far, from 0 up to 1. */
struct memory_carry {
	double bytes, count;
};

struct memory_weight {
	uint64_t bytes, count;
};

/** @period: not 0. */
struct memory_weight memory_weight_of(uint64_t size, uint64_t period, struct memory_carry *carry);

#endif
