/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_CODE_MAP_H
#define WPERF_SYMBOLS_CODE_MAP_H

/**
 * Names of pieces of memory that were made and remade while a program ran: where two overlap, the
 * later one is there. Names and files are the caller's and must outlive the map.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code_line {
	uint64_t offset; /* in the range; from there to the next one's */
	const char *file;
	uint32_t line;
};

struct code_range {
	uint64_t start, size;
	const char *name;
	uint32_t first_line, num_lines; /* in the map's lines */
};

/** A part of a range that no later one covers. */
struct code_piece {
	uint64_t start, end;
	uint32_t range;
};

struct code_map {
	struct code_range *ranges; /* in order of arrival */
	struct code_piece *pieces; /* by address, without overlaps */
	struct code_line *lines;
	size_t num_ranges, cap_ranges, num_pieces, cap_pieces, num_lines, cap_lines;
	uint64_t num_left_out; /* ranges above CODE_MAP_MAX_RANGES */
};

#define CODE_MAP_INIT \
	{             \
	}

enum {
	CODE_MAP_MAX_RANGES = 1 << 22,
	CODE_MAP_MAX_LINES = 1 << 23,
};

/** What is empty or does not fit into 64 bits is left out, and so is what comes after
 *  CODE_MAP_MAX_RANGES ranges. */
struct error *code_map_add(struct code_map *map, const struct code_range *range);

/** Once, after all ranges: lays them over each other. Lines of each range get sorted. */
struct error *code_map_build(struct code_map *map);

/** The range that is at an address, or NULL. */
const struct code_range *code_map_find(const struct code_map *map, uint64_t address);

/** The line of an address within @range, or NULL. */
const struct code_line *code_map_find_line(const struct code_map *map,
					   const struct code_range *range, uint64_t address);

void code_map_deinit(struct code_map *map);

#endif
