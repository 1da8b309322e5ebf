/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BENCH_SYNTHETIC_FLEET_H
#define WPERF_BENCH_SYNTHETIC_FLEET_H

/**
 * Batches like those of agents: a service has 20,000 stacks, 24 frames deep, over 5,000 functions.
 * A window has samples on a timer, 2,000 mostly. Stacks are drawn with a Zipf-like skew (a uniform
 * number to the third power): some are in each window, and most are rare.
 */

#include "fleet/fleet_batch.h"

#include <stdint.h>

enum { SYNTHETIC_STACKS = 20000 };

/** Names and stacks of a service, without samples. @batch: not initialised. */
void synthetic_service_make(struct fleet_batch *batch, uint32_t service, uint32_t *stacks);

/** New samples instead of those there are. */
void synthetic_window_fill(struct fleet_batch *batch, const uint32_t *stacks, uint32_t num_samples,
			   uint64_t *state);

/** How many different stacks the samples have: rows of a store. */
size_t synthetic_window_stacks(const struct fleet_batch *batch);

/** Ends the program after an error: a benchmark has nobody to return it to. */
void bench_check(struct error *err);

#endif
