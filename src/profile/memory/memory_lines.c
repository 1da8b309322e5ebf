// SPDX-License-Identifier: Apache-2.0

#include "profile/memory/memory_lines.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

#define MEMORY_LIBRARY "wperf-memory.so"

// Places of one function, file and line are one row, whatever their addresses.

struct memory_place {
	uint32_t function, file, line;
};

void memory_lines_deinit(struct memory_lines *lines)
{
	free(lines->items);
	hash_table_deinit(&lines->index);
	*lines = (struct memory_lines)MEMORY_LINES_INIT;
}

bool memory_lines_are_there(const struct named_profile *profile)
{
	bool has[MEMORY_EVENT_NUM] = {false};
	for (uint32_t i = 0; i < profile->num_events; i++)
		has[memory_event_of(profile, i)] = true;
	bool has_in_use = has[MEMORY_EVENT_AT_MOMENT] || has[MEMORY_EVENT_IN_USE] ||
			  has[MEMORY_EVENT_AT_PEAK];
	return has[MEMORY_EVENT_ALLOCATED] + has[MEMORY_EVENT_TEMPORARY] +
		       has[MEMORY_EVENT_TOUCHED] + has[MEMORY_EVENT_LEAKED] + has_in_use >
	       1;
}

static bool memory_lines_begins_with_any(const char *text, const char *const *beginnings)
{
	for (; *beginnings; beginnings++)
		if (strncmp(text, *beginnings, strlen(*beginnings)) == 0)
			return true;
	return false;
}

static bool memory_lines_is_library(const struct named_profile *profile,
				    const struct named_frame *frame)
{
	static const char *const modules[] = {"libc.so",      "libc-",  "libm.so",  "ld-",
					      "libstdc++",    "libc++", "libgcc_s", "libpthread",
					      MEMORY_LIBRARY, NULL};
	static const char *const headers[] = {"/usr/include/", "/usr/lib/gcc/", NULL};
	const struct named_function *function = &profile->functions[frame->function];
	if (function->kind == FRAME_KERNEL || function->kind == FRAME_MARKER)
		return true;
	if (function->module == NAMED_NONE)
		return true;
	const char *module = named_profile_text(profile, profile->modules[function->module].name);
	return memory_lines_begins_with_any(module, modules) ||
	       memory_lines_begins_with_any(named_profile_text(profile, frame->file), headers);
}

/** Tables of wperf's, which lie in the program's memory. */
static bool memory_lines_is_of_wperf(const struct named_profile *profile, uint32_t stack)
{
	const struct stack_node *nodes = profile->stacks.nodes;
	for (; stack != STACK_NONE; stack = nodes[stack].parent) {
		const struct named_frame *frame = &profile->frames[nodes[stack].frame];
		const struct named_function *function = &profile->functions[frame->function];
		if (function->kind == FRAME_KERNEL)
			continue;
		return function->module != NAMED_NONE &&
		       strcmp(named_profile_text(profile, profile->modules[function->module].name),
			      MEMORY_LIBRARY) == 0;
	}
	return false;
}

static uint32_t memory_lines_find_frame(const struct named_profile *profile, uint32_t stack)
{
	const struct stack_node *nodes = profile->stacks.nodes;
	uint32_t own = NAMED_NONE;
	for (uint32_t node = stack; node != STACK_NONE; node = nodes[node].parent) {
		const struct named_frame *frame = &profile->frames[nodes[node].frame];
		if (profile->functions[frame->function].kind == FRAME_INTERPRETED)
			return nodes[node].frame;
		if (own == NAMED_NONE && !memory_lines_is_library(profile, frame))
			own = nodes[node].frame;
	}
	return own == NAMED_NONE && stack != STACK_NONE ? nodes[stack].frame : own;
}

static struct memory_place memory_lines_place(const struct named_profile *profile, uint32_t frame)
{
	if (frame == NAMED_NONE)
		return (struct memory_place){.function = NAMED_NONE};
	const struct named_frame *named = &profile->frames[frame];
	return (struct memory_place){named->function, named->file, named->line};
}

static bool memory_lines_is_place(const void *owner, uint32_t index, const void *key)
{
	const struct memory_lines *lines = owner;
	const struct memory_place place =
		memory_lines_place(lines->profile, lines->items[index].frame);
	return memcmp(&place, key, sizeof(place)) == 0;
}

static struct error *memory_lines_find(struct memory_lines *lines, uint32_t frame,
				       struct memory_line **ret)
{
	const struct memory_place place = memory_lines_place(lines->profile, frame);
	uint64_t hash = hash_bytes(&place, sizeof(place));
	uint32_t index = hash_table_find(&lines->index, hash, memory_lines_is_place, lines, &place);
	if (index == HASH_TABLE_NONE) {
		struct error *err =
			array_reserve(&lines->items, &lines->cap_items, lines->num_items + 1);
		index = (uint32_t)lines->num_items;
		if (!err)
			err = hash_table_insert(&lines->index, hash, index);
		if (err)
			return err;
		lines->items[lines->num_items++] = (struct memory_line){.frame = frame};
	}
	*ret = &lines->items[index];
	return NULL;
}

struct error *memory_lines_add(struct memory_lines *lines, uint32_t event,
			       const struct profile_filter *filter)
{
	const struct named_profile *profile = lines->profile;
	enum memory_event kind = memory_event_of(profile, event);
	if (kind == MEMORY_EVENT_NONE || kind == MEMORY_EVENT_COUNT || kind == MEMORY_EVENT_BLOCKS)
		return NULL; // no bytes
	lines->has[kind] = true;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		if (sample->event != event || !profile_filter_takes(filter, sample))
			continue;
		if (kind == MEMORY_EVENT_TOUCHED &&
		    memory_lines_is_of_wperf(profile, sample->stack))
			continue;
		struct memory_line *line;
		err = memory_lines_find(lines, memory_lines_find_frame(profile, sample->stack),
					&line);
		if (!err)
			line->bytes[kind] += sample->weight;
	}
	return err;
}

/** Of all events: a line may touch what another one asked for. */
static uint64_t memory_lines_most(const struct memory_line *line)
{
	uint64_t most = 0;
	for (size_t i = 0; i < MEMORY_EVENT_NUM; i++)
		if (line->bytes[i] > most)
			most = line->bytes[i];
	return most;
}

static int memory_lines_compare(const void *left, const void *right)
{
	const struct memory_line *a = left, *b = right;
	uint64_t most_a = memory_lines_most(a), most_b = memory_lines_most(b);
	if (most_a != most_b)
		return most_a < most_b ? 1 : -1;
	return (a->frame > b->frame) - (a->frame < b->frame);
}

void memory_lines_sort(struct memory_lines *lines)
{
	if (lines->num_items)
		qsort(lines->items, lines->num_items, sizeof(*lines->items), memory_lines_compare);
	hash_table_deinit(&lines->index);
	lines->index = (struct hash_table)HASH_TABLE_INIT;
}
