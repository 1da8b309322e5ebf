// SPDX-License-Identifier: Apache-2.0

#include "object/range_map.h"

#include "base/container/array.h"
#include "base/container/bisect.h"

// Nested ranges are flattened into pieces, each of which has the value of the innermost range
// there; a look-up is then one binary search without any tree. range_map_build() sorts ranges by
// start, the outer one first, and sweeps over them with the stack of ranges that are open. The
// stack needs no memory of its own: each range points to the one around it. Where a range starts
// or ends, a piece begins.
//
// Of ranges that overlap without nesting, which should not exist, the inner one is cut at the end
// of the outer one, so that the stack closes in order and each range makes at most two pieces: the
// array has its final size before the sweep.

struct range_map_range {
	uint64_t start, end;
	uint32_t depth, value;
	const struct range_map_range *outer; // while it is open: the one around it
};

struct range_map_piece {
	uint64_t start;
	uint32_t value;
};

struct error *range_map_add(struct range_map *map, uint64_t start, uint64_t end, uint32_t depth,
			    uint32_t value)
{
	if (start >= end)
		return NULL;
	struct error *err = array_reserve(&map->ranges, &map->cap_ranges, map->num_ranges + 1);
	if (!err)
		map->ranges[map->num_ranges++] =
			(struct range_map_range){start, end, depth, value, NULL};
	return err;
}

static int compare_ranges(const void *left, const void *right)
{
	const struct range_map_range *a = left, *b = right;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return (a->value > b->value) - (a->value < b->value);
}

/** From @start on it is @value; the last word on a start counts. */
static void range_map_begin_piece(struct range_map *map, uint64_t start, uint32_t value)
{
	// A piece of the same start is replaced; one of the same value as the one before is none.
	size_t count = map->num_pieces;
	if (count && map->pieces[count - 1].start == start)
		count--;
	if (!count || map->pieces[count - 1].value != value)
		map->pieces[count++] = (struct range_map_piece){start, value};
	map->num_pieces = count;
}

/** @open: the innermost range that is open. Those that end before the address are no more. */
static const struct range_map_range *close_ranges_before(struct range_map *map,
							 const struct range_map_range *open,
							 uint64_t address)
{
	while (open && open->end <= address) {
		const struct range_map_range *outer = open->outer;
		range_map_begin_piece(map, open->end, outer ? outer->value : RANGE_MAP_NONE);
		open = outer;
	}
	return open;
}

struct error *range_map_build(struct range_map *map)
{
	// Each range makes at most two pieces: where it begins, and what goes on behind it.
	struct error *err = array_reserve(&map->pieces, &map->cap_pieces, 2 * map->num_ranges);
	if (err)
		return err;
	size_t num_sorted = 1;
	while (num_sorted < map->num_ranges &&
	       compare_ranges(&map->ranges[num_sorted - 1], &map->ranges[num_sorted]) <= 0)
		num_sorted++;
	if (num_sorted < map->num_ranges)
		qsort(map->ranges, map->num_ranges, sizeof(*map->ranges), compare_ranges);
	const struct range_map_range *open = NULL;
	for (size_t i = 0; i < map->num_ranges; i++) {
		struct range_map_range *range = &map->ranges[i];
		open = close_ranges_before(map, open, range->start);
		if (open && range->end > open->end)
			range->end = open->end;
		range_map_begin_piece(map, range->start, range->value);
		range->outer = open;
		open = range;
	}
	close_ranges_before(map, open, UINT64_MAX);
	map->num_ranges = 0;
	return NULL;
}

void range_map_trim(struct range_map *map)
{
	free(take_ptr(map->ranges));
	map->num_ranges = map->cap_ranges = 0;
}

struct error *range_map_add_all(struct range_map *map, const struct range_map *other,
				uint32_t value)
{
	// The last piece has no end: it is what is behind all ranges.
	for (size_t i = 0; i + 1 < other->num_pieces; i++) {
		const struct range_map_piece *piece = &other->pieces[i];
		if (piece->value == RANGE_MAP_NONE)
			continue;
		struct error *err = range_map_add(map, piece->start, piece[1].start, 0, value);
		if (err)
			return err;
	}
	return NULL;
}

bool range_map_piece(const struct range_map *map, size_t number, uint64_t *ret_start,
		     uint32_t *ret_value)
{
	if (number >= map->num_pieces)
		return false;
	*ret_start = map->pieces[number].start;
	*ret_value = map->pieces[number].value;
	return true;
}

void range_map_clear(struct range_map *map)
{
	map->num_pieces = map->num_ranges = 0;
}

uint32_t range_map_find(const struct range_map *map, uint64_t address)
{
	size_t count = BISECT_U64(map->pieces, map->num_pieces, start, address);
	return count ? map->pieces[count - 1].value : RANGE_MAP_NONE;
}

void range_map_deinit(struct range_map *map)
{
	free(map->pieces);
	free(map->ranges);
	*map = (struct range_map)RANGE_MAP_INIT;
}
