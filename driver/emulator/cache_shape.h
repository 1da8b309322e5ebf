/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_EMULATOR_CACHE_SHAPE_H
#define WPERF_EMULATOR_CACHE_SHAPE_H

/** How large a cache or a TLB of the model is, as the user writes it and within what is possible.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TLB_PAGE_BYTES = 4096,
	CACHE_SHAPE_TEXT_MAX = 32, /* characters of a text, with its end */
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

/** The sets and the line are powers of two, the ways need not be. Lines of a TLB are pages. */
struct cache_shape {
	uint32_t size; /* bytes that it covers: sets * ways * line */
	uint32_t ways;
	uint32_t line; /* bytes */
};

/**
 * "64K:4:64" (size, ways, line); for a TLB "48" entries, each of which may hold any page, or
 * "48:4" with ways. A size may end with K or M. A text that is none, or that tells an impossible
 * shape, is told as false.
 */
bool cache_shape_parse(const char *text, enum model_level level, struct cache_shape *ret);

/** "64K:4:64"; for a TLB "48:48", entries and ways. Fits into CACHE_SHAPE_TEXT_MAX. */
void cache_shape_format(const struct cache_shape *shape, enum model_level level, char *ret,
			size_t size);

/**
 * Can there be such a cache? Lines are of 16 to 4096 bytes (a TLB's of 4096), up to 4096 ways; L2
 * has at most 256K lines, the last level 1M, every other 64K.
 */
bool cache_shape_is_possible(const struct cache_shape *shape, enum model_level level);

#endif
