// SPDX-License-Identifier: Apache-2.0

#include "symbols/code_map.h"

#include "base/container/array.h"
#include "base/container/bisect.h"

#include <stdlib.h>

// Ranges in the order in which they were made may overlap, as JIT compilers reuse memory; the last
// one is valid. code_map_build() sweeps over the addresses: ranges begin in address order and are
// put into a heap by their number, so that the latest one that covers the position is on top. The
// result is a sorted list of pieces without overlaps, in O(n log n), however much they overlap; a
// search is a bisection.
//
// Ranges as they were made, and the pieces that are left of them:
//
//	1     |------------------|
//	2          |------|
//	3               |-----------------|
//	      |1111|2222|33333333333333333|

struct error *code_map_add(struct code_map *map, const struct code_range *range)
{
	// Ranges come from files that any process can write. What makes no sense is left out, and
	// the rest is used.
	if (!range->size || range->size > UINT64_MAX - range->start)
		return NULL;
	if (map->num_ranges >= CODE_MAP_MAX_RANGES) {
		map->num_left_out++;
		return NULL;
	}
	struct error *err = array_reserve(&map->ranges, &map->cap_ranges, map->num_ranges + 1);
	if (!err)
		map->ranges[map->num_ranges++] = *range;
	return err;
}

static int code_map_compare_lines(const void *left, const void *right)
{
	const struct code_line *a = left, *b = right;
	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	return 0;
}

static void sort_lines(struct code_map *map, const struct code_range *range)
{
	if (!range->num_lines)
		return;
	struct code_line *lines = map->lines + range->first_line;
	bool sorted = true;
	for (uint32_t i = 1; i < range->num_lines; i++)
		sorted = sorted && lines[i - 1].offset <= lines[i].offset;
	if (!sorted)
		qsort(lines, range->num_lines, sizeof(*lines), code_map_compare_lines);
}

/** Goes over the addresses upwards; of the ranges that cover one, the latest is on top. */
struct sweep {
	const struct code_map *map;
	uint32_t *by_start; /* ranges by address */
	size_t next;        /* in by_start: the first one that is still ahead */
	uint32_t *heap;     /* those begun; a parent came later than its children */
	size_t heap_size;
	uint64_t position;
};

static uint64_t code_map_end_of(const struct code_map *map, uint32_t range)
{
	return map->ranges[range].start + map->ranges[range].size;
}

static void heap_push(struct sweep *sweep, uint32_t range)
{
	size_t place = sweep->heap_size++;
	for (; place && sweep->heap[(place - 1) / 2] < range; place = (place - 1) / 2)
		sweep->heap[place] = sweep->heap[(place - 1) / 2];
	sweep->heap[place] = range;
}

static void heap_pop(struct sweep *sweep)
{
	uint32_t moved = sweep->heap[--sweep->heap_size];
	size_t place = 0;
	for (size_t child; (child = 2 * place + 1) < sweep->heap_size; place = child) {
		if (child + 1 < sweep->heap_size && sweep->heap[child + 1] > sweep->heap[child])
			child++;
		if (sweep->heap[child] <= moved)
			break;
		sweep->heap[place] = sweep->heap[child];
	}
	sweep->heap[place] = moved;
}

static uint64_t next_start(const struct sweep *sweep)
{
	if (sweep->next == sweep->map->num_ranges)
		return UINT64_MAX;
	return sweep->map->ranges[sweep->by_start[sweep->next]].start;
}

/** To the next address at which something begins or ends; false at the end. */
static bool sweep_step(struct sweep *sweep, struct code_piece *ret)
{
	for (;;) {
		if (!sweep->heap_size && sweep->next == sweep->map->num_ranges)
			return false;
		// Nothing covers this address: go on where the next range begins.
		if (!sweep->heap_size)
			sweep->position = next_start(sweep);
		while (sweep->next < sweep->map->num_ranges && next_start(sweep) <= sweep->position)
			heap_push(sweep, sweep->by_start[sweep->next++]);
		// Only the top is checked. A range that has ended but lies deeper is removed when
		// it gets to the top.
		while (sweep->heap_size &&
		       code_map_end_of(sweep->map, sweep->heap[0]) <= sweep->position)
			heap_pop(sweep);
		if (sweep->heap_size)
			break;
	}
	uint32_t range = sweep->heap[0];
	uint64_t end = code_map_end_of(sweep->map, range);
	if (next_start(sweep) < end)
		end = next_start(sweep);
	*ret = (struct code_piece){sweep->position, end, range};
	sweep->position = end;
	return true;
}

static int code_map_compare_starts(const void *left, const void *right, void *map_of_both)
{
	const struct code_map *map = map_of_both;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	if (map->ranges[a].start != map->ranges[b].start)
		return map->ranges[a].start < map->ranges[b].start ? -1 : 1;
	return a < b ? -1 : 1;
}

struct error *code_map_build(struct code_map *map)
{
	size_t count = map->num_ranges;
	if (!count)
		return NULL;
	_cleanup_free_ uint32_t *by_start = calloc(count, sizeof(*by_start));
	_cleanup_free_ uint32_t *heap = calloc(count, sizeof(*heap));
	if (!by_start || !heap)
		return &error_no_memory;
	for (size_t i = 0; i < count; i++) {
		by_start[i] = (uint32_t)i;
		sort_lines(map, &map->ranges[i]);
	}
	qsort_r(by_start, count, sizeof(*by_start), code_map_compare_starts, map);
	struct sweep sweep = {.map = map, .by_start = by_start, .heap = heap};
	for (struct code_piece piece; sweep_step(&sweep, &piece);) {
		// A range goes on behind the end of another one that it covers.
		struct code_piece *last =
			map->num_pieces ? &map->pieces[map->num_pieces - 1] : NULL;
		if (last && last->range == piece.range && last->end == piece.start) {
			last->end = piece.end;
			continue;
		}
		struct error *err =
			array_reserve(&map->pieces, &map->cap_pieces, map->num_pieces + 1);
		if (err)
			return err;
		map->pieces[map->num_pieces++] = piece;
	}
	return NULL;
}

const struct code_range *code_map_find(const struct code_map *map, uint64_t address)
{
	size_t place = BISECT_U64(map->pieces, map->num_pieces, end, address);
	if (place == map->num_pieces || map->pieces[place].start > address)
		return NULL;
	return &map->ranges[map->pieces[place].range];
}

const struct code_line *code_map_find_line(const struct code_map *map,
					   const struct code_range *range, uint64_t address)
{
	if (!range->num_lines)
		return NULL;
	const struct code_line *lines = map->lines + range->first_line;
	size_t count = BISECT_U64(lines, range->num_lines, offset, address - range->start);
	return count ? &lines[count - 1] : NULL;
}

void code_map_deinit(struct code_map *map)
{
	free(map->ranges);
	free(map->pieces);
	free(map->lines);
	*map = (struct code_map)CODE_MAP_INIT;
}
