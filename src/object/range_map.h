/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_RANGE_MAP_H
#define WPERF_OBJECT_RANGE_MAP_H

/**
 * Which of many nested ranges is the innermost one at an address: a binary search. Add all
 * ranges, build once, then find.
 *
 * Ranges should nest; one that begins within another and goes on behind it is cut there.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RANGE_MAP_NONE = UINT32_MAX };

struct range_map_piece; /* private: from its start up to the next one's, one value */
struct range_map_range; /* private */

struct range_map {
	struct range_map_piece *pieces;
	size_t num_pieces, cap_pieces;
	struct range_map_range *ranges; /* until it is built */
	size_t num_ranges, cap_ranges;
};

#define RANGE_MAP_INIT \
	{              \
	}

/**
 * @end: behind the last address; an empty range is left out.
 * @depth: of two ranges with the same start, the deeper one is within the other.
 */
struct error *range_map_add(struct range_map *map, uint64_t start, uint64_t end, uint32_t depth,
			    uint32_t value);

/** Add the ranges of a map that is built, all under one value. */
struct error *range_map_add_all(struct range_map *map, const struct range_map *other,
				uint32_t value);

struct error *range_map_build(struct range_map *map);

/** Frees the room of the ranges, of a map that is built and stays. */
void range_map_trim(struct range_map *map);

/** Where the value changes, by number, of a map that is built; false behind the last one. */
bool range_map_piece(const struct range_map *map, size_t number, uint64_t *ret_start,
		     uint32_t *ret_value);

/** Empty again, with its room kept. */
void range_map_clear(struct range_map *map);

/** The value of the innermost range around the address, or RANGE_MAP_NONE. */
uint32_t range_map_find(const struct range_map *map, uint64_t address);

void range_map_deinit(struct range_map *map);

#endif
