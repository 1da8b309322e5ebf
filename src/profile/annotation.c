// SPDX-License-Identifier: Apache-2.0

#include "profile/annotation.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "profile/tree/stack_sums.h"

#include <stdlib.h>
#include <string.h>

// Every stack gives a list of hits: the place of its innermost frame, and of the frames into which
// that one is inlined (annotation_add_stack()). Hits are sorted by part, file and line (or module
// and address) and stack, and neighbours are added up. `self` is of the innermost frame only;
// `code` counts a stack once for each place, also for the functions around.
//
// A sample in c(), which is inlined into b(), which is inlined into a(), which main() called:
//
//	        self  code
//	c          1     1
//	b          0     1
//	a          0     1
//	main       -     -    a real call: its line is not where the sample was taken

enum { NO_PART = UINT32_MAX };

/** A part, and where in it: file and line, or module and address. */
struct place {
	uint32_t part, area;
	uint64_t position;
};

/** What one stack adds to a place. A stack is at a place once, even if inlined calls recur. */
struct hit {
	struct place place;
	uint32_t stack;
	bool is_self;
};

struct hit_list {
	struct hit *items;
	size_t num_items, cap_items;
};

struct work {
	const struct named_profile *profile;
	enum annotation_kind kind;
	const struct named_total *sums; /* [stack] */
	uint32_t *parts;                /* of each function or string: its part, or NO_PART */
	struct hit_list lines, addresses;
};

static void work_deinit(struct work *work)
{
	free(work->parts);
	free(work->lines.items);
	free(work->addresses.items);
}

static struct error *add_hit(struct hit_list *list, struct hit hit)
{
	struct error *err = array_reserve(&list->items, &list->cap_items, list->num_items + 1);
	if (!err)
		list->items[list->num_items++] = hit;
	return err;
}

/** The innermost frame, and those that it is inlined into. */
static struct error *annotation_add_stack(struct work *work, uint32_t stack)
{
	const struct stack_node *nodes = work->profile->stacks.nodes;
	const struct named_frame *frame = NULL;
	struct error *err = NULL;
	for (uint32_t at = stack; !err && at != STACK_NONE; at = nodes[at].parent) {
		if (frame && !frame->is_inlined)
			break;
		frame = &work->profile->frames[nodes[at].frame];
		uint32_t part = work->parts[work->kind == ANNOTATION_OF_FILES ? frame->file
									      : frame->function];
		if (part == NO_PART)
			continue;
		struct hit hit = {{part, frame->file, frame->line}, stack, at == stack};
		err = add_hit(&work->lines, hit);
		hit.place.area = work->profile->functions[frame->function].module;
		hit.place.position = frame->address;
		if (!err)
			err = add_hit(&work->addresses, hit);
	}
	return err;
}

static int annotation_compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int annotation_compare_places(const struct place *a, const struct place *b)
{
	int order = annotation_compare(a->part, b->part);
	order = order ? order : annotation_compare(a->area, b->area);
	return order ? order : annotation_compare(a->position, b->position);
}

/** The hit of a stack at a place that is its own comes first. */
static int compare_hits(const void *left, const void *right)
{
	const struct hit *a = left;
	const struct hit *b = right;
	int order = annotation_compare_places(&a->place, &b->place);
	order = order ? order : annotation_compare(a->stack, b->stack);
	return order ? order : b->is_self - a->is_self;
}

static void sort_hits(struct hit_list *list)
{
	if (list->num_items)
		qsort(list->items, list->num_items, sizeof(*list->items), compare_hits);
}

/** Of @index: what it adds to its place's code; nothing if the hit before is of the same stack. */
static struct named_total code_of(const struct work *work, const struct hit_list *list,
				  size_t index)
{
	const struct hit *hit = &list->items[index];
	// Hits of one stack at one place are neighbours, as they are sorted by place and stack.
	bool is_again = index && list->items[index - 1].stack == hit->stack &&
			annotation_compare_places(&list->items[index - 1].place, &hit->place) == 0;
	return is_again ? (struct named_total){0} : work->sums[hit->stack];
}

static struct named_total self_of(const struct work *work, const struct hit *hit)
{
	return hit->is_self ? work->sums[hit->stack] : (struct named_total){0};
}

