// SPDX-License-Identifier: Apache-2.0
#include "view/page/report_samples.h"

#include "base/cleanup.h"
#include "base/saturating_sum.h"
#include "profile/time_span.h"

#include <stdlib.h>

// A page does not need each sample, but sums that it can filter by event, thread and time. Times
// become slots, of which there are few thousand; then samples are sorted by event, thread, slot,
// state of the GIL and stack, and equal neighbours are added. So the size of the page depends on
// how much went on, not on how long it was recorded. The order also makes neighbouring rows
// similar, which the packed columns turn into few bytes.

static int compare_u32(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_samples(const void *left, const void *right)
{
	const struct report_sample *a = left, *b = right;
	int order = compare_u32(a->event, b->event);
	order = order ? order : compare_u32(a->thread, b->thread);
	order = order ? order : compare_u32(a->slot, b->slot);
	order = order ? order : compare_u32(a->gil, b->gil);
	return order ? order : compare_u32(a->stack, b->stack);
}

/** Sums neighbours that are the same; returns how many are left. */
static size_t merge_neighbours(struct report_sample *items, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		struct report_sample *last = kept ? &items[kept - 1] : NULL;
		if (last && compare_samples(last, &items[i]) == 0) {
			last->weight = saturating_sum(last->weight, items[i].weight);
			last->count = saturating_sum(last->count, items[i].count);
		} else {
			items[kept++] = items[i];
		}
	}
	return kept;
}

struct error *report_samples_init(struct report_samples *samples,
				  const struct named_profile *profile, uint64_t step_ns)
{
	struct time_span span = time_span_of(profile);
	struct report_samples result = {
		.begin_ns = span.begin_ns,
		.slot_ns = (span.end_ns - span.begin_ns) / REPORT_MAX_SLOTS + 1,
	};
	if (step_ns > result.slot_ns)
		result.slot_ns = step_ns;
	// Another step that would begin with the end has no samples, unless a window has no length.
	uint64_t length = span.end_ns - span.begin_ns - (step_ns && span.end_ns > span.begin_ns);
	result.num_slots = (uint32_t)(length / result.slot_ns) + 1;
	result.items = calloc(profile->num_samples + 1, sizeof(*result.items));
	if (!result.items)
		return &error_no_memory;
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		uint64_t slot = (sample->time_ns - span.begin_ns) / result.slot_ns;
		result.items[i] = (struct report_sample){
			.event = sample->event,
			.thread = sample->thread,
			.slot = slot < result.num_slots ? (uint32_t)slot : result.num_slots - 1,
			.stack = sample->stack,
			.gil = sample->gil,
			.weight = sample->weight,
			.count = sample->count,
		};
		result.knows_gil |= sample->gil != GIL_UNKNOWN;
	}
	qsort(result.items, profile->num_samples, sizeof(*result.items), compare_samples);
	result.num_items = merge_neighbours(result.items, profile->num_samples);
	*samples = result;
	return NULL;
}

void report_samples_deinit(struct report_samples *samples)
{
	free(samples->items);
	*samples = (struct report_samples)REPORT_SAMPLES_INIT;
}
