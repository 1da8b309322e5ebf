// SPDX-License-Identifier: Apache-2.0

#include "report/calls/call_view.h"

#include "report/calls/waiting_frame.h"

#include <stdlib.h>

struct error *call_view_name_place(const struct call_view *view, uint32_t frame,
				   struct string_builder *line, const char **ret_function)
{
	return waiting_frame_name(view->report->places->profile, view->paths, frame, line,
				  ret_function);
}

static int call_place_compare(const void *left, const void *right, enum call_event event)
{
	const struct call_place *a = *(const struct call_place *const *)left,
				*b = *(const struct call_place *const *)right;
	uint64_t x = a->weights[event], y = b->weights[event];
	return x != y ? (x < y ? 1 : -1) : (a > b) - (a < b);
}

static int call_place_by_count(const void *left, const void *right)
{
	return call_place_compare(left, right, CALL_EVENT_COUNT);
}

static int call_place_by_wait(const void *left, const void *right)
{
	return call_place_compare(left, right, CALL_EVENT_WAIT);
}

static int call_place_by_wake(const void *left, const void *right)
{
	return call_place_compare(left, right, CALL_EVENT_WAKE);
}

size_t call_view_sort(const struct call_view *view, const char *call, enum call_event event)
{
	static int (*const compare[CALL_NUM_EVENTS])(const void *, const void *) = {
		[CALL_EVENT_COUNT] = call_place_by_count,
		[CALL_EVENT_TIME] = call_place_by_count,
		[CALL_EVENT_WAIT] = call_place_by_wait,
		[CALL_EVENT_WAKE] = call_place_by_wake,
	};
	const struct call_places *places = view->report->places;
	size_t num = 0;
	for (size_t i = 0; i < places->num_items; i++)
		if (places->items[i].weights[event] &&
		    (!call || call_place_is_of(places, &places->items[i], call)))
			view->sorted[num++] = &places->items[i];
	qsort(view->sorted, num, sizeof(*view->sorted), compare[event]);
	return num;
}
