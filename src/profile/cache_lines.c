// SPDX-License-Identifier: Apache-2.0

#include "profile/cache_lines.h"

#include "base/array.h"
#include "base/hash_table.h"

#include <stdlib.h>

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
	return lines->lines && lines->tags ? NULL : &error_no_memory;
}

// A line's set is chosen by one half of its hash; the other is its tag, which is never 0.
static uint64_t hash_line(uint64_t number, uint32_t pid)
{
	const uint64_t key[] = {number, pid};
	return hash_bytes(key, sizeof(key));
}

static void free_accesses(struct cache_lines *lines, struct cache_line *line)
{
	while (line->first != CACHE_ACCESS_NONE) {
		uint32_t index = line->first;
		line->first = lines->accesses[index].next;
		lines->accesses[index].next = lines->free_access;
		lines->free_access = index;
	}
}

static struct cache_line *find_fewest(struct cache_line *set)
{
	struct cache_line *fewest = set;
	for (size_t i = 1; i < WAYS && fewest->count; i++)
		if (set[i].count < fewest->count)
			fewest = &set[i];
	return fewest;
}

static struct cache_line *replace(struct cache_lines *lines, size_t first, uint32_t tag,
				  uint64_t number, uint32_t pid)
{
	struct cache_line *line = find_fewest(lines->lines + first);
	uint64_t inherited = line->count;
	if (inherited) {
		free_accesses(lines, line);
		lines->num_replaced++;
	}
	*line = (struct cache_line){
		.number = number,
		.pid = pid,
		.first = CACHE_ACCESS_NONE,
		.count = inherited,
		.inherited = inherited,
	};
	lines->tags[line - lines->lines] = tag;
	return line;
}

static struct cache_line *find_line(struct cache_lines *lines, uint64_t number, uint32_t pid)
{
	uint64_t hash = hash_line(number, pid);
	size_t first = (size_t)(hash % NUM_SETS) * WAYS;
	uint32_t tag = (uint32_t)(hash >> 32) | 1;
	for (size_t i = first; i < first + WAYS; i++) {
		struct cache_line *line = &lines->lines[i];
		if (lines->tags[i] == tag && line->number == number && line->pid == pid)
			return line;
	}
	return replace(lines, first, tag, number, pid);
}

static bool is_like(const struct cache_access *access, const struct cache_access *wanted)
{
	return access->stack == wanted->stack && access->thread == wanted->thread &&
	       access->offset == wanted->offset && access->is_write == wanted->is_write;
}

// The access that is like this; it becomes the first of its line, as it may come again soon.
static struct cache_access *find_access(struct cache_lines *lines, struct cache_line *line,
					const struct cache_access *wanted)
{
	uint32_t *link = &line->first;
	while (*link != CACHE_ACCESS_NONE) {
		uint32_t index = *link;
		struct cache_access *access = &lines->accesses[index];
		if (is_like(access, wanted)) {
			*link = access->next;
			access->next = line->first;
			line->first = index;
			return access;
		}
		link = &access->next;
	}
	return NULL;
}

// CACHE_ACCESS_NONE: there is no room.
static struct error *take_access(struct cache_lines *lines, const struct cache_line *line,
				 uint32_t *ret)
{
	*ret = CACHE_ACCESS_NONE;
	if (line->num_accesses == CACHE_LINE_MAX_ACCESSES)
		return NULL;
	if (lines->free_access != CACHE_ACCESS_NONE) {
		*ret = lines->free_access;
		lines->free_access = lines->accesses[*ret].next;
		return NULL;
	}
	if (lines->num_accesses == MAX_ACCESSES)
		return NULL;
	struct error *err =
		array_reserve(&lines->accesses, &lines->cap_accesses, lines->num_accesses + 1);
	if (!err)
		*ret = (uint32_t)lines->num_accesses++;
	return err;
}

static struct error *add_access(struct cache_lines *lines, struct cache_line *line,
				const struct cache_access *wanted, struct cache_access **ret)
{
	uint32_t index;
	struct error *err = take_access(lines, line, &index);
	if (err || index == CACHE_ACCESS_NONE)
		return err;
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
	struct cache_line *line = find_line(lines, sample->address / CACHE_LINE_BYTES, sample->pid);
	lines->num_samples++;
	line->count++;
	const struct cache_access wanted = {
		.stack = sample->stack,
		.thread = sample->thread,
		.offset = sample->address % CACHE_LINE_BYTES,
		.is_write = sample->is_write,
	};
	struct cache_access *access = find_access(lines, line, &wanted);
	if (!access)
		err = add_access(lines, line, &wanted, &access);
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
		const struct cache_line *fewest = find_fewest(lines->lines + i);
		most = fewest->count > most ? fewest->count : most;
	}
	return most;
}

void cache_lines_deinit(struct cache_lines *lines)
{
	free(lines->lines);
	free(lines->tags);
	free(lines->accesses);
	*lines = (struct cache_lines)CACHE_LINES_INIT;
}
