// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/spe_places.h"

#include "base/cleanup.h"

#include <stdlib.h>

// The rows of an SPE list by line or address, sorted by place, for look-ups by bisection: the
// annotation asks for each line and instruction that it shows.
//
// Of functions:  lines (function, file and line),  addresses (module, address)
// Of files:      lines (0, file and line),         addresses (module, address)

/** By which rows are sorted and found. */
struct place {
	uint64_t area, position;
};

typedef struct place (*place_fn)(const struct spe_places *places, const struct named_frame *frame);

static uint64_t join(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

static struct place line_place(const struct spe_places *places, const struct named_frame *frame)
{
	uint32_t function = places->kind == ANNOTATION_OF_FILES ? 0 : frame->function;
	return (struct place){function, join(frame->file, frame->line)};
}

static struct place address_place(const struct spe_places *places, const struct named_frame *frame)
{
	return (struct place){places->profile->functions[frame->function].module, frame->address};
}

static int spe_places_compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int spe_places_compare_places(struct place a, struct place b)
{
	int order = spe_places_compare(a.area, b.area);
	return order ? order : spe_places_compare(a.position, b.position);
}

struct sorting {
	const struct spe_places *places;
	place_fn place_of;
};

static struct place place_of_row(const struct sorting *sorting, const struct spe_row *row)
{
	return sorting->place_of(sorting->places, &sorting->places->profile->frames[row->item]);
}

// What has no stack is nowhere, and comes last.
static int spe_places_compare_rows(const void *left, const void *right, void *context)
{
	const struct spe_row *a = left, *b = right;
	if (a->item == NAMED_NONE || b->item == NAMED_NONE)
		return (a->item == NAMED_NONE) - (b->item == NAMED_NONE);
	return spe_places_compare_places(place_of_row(context, a), place_of_row(context, b));
}

static struct error *create_sorted(const struct spe_places *places, unsigned by,
				   const struct profile_filter *filter, place_fn place_of,
				   struct spe_list *ret)
{
	struct sorting sorting = {places, place_of};
	struct error *err = spe_list_create(places->profile, by, SPE_ORDER_COUNT, filter, ret);
	if (!err && ret->num_rows)
		qsort_r(ret->rows, ret->num_rows, sizeof(*ret->rows), spe_places_compare_rows,
			&sorting);
	return err;
}

struct error *spe_places_create(const struct named_profile *profile,
				const struct profile_filter *filter, enum annotation_kind kind,
				struct spe_places *ret)
{
	_cleanup_(spe_places_deinit) struct spe_places places = {.profile = profile, .kind = kind};
	// The key of interpreted lines is that of lines whatever the function.
	unsigned by = kind == ANNOTATION_OF_FILES ? HOT_INTERPRETED_LINE : HOT_LINE;
	struct error *err = create_sorted(&places, by, filter, line_place, &places.lines);
	if (!err)
		err = create_sorted(&places, HOT_ADDRESS, filter, address_place, &places.addresses);
	if (err)
		return err;
	*ret = places;
	places = (struct spe_places)SPE_PLACES_INIT;
	return NULL;
}

void spe_places_deinit(struct spe_places *places)
{
	spe_list_deinit(&places->lines);
	spe_list_deinit(&places->addresses);
	*places = (struct spe_places)SPE_PLACES_INIT;
}

static const struct spe_stats *spe_places_find(const struct spe_places *places,
					       const struct spe_list *list, place_fn place_of,
					       struct place wanted)
{
	const struct sorting sorting = {places, place_of};
	// Rows without a stack are at the end, and outside of the bisection.
	size_t first = 0, end = list->num_rows;
	while (end && list->rows[end - 1].item == NAMED_NONE)
		end--;
	while (first < end) {
		size_t middle = first + (end - first) / 2;
		int order = spe_places_compare_places(place_of_row(&sorting, &list->rows[middle]),
						      wanted);
		if (order == 0)
			return &list->rows[middle].stats;
		if (order < 0)
			first = middle + 1;
		else
			end = middle;
	}
	return NULL;
}

const struct spe_stats *spe_places_line(const struct spe_places *places, uint32_t function,
					uint32_t file, uint32_t line)
{
	uint32_t area = places->kind == ANNOTATION_OF_FILES ? 0 : function;
	return spe_places_find(places, &places->lines, line_place,
			       (struct place){area, join(file, line)});
}

const struct spe_stats *spe_places_address(const struct spe_places *places, uint32_t module,
					   uint64_t address)
{
	return spe_places_find(places, &places->addresses, address_place,
			       (struct place){module, address});
}