static bool is_new_place(const struct hit_list *list, size_t index)
{
	return !index || annotation_compare_places(&list->items[index - 1].place,
						   &list->items[index].place) != 0;
}

static void sum_lines(const struct work *work, struct annotation *annotation)
{
	const struct hit_list *list = &work->lines;
	struct annotation_line *next = annotation->lines, *line = next;
	for (size_t i = 0; i < list->num_items; i++) {
		const struct hit *hit = &list->items[i];
		struct annotation_part *part = &annotation->parts[hit->place.part];
		if (is_new_place(list, i)) {
			line = next++;
			line->file = hit->place.area;
			line->line = (uint32_t)hit->place.position;
			part->lines = part->lines ? part->lines : line;
			part->num_lines++;
		}
		struct named_total self = self_of(work, hit);
		named_total_add(&line->self, self);
		named_total_add(&part->self, self);
		named_total_add(&line->code, code_of(work, list, i));
	}
}

static void sum_addresses(const struct work *work, struct annotation *annotation)
{
	const struct hit_list *list = &work->addresses;
	struct annotation_address *next = annotation->addresses, *address = next;
	for (size_t i = 0; i < list->num_items; i++) {
		const struct hit *hit = &list->items[i];
		struct annotation_part *part = &annotation->parts[hit->place.part];
		if (is_new_place(list, i)) {
			address = next++;
			address->module = hit->place.area;
			address->address = hit->place.position;
			part->addresses = part->addresses ? part->addresses : address;
			part->num_addresses++;
		}
		struct named_total code = code_of(work, list, i);
		named_total_add(&address->self, self_of(work, hit));
		named_total_add(&address->code, code);
		// Parts get `code` from addresses and `self` from lines. Both lists have every
		// stack, and each is added in one of them only.
		named_total_add(&part->code, code);
	}
}

static struct error *annotation_sum_up(struct work *work, const uint32_t *items, size_t num_items,
				       struct annotation *ret)
{
	sort_hits(&work->lines);
	sort_hits(&work->addresses);
	ret->parts = calloc(num_items + 1, sizeof(*ret->parts));
	ret->lines = calloc(work->lines.num_items + 1, sizeof(*ret->lines));
	ret->addresses = calloc(work->addresses.num_items + 1, sizeof(*ret->addresses));
	if (!ret->parts || !ret->lines || !ret->addresses)
		return &error_no_memory;
	ret->num_parts = num_items;
	for (size_t i = 0; i < num_items; i++)
		ret->parts[i].item = items[i];
	sum_lines(work, ret);
	sum_addresses(work, ret);
	return NULL;
}

struct error *annotation_create(const struct named_profile *profile,
				const struct profile_filter *filter, enum annotation_kind kind,
				const uint32_t *items, size_t num_items, struct annotation *ret)
{
	_cleanup_(stack_sums_deinit) struct stack_sums sums = STACK_SUMS_INIT;
	_cleanup_(work_deinit) struct work work = {.profile = profile, .kind = kind};
	_cleanup_(annotation_deinit) struct annotation annotation = ANNOTATION_INIT;
	size_t num_names =
		kind == ANNOTATION_OF_FILES ? profile->strings.num_entries : profile->num_functions;
	work.parts = malloc((num_names + 1) * sizeof(*work.parts));
	if (!work.parts)
		return &error_no_memory;
	for (size_t i = 0; i < num_names; i++)
		work.parts[i] = NO_PART;
	for (size_t i = 0; i < num_items; i++)
		work.parts[items[i]] = (uint32_t)i;
	struct error *err = stack_sums_create(profile, filter, &sums);
	work.sums = sums.self;
	for (uint32_t i = 0; !err && i < profile->stacks.num_nodes; i++)
		if (sums.self[i].count)
			err = annotation_add_stack(&work, i);
	if (!err)
		err = annotation_sum_up(&work, items, num_items, &annotation);
	if (err)
		return err;
	annotation.whole = sums.whole;
	*ret = annotation;
	annotation = (struct annotation)ANNOTATION_INIT;
	return NULL;
}

void annotation_deinit(struct annotation *annotation)
{
	free(annotation->parts);
	free(annotation->lines);
	free(annotation->addresses);
	*annotation = (struct annotation)ANNOTATION_INIT;
}
