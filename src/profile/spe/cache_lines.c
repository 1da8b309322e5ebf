// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/cache_lines.h"

#include "base/container/array.h"
#include "base/container/hash_table.h"

#include <stdlib.h>

// The Space-Saving algorithm of Metwally, Agrawal and El Abbadi (2005) in a set-associative table
// of 16 ways: it finds the most frequent lines with a fixed amount of memory. A new line that finds
// its set full takes the place of the one with the lowest count and inherits that count. Tags and
// counts are in arrays of their own, so that a search touches one or two cache lines; the prefetch
// functions are called for a whole batch before (spe_batch.c).
//
// Accesses of a line are a linked list in one pool, with what was found last at the front, as loops
// repeat.
//
// A set, with its tags in one cache line and the lines themselves elsewhere:
//
//	tags    | t0 | t1 | ... | t15 |     16 * 4 bytes
//	counts  | c0 | c1 | ... | c15 |     16 * 4 bytes
//	lines   number, pid, count, inherited, first access -> access -> access

enum {
	WAYS = 16, // places of a set; their tags are one line of the cache
	NUM_SETS = CACHE_LINES_MAX / WAYS,
	MAX_ACCESSES = 1 << 19, // of all lines
};

static struct error *create_places(struct cache_lines *lines)
{
	if (lines->lines)
		return NULL;
	lines->lines = calloc(CACHE_LINES_MAX, sizeof(*lines->lines));
	lines->tags = calloc(CACHE_LINES_MAX, sizeof(*lines->tags));
	lines->counts = calloc(CACHE_LINES_MAX, sizeof(*lines->counts));
	return lines->lines && lines->tags && lines->counts ? NULL : &error_no_memory;
}

// Where a line can be: the first place of its set, and the tag, which is never 0.
struct spot {
	size_t first;
	uint32_t tag;
};

static struct spot spot_of(struct cache_line_key key)
{
	const uint64_t words[] = {key.number, key.pid};
	uint64_t hash = hash_bytes(words, sizeof(words));
	// The set and the tag take different bits of the hash. Two lines of a set with one tag are
	// told apart by their whole number (cache_lines_find_line()).
	return (struct spot){(size_t)(hash % NUM_SETS) * WAYS, (uint32_t)(hash >> 32) | 1};
}

void cache_lines_prefetch_set(const struct cache_lines *lines, struct cache_line_key key)
{
	if (!lines->lines)
		return;
	size_t first = spot_of(key).first;
	__builtin_prefetch(&lines->tags[first]);
	__builtin_prefetch(&lines->counts[first]);
}

// Of a set: the place that is free, or else has the fewest samples.
static size_t find_fewest(const struct cache_lines *lines, size_t first)
{
	size_t fewest = first;
	for (size_t i = first + 1; i < first + WAYS; i++)
		if (lines->counts[i] < lines->counts[fewest])
			fewest = i;
	return fewest;
}

size_t cache_lines_prefetch_line(const struct cache_lines *lines, struct cache_line_key key)
{
	if (!lines->lines)
		return 0;
	struct spot spot = spot_of(key);
	size_t place = spot.first;
	// A guess, which is enough to fetch memory: an equal tag is nearly always the line itself.
	while (place < spot.first + WAYS && lines->tags[place] != spot.tag)
		place++;
	if (place == spot.first + WAYS)
		place = find_fewest(lines, spot.first);
	__builtin_prefetch(&lines->lines[place]);
	return place;
}

void cache_lines_prefetch_access(const struct cache_lines *lines, size_t place)
{
	if (lines->lines && lines->lines[place].count &&
	    lines->lines[place].first != CACHE_ACCESS_NONE)
		__builtin_prefetch(&lines->accesses[lines->lines[place].first]);
}

static struct cache_line *cache_lines_replace(struct cache_lines *lines, struct spot spot,
					      struct cache_line_key key)
{
	size_t place = find_fewest(lines, spot.first);
	struct cache_line *line = &lines->lines[place];
	uint64_t inherited = line->count;
	if (inherited) {
		while (line->first != CACHE_ACCESS_NONE) {
			uint32_t index = line->first;
			line->first = lines->accesses[index].next;
			lines->accesses[index].next = lines->free_access;
			lines->free_access = index;
		}
		lines->num_replaced++;
	}
	*line = (struct cache_line){
		.number = key.number,
		.pid = key.pid,
		.first = CACHE_ACCESS_NONE,
		.count = inherited,
		.inherited = inherited,
	};
	// counts[] still has the inherited count, as cache_lines_add() sets it with the new sample.
	lines->tags[place] = spot.tag;
	return line;
}

