/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_EMULATOR_MEMORY_MODEL_H
#define WPERF_EMULATOR_MEMORY_MODEL_H

/**
 * A simple model of one core's caches and TLBs, for events that have no exact value in an
 * emulator. It models no silicon: sets with least-recently-used replacement, write-allocate and
 * write-back, no prefetching, no coherence, everything done one access after the other.
 *
 * L1 misses go to a unified L2 (l2), its misses to a last-level cache (ll), both of this core
 * alone. A miss writes the line that it throws out, if that is dirty, to the next level, and then
 * reads its own from there, also when it is a write or a write-back. No level minds what another
 * one throws out. With lines of different sizes a miss reads each smaller line of the next level.
 *
 * Each access of a first-level cache is one of its TLB, too. A TLB is a cache of pages; misses of
 * the first level go to a second one of both kinds, and misses there walk the page table. The walk
 * itself touches no cache.
 */

#include "driver/emulator/cache_shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What is counted, each in memory_model.counts. Named after the PMU's events. */
enum model_event {
	MODEL_L1D_CACHE,
	MODEL_L1D_CACHE_RD,
	MODEL_L1D_CACHE_WR,
	MODEL_L1D_CACHE_REFILL,
	MODEL_L1D_CACHE_REFILL_RD,
	MODEL_L1D_CACHE_REFILL_WR,
	MODEL_L1D_CACHE_WB, /* a dirty line was thrown out */
	MODEL_L1I_CACHE,
	MODEL_L1I_CACHE_REFILL,
	MODEL_L2D_CACHE,
	MODEL_L2D_CACHE_RD,
	MODEL_L2D_CACHE_WR, /* write-backs of L1D */
	MODEL_L2D_CACHE_REFILL,
	MODEL_L2D_CACHE_WB,
	MODEL_LL_CACHE_RD,
	MODEL_LL_CACHE_MISS_RD,
	MODEL_L1D_TLB_EVENT, /* L1D_TLB: an access to it */
	MODEL_L1D_TLB_REFILL,
	MODEL_L1I_TLB_EVENT,
	MODEL_L1I_TLB_REFILL,
	MODEL_L2D_TLB,
	MODEL_L2D_TLB_REFILL,
	MODEL_DTLB_WALK,
	MODEL_ITLB_WALK,
	NUM_MODEL_EVENTS
};

struct memory_model_config {
	struct cache_shape levels[NUM_MODEL_LEVELS];
};

/** Much like a Neoverse N1: 64K:4:64 first-level caches, 1M:8:64, 4M:16:64, TLBs 48, 48, 1280:5. */
extern const struct memory_model_config memory_model_default;

struct memory_model;

/** Bytes that a model of this config needs; at most 16 MiB if all its shapes are possible. */
size_t memory_model_size(const struct memory_model_config *config);

/** In memory of that size, aligned to 64; nothing is to be freed. All caches are empty. */
struct memory_model *memory_model_init(void *memory, const struct memory_model_config *config);

/**
 * An access of data; one that crosses a line is one of each line that it touches, one of no bytes
 * is none.
 */
void memory_model_data(struct memory_model *model, uint64_t address, uint32_t size, bool is_write);

/** Instructions from @address on, @size bytes: one access for each line. */
void memory_model_fetch(struct memory_model *model, uint64_t address, uint32_t size);

/** So far, by enum model_event. */
const uint64_t *memory_model_counts(const struct memory_model *model);

/** From now on events are added there, NUM_MODEL_EVENTS of them; the caches stay as they are. */
void memory_model_count_into(struct memory_model *model, uint64_t *counts);

#endif
