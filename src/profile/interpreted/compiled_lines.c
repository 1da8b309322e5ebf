// SPDX-License-Identifier: Apache-2.0

#include "profile/interpreted/compiled_lines.h"

#include "base/cleanup.h"
#include "profile/interpreted/interpreted_stacks.h"
#include "profile/tree/stack_sums.h"

#include <stdlib.h>

// Lines that were read while code of an interpreter's JIT compiler ran, with their weight in each
// event. The lines are collected first, from all frames that say so, sorted by file and line and
// made unique; then each stack with samples adds its weight to the line of its innermost
// interpreted frame, which is found by bisection. Sums are a row per line with a column per event.
// Lines without samples of the chosen events are left out at the end.

void compiled_lines_deinit(struct compiled_lines *compiled)
{
	free(compiled->lines);
	free(compiled->sums);
	*compiled = (struct compiled_lines)COMPILED_LINES_INIT;
}

static int compiled_lines_compare(const void *left, const void *right)
{
	const struct compiled_line *a = left, *b = right;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

/** Lines of all frames that are such, each once. */
static void collect_lines(const struct named_profile *profile, struct compiled_lines *compiled)
{
	size_t num = 0;
	for (size_t i = 0; i < profile->num_frames; i++)
		if (profile->frames[i].is_compiled)
			compiled->lines[num++] = (struct compiled_line){
				.file = profile->frames[i].file, .line = profile->frames[i].line};
	qsort(compiled->lines, num, sizeof(*compiled->lines), compiled_lines_compare);
	for (size_t i = 0; i < num; i++)
		if (!i || compiled_lines_compare(&compiled->lines[i], &compiled->lines[i - 1]) != 0)
			compiled->lines[compiled->num_lines++] = compiled->lines[i];
}

static struct error *compiled_lines_add_event(const struct named_profile *profile,
					      const struct profile_filter *filter, size_t event,
					      size_t num_events, struct compiled_lines *compiled)
{
	_cleanup_(stack_sums_deinit) struct stack_sums sums = STACK_SUMS_INIT;
	// By stack, not by sample: there are far fewer stacks, and equal ones have the same line.
	struct error *err = stack_sums_create(profile, filter, &sums);
	for (uint32_t i = 0; !err && i < profile->stacks.num_nodes; i++) {
		if (!sums.self[i].count)
			continue;
		// Native code that interpreted code called counts for the line that called it, as
		// in the list of hot lines.
		uint32_t innermost = interpreted_stacks_innermost(profile, i);
		if (innermost == STACK_NONE)
			continue;
		const struct named_frame *frame =
			&profile->frames[profile->stacks.nodes[innermost].frame];
		if (!frame->is_compiled)
			continue;
		size_t line = (size_t)(compiled_lines_find(compiled, frame->file, frame->line) -
				       compiled->lines);
		named_total_add(&compiled->sums[line * num_events + event], sums.self[i]);
	}
	return err;
}

/** Frames of other events, or of samples that the filters do not take, are no lines of these. */
static void keep_lines_with_samples(struct compiled_lines *compiled, size_t num_events)
{
	size_t num = 0;
	for (size_t i = 0; i < compiled->num_lines; i++) {
		const struct named_total *selves = &compiled->sums[i * num_events];
		uint64_t num_samples = 0;
		for (size_t k = 0; k < num_events; k++)
			num_samples += selves[k].count;
		if (!num_samples)
			continue;
		compiled->lines[num] = compiled->lines[i];
		compiled->lines[num++].selves = selves;
	}
	compiled->num_lines = num;
}

struct error *compiled_lines_create(const struct named_profile *profile,
				    struct profile_filter *const *filters, size_t num_filters,
				    struct compiled_lines *ret)
{
	_cleanup_(compiled_lines_deinit) struct compiled_lines compiled = COMPILED_LINES_INIT;
	size_t num_frames = 0;
	for (size_t i = 0; i < profile->num_frames; i++)
		num_frames += profile->frames[i].is_compiled;
	if (!num_frames) {
		*ret = compiled;
		return NULL;
	}
	compiled.lines = calloc(num_frames, sizeof(*compiled.lines));
	compiled.sums = calloc(num_frames * (num_filters + 1), sizeof(*compiled.sums));
	if (!compiled.lines || !compiled.sums)
		return &error_no_memory;
	collect_lines(profile, &compiled);
	for (size_t i = 0; i < num_filters; i++) {
		struct error *err =
			compiled_lines_add_event(profile, filters[i], i, num_filters, &compiled);
		if (err)
			return err;
	}
	// Without an event, only which lines are compiled was asked for.
	if (num_filters)
		keep_lines_with_samples(&compiled, num_filters);
	*ret = compiled;
	compiled = (struct compiled_lines)COMPILED_LINES_INIT;
	return NULL;
}

const struct compiled_line *compiled_lines_find(const struct compiled_lines *compiled,
						uint32_t file, uint32_t line)
{
	const struct compiled_line key = {.file = file, .line = line};
	return compiled->num_lines ? bsearch(&key, compiled->lines, compiled->num_lines,
					     sizeof(key), compiled_lines_compare)
				   : NULL;
}

struct named_total compiled_lines_sum(const struct compiled_lines *compiled, uint32_t file,
				      size_t event)
{
	struct named_total sum = {0};
	for (size_t i = 0; i < compiled->num_lines; i++)
		if (file == NAMED_NONE || compiled->lines[i].file == file)
			named_total_add(&sum, compiled->lines[i].selves[event]);
	return sum;
}