static struct cache_line *cache_lines_find_line(struct cache_lines *lines,
						struct cache_line_key key)
{
	struct spot spot = spot_of(key);
	for (size_t i = spot.first; i < spot.first + WAYS; i++) {
		struct cache_line *line = &lines->lines[i];
		if (lines->tags[i] == spot.tag && line->number == key.number &&
		    line->pid == key.pid)
			return line;
	}
	return cache_lines_replace(lines, spot, key);
}

// The access that is like this; it becomes the first of its line, as it may come again soon.
static struct cache_access *find_access(struct cache_lines *lines, struct cache_line *line,
					const struct cache_access *wanted)
{
	uint32_t *link = &line->first;
	while (*link != CACHE_ACCESS_NONE) {
		uint32_t index = *link;
		struct cache_access *access = &lines->accesses[index];
		if (access->stack == wanted->stack && access->thread == wanted->thread &&
		    access->offset == wanted->offset && access->is_write == wanted->is_write) {
			*link = access->next;
			access->next = line->first;
			line->first = index;
			return access;
		}
		link = &access->next;
	}
	return NULL;
}

// @ret: left as it is if there is no room.
static struct error *cache_lines_add_access(struct cache_lines *lines, struct cache_line *line,
					    const struct cache_access *wanted,
					    struct cache_access **ret)
{
	if (line->num_accesses == CACHE_LINE_MAX_ACCESSES)
		return NULL;
	uint32_t index = lines->free_access;
	if (index != CACHE_ACCESS_NONE) {
		lines->free_access = lines->accesses[index].next;
	} else if (lines->num_accesses == MAX_ACCESSES) {
		return NULL;
	} else {
		struct error *err = array_reserve(&lines->accesses, &lines->cap_accesses,
						  lines->num_accesses + 1);
		if (err)
			return err;
		index = (uint32_t)lines->num_accesses++;
	}
	*ret = &lines->accesses[index];
	**ret = *wanted;
	(*ret)->next = line->first;
	line->first = index;
	line->num_accesses++;
	return NULL;
}

struct error *cache_lines_add(struct cache_lines *lines, const struct cache_line_sample *sample)
{
	struct error *err = create_places(lines);
	if (err)
		return err;
	const struct cache_line_key key = {sample->address / CACHE_LINE_BYTES, sample->pid};
	struct cache_line *line = cache_lines_find_line(lines, key);
	lines->num_samples++;
	line->count++;
	lines->counts[line - lines->lines] =
		line->count < UINT32_MAX ? (uint32_t)line->count : UINT32_MAX;
	const struct cache_access wanted = {
		.stack = sample->stack,
		.thread = sample->thread,
		.offset = sample->address % CACHE_LINE_BYTES,
		.is_write = sample->is_write,
	};
	struct cache_access *access = find_access(lines, line, &wanted);
	if (!access)
		err = cache_lines_add_access(lines, line, &wanted, &access);
	if (err)
		return err;
	if (!access) {
		line->num_unlisted++;
		return NULL;
	}
	access->count++;
	access->num_timed += sample->has_latency;
	access->latency += sample->has_latency ? sample->latency : 0;
	access->num_shared += sample->is_shared;
	return NULL;
}

uint64_t cache_lines_max_missing(const struct cache_lines *lines)
{
	uint64_t most = 0;
	for (size_t i = 0; lines->num_replaced && i < CACHE_LINES_MAX; i += WAYS) {
		// A line that is not in the table had at most as many samples as the least of its
		// set: that is what a newcomer would have inherited.
		uint64_t fewest = lines->lines[find_fewest(lines, i)].count;
		most = fewest > most ? fewest : most;
	}
	return most;
}

void cache_lines_deinit(struct cache_lines *lines)
{
	free(lines->lines);
	free(lines->tags);
	free(lines->counts);
	free(lines->accesses);
	*lines = (struct cache_lines)CACHE_LINES_INIT;
}
