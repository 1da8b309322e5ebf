/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_EMULATOR_MEMORY_MODEL_H
#define WPERF_EMULATOR_MEMORY_MODEL_H

/**
 * A simple model of one core's caches and TLBs, for events that have no exact value in an
 * emulator. It models no silicon: sets with least-recently-used replacement, write-allocate and
 * write-back, no prefetching, no coherence, everything done one access after the other.
 *
 * L1 misses go to a unified L2 (l2), its misses to a last-level cache (ll), both of this core
 * alone. A TLB is a cache of pages; misses of the first level go to a second one of both kinds,
 * and misses there walk the page table.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Powers of two; lines of a TLB are pages. */
struct cache_shape {
	uint32_t size; /* bytes that it covers: sets * ways * line */
	uint32_t ways;
	uint32_t line; /* bytes */
};

enum model_level {
	MODEL_L1D,
	MODEL_L1I,
	MODEL_L2,
	MODEL_LL,
	MODEL_L1D_TLB,
	MODEL_L1I_TLB,
	MODEL_L2_TLB,
	NUM_MODEL_LEVELS
};

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

/** Much like a Neoverse N1: 64K:4:64 first-level caches, 1M:8:64, 4M:16:64, TLBs 48, 48, 1280. */
extern const struct memory_model_config memory_model_default;

/** "64K:4:64" (size, ways, line), "48" or "48:4" entries for a TLB; a bad one is told as false. */
bool cache_shape_parse(const char *text, enum model_level level, struct cache_shape *ret);

/** "64K:4:64"; for a TLB "48:48", entries and ways. Fits into 32 characters. */
void cache_shape_format(const struct cache_shape *shape, enum model_level level, char *ret,
			size_t size);

/** Can there be such a cache? Powers of two where they must be, lines of 16 to 4096 bytes ... */
bool cache_shape_is_possible(const struct cache_shape *shape, enum model_level level);

struct memory_model;

/** Bytes that a model of this config needs; at most 16 MiB for any possible config. */
size_t memory_model_size(const struct memory_model_config *config);

/** In memory of that size, aligned to 64; nothing is to be freed. All caches are empty. */
struct memory_model *memory_model_init(void *memory, const struct memory_model_config *config);

/** An access of data; one that crosses a line is one of each line that it touches. */
void memory_model_data(struct memory_model *model, uint64_t address, uint32_t size, bool is_write);

/** Instructions from @address on, @size bytes: one access for each line. */
void memory_model_fetch(struct memory_model *model, uint64_t address, uint32_t size);

/** So far, by enum model_event. */
const uint64_t *memory_model_counts(const struct memory_model *model);

#endif
