// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/line_sharing.h"

#include "base/cleanup.h"
#include "profile/spe/spe_list.h"

#include <stdlib.h>

// Accesses of a line are sorted by offset and thread. A line is shared if two threads touch it and
// at least one writes. is_contended() looks at each byte offset: true sharing is two threads at one
// offset, one of them writing. If no offset is contended, the threads share only the line, which is
// false sharing.
//
// Accesses of one line by two threads:
//
//	offset 0: T1 writes, offset 8: T2 reads           false sharing
//	offset 0: T1 writes, offset 0: T2 reads           true sharing
//	both                                              false and true sharing

static const char *const kind_names[] = {
	[LINE_SHARING_FALSE] = "false sharing",
	[LINE_SHARING_TRUE] = "true sharing",
	[LINE_SHARING_BOTH] = "false and true sharing",
};

const char *line_sharing_kind_name(enum line_sharing_kind kind)
{
	return kind_names[kind];
}

static int line_sharing_compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_accesses(const void *left, const void *right)
{
	const struct cache_access *a = left, *b = right;
	int order = line_sharing_compare(a->offset, b->offset);
	order = order ? order : line_sharing_compare(a->thread, b->thread);
	order = order ? order : line_sharing_compare(b->count, a->count);
	order = order ? order : line_sharing_compare(a->stack, b->stack);
	return order ? order : a->is_write - b->is_write;
}

// Whether the thread, or only what of it writes, is in none of the accesses before this.
static bool is_new_thread(const struct cache_access *accesses, size_t index, bool only_writes)
{
	for (size_t i = 0; i < index; i++)
		if (accesses[i].thread == accesses[index].thread &&
		    (!only_writes || accesses[i].is_write))
			return false;
	return !only_writes || accesses[index].is_write;
}

// Accesses to one byte stand together: is it touched by two threads, of which one writes?
static bool is_contended(const struct shared_line *line, size_t first)
{
	const struct cache_access *accesses = line->accesses;
	bool is_written = false, has_others = false;
	for (size_t i = first;
	     i < line->num_accesses && accesses[i].offset == accesses[first].offset; i++) {
		is_written |= accesses[i].is_write;
		has_others |= accesses[i].thread != accesses[first].thread;
	}
	return is_written && has_others;
}

// All accesses at one offset can only be true sharing, since line_sharing_is_wanted() has found two
// threads and a writer.
static enum line_sharing_kind line_sharing_kind_of(const struct shared_line *line)
{
	const struct cache_access *last = &line->accesses[line->num_accesses - 1];
	if (line->accesses[0].offset == last->offset)
		return LINE_SHARING_TRUE;
	for (size_t i = 0; i < line->num_accesses; i++)
		if (is_contended(line, i))
			return LINE_SHARING_BOTH;
	return LINE_SHARING_FALSE;
}

static bool line_sharing_is_wanted(const struct shared_line *line,
				   const struct profile_filter *filter)
{
	if (line->num_threads < 2 || !line->num_writers)
		return false;
	bool is_taken = !filter;
	for (size_t i = 0; !is_taken && i < line->num_accesses; i++)
		is_taken = spe_filter_takes(filter, line->accesses[i].stack,
					    line->accesses[i].thread, filter->event);
	return is_taken;
}

static int line_sharing_compare_lines(const void *left, const void *right)
{
	const struct shared_line *a = left, *b = right;
	int order = line_sharing_compare(b->latency, a->latency);
	order = order ? order : line_sharing_compare(b->line->count, a->line->count);
	order = order ? order : line_sharing_compare(a->line->pid, b->line->pid);
	return order ? order : line_sharing_compare(a->line->number, b->line->number);
}

static void line_sharing_add(struct line_sharing *sharing, const struct cache_lines *lines,
			     const struct cache_line *line, const struct profile_filter *filter,
			     size_t *num_accesses)
{
	struct cache_access *accesses = sharing->accesses + *num_accesses;
	struct shared_line shared = {.line = line, .accesses = accesses};
	for (uint32_t i = line->first; i != CACHE_ACCESS_NONE; i = lines->accesses[i].next)
		accesses[shared.num_accesses++] = lines->accesses[i];
	qsort(accesses, shared.num_accesses, sizeof(*accesses), compare_accesses);
	sharing->num_touched_lines++;
	for (size_t i = 0; i < shared.num_accesses; i++) {
		const struct cache_access *access = &accesses[i];
		*(access->is_write ? &shared.num_writes : &shared.num_reads) += access->count;
		shared.num_shared += access->num_shared;
		shared.num_timed += access->num_timed;
		shared.latency += access->latency;
		shared.num_threads += is_new_thread(accesses, i, false);
		shared.num_writers += is_new_thread(accesses, i, true);
	}
	if (!line_sharing_is_wanted(&shared, filter))
		return;
	shared.kind = line_sharing_kind_of(&shared);
	*num_accesses += shared.num_accesses;
	sharing->lines[sharing->num_lines++] = shared;
}

struct error *line_sharing_create(const struct named_profile *profile,
				  const struct profile_filter *filter, struct line_sharing *ret)
{
	const struct cache_lines *lines = &profile->spe->lines;
	size_t num_places = lines->lines ? CACHE_LINES_MAX : 0;
	_cleanup_(line_sharing_deinit) struct line_sharing sharing = {
		.lines = calloc(num_places + 1, sizeof(*sharing.lines)),
		.accesses = calloc(lines->num_accesses + 1, sizeof(*sharing.accesses)),
	};
	if (!sharing.lines || !sharing.accesses)
		return &error_no_memory;
	size_t num_accesses = 0;
	for (size_t i = 0; i < num_places; i++)
		// A line's accesses are copied before it is known whether it is shared. If it is
		// not, the next line overwrites them, as *num_accesses does not move.
		if (lines->lines[i].count)
			line_sharing_add(&sharing, lines, &lines->lines[i], filter, &num_accesses);
	qsort(sharing.lines, sharing.num_lines, sizeof(*sharing.lines), line_sharing_compare_lines);
	*ret = sharing;
	sharing = (struct line_sharing)LINE_SHARING_INIT;
	return NULL;
}

void line_sharing_deinit(struct line_sharing *sharing)
{
	free(sharing->lines);
	free(sharing->accesses);
	*sharing = (struct line_sharing)LINE_SHARING_INIT;
}
