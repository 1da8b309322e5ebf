// SPDX-License-Identifier: Apache-2.0

#include "profile/interpreted/line_callees.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "profile/interpreted/interpreted_stacks.h"
#include "profile/tree/stack_sums.h"

#include <stdlib.h>

// Every stack with samples gives a hit: the innermost interpreted line and the native function at
// the leaf. Hits of all events are sorted by line and function, and neighbours become a row with a
// sum for each event.
//
// Stacks of line 7 of a.py, outermost first:
//
//	a.py:7                   2 samples    line 7, NAMED_NONE (the line's own bytecode): 2
//	a.py:7  c_call  memcpy   3 samples    line 7, memcpy: 3

/** Of one stack and event. */
struct hit {
	uint32_t line, function, event;
	struct named_total sum;
};

struct hit_list {
	struct hit *items;
	size_t num_items, cap_items;
};

static void hit_list_deinit(struct hit_list *list)
{
	free(list->items);
}

static struct error *line_callees_add_event(const struct named_profile *profile, uint32_t file,
					    const struct profile_filter *filter, uint32_t event,
					    struct hit_list *list)
{
	_cleanup_(stack_sums_deinit) struct stack_sums sums = STACK_SUMS_INIT;
	struct error *err = stack_sums_create(profile, filter, &sums);
	const struct stack_node *nodes = profile->stacks.nodes;
	for (uint32_t i = 0; !err && i < profile->stacks.num_nodes; i++) {
		if (!sums.self[i].count)
			continue;
		uint32_t innermost = interpreted_stacks_innermost(profile, i);
		if (innermost == STACK_NONE)
			continue;
		const struct named_frame *line = &profile->frames[nodes[innermost].frame];
		if (line->file != file)
			continue;
		// The leaf, not the function that the line called: it says what the time is spent
		// on.
		const struct hit hit = {
			.line = line->line,
			.function = innermost == i ? NAMED_NONE
						   : profile->frames[nodes[i].frame].function,
			.event = event,
			.sum = sums.self[i],
		};
		err = array_reserve(&list->items, &list->cap_items, list->num_items + 1);
		if (!err)
			list->items[list->num_items++] = hit;
	}
	return err;
}

static int line_callees_compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_place(const void *left, const void *right)
{
	const struct hit *a = left, *b = right;
	int order = line_callees_compare(a->line, b->line);
	return order ? order : line_callees_compare(a->function, b->function);
}

/** While rows are sorted, they say how hot they are. */
struct ranked_callee {
	struct line_callee callee;
	uint64_t num_samples;
};

static int by_line(const void *left, const void *right)
{
	const struct ranked_callee *a = left, *b = right;
	int order = line_callees_compare(a->callee.line, b->callee.line);
	order = order ? order : line_callees_compare(b->num_samples, a->num_samples);
	return order ? order : line_callees_compare(a->callee.function, b->callee.function);
}

static struct error *line_callees_sum_up(const struct hit_list *list, size_t num_events,
					 struct line_callees *ret)
{
	size_t count = list->num_items + 1;
	_cleanup_free_ struct ranked_callee *rows = calloc(count, sizeof(*rows));
	ret->items = calloc(count, sizeof(*ret->items));
	ret->sums = calloc(count * (num_events + 1), sizeof(*ret->sums));
	if (!rows || !ret->items || !ret->sums)
		return &error_no_memory;
	for (size_t i = 0; i < list->num_items; i++) {
		const struct hit *hit = &list->items[i];
		struct named_total *selves = &ret->sums[ret->num_items * num_events];
		if (!i || by_place(&list->items[i - 1], hit) != 0)
			rows[ret->num_items++].callee =
				(struct line_callee){hit->line, hit->function, selves};
		size_t row = ret->num_items - 1;
		named_total_add(&ret->sums[row * num_events + hit->event], hit->sum);
		rows[row].num_samples += hit->sum.count;
	}
	qsort(rows, ret->num_items, sizeof(*rows), by_line);
	for (size_t i = 0; i < ret->num_items; i++)
		ret->items[i] = rows[i].callee;
	return NULL;
}

struct error *line_callees_create(const struct named_profile *profile, uint32_t file,
				  struct profile_filter *const *filters, size_t num_filters,
				  struct line_callees *ret)
{
	_cleanup_(hit_list_deinit) struct hit_list list = {0};
	_cleanup_(line_callees_deinit) struct line_callees callees = LINE_CALLEES_INIT;
	struct error *err = NULL;
	for (uint32_t i = 0; !err && i < num_filters; i++)
		err = line_callees_add_event(profile, file, filters[i], i, &list);
	if (err)
		return err;
	if (list.num_items)
		qsort(list.items, list.num_items, sizeof(*list.items), by_place);
	err = line_callees_sum_up(&list, num_filters, &callees);
	if (err)
		return err;
	*ret = callees;
	callees = (struct line_callees)LINE_CALLEES_INIT;
	return NULL;
}

void line_callees_deinit(struct line_callees *callees)
{
	free(callees->items);
	free(callees->sums);
	*callees = (struct line_callees)LINE_CALLEES_INIT;
}
