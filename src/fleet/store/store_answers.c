// SPDX-License-Identifier: Apache-2.0
// Listings and heat maps are filled by the engines in the order that suits them, and made equal
// here: sorted, with equal rows joined.

#include "base/container/array.h"
#include "base/saturating_sum.h"
#include "fleet/store/store_ops.h"

#include <stdlib.h>
#include <string.h>

enum {
	// A year of minutes. A range with more is a mistake of the caller, or of the file.
	STORE_HEAT_MAX_STEPS = 366 * 24 * 60,
};

void store_listing_deinit(struct store_listing *listing)
{
	arena_deinit(&listing->arena);
	free(listing->services);
	free(listing->events);
	free(listing->labels);
	*listing = (struct store_listing){0};
}

void store_heat_deinit(struct store_heat *heat)
{
	free(heat->sums);
	*heat = (struct store_heat){0};
}

void store_heats_deinit(struct store_heats *heats)
{
	for (size_t i = 0; i < heats->num_heats; i++)
		store_heat_deinit(&heats->heats[i]);
	free(heats->heats);
	string_table_deinit(&heats->values);
	*heats = (struct store_heats){0};
}

/** False: no memory. */
static bool store_listing_copy(struct store_listing *listing, const char **text)
{
	*text = arena_strdup(&listing->arena, *text);
	return *text;
}

struct error *store_listing_add_event(struct store_listing *listing,
				      const struct store_listed_event *event)
{
	struct store_listed_event row = *event;
	if (!store_listing_copy(listing, &row.service) ||
	    !store_listing_copy(listing, &row.event) || !store_listing_copy(listing, &row.unit))
		return &error_no_memory;
	struct error *err =
		array_reserve(&listing->events, &listing->cap_events, listing->num_events + 1);
	if (!err)
		listing->events[listing->num_events++] = row;
	return err;
}

struct error *store_listing_add_label(struct store_listing *listing,
				      const struct store_listed_label *label)
{
	struct store_listed_label row = *label;
	if (!store_listing_copy(listing, &row.service) || !store_listing_copy(listing, &row.key) ||
	    !store_listing_copy(listing, &row.value))
		return &error_no_memory;
	struct error *err =
		array_reserve(&listing->labels, &listing->cap_labels, listing->num_labels + 1);
	if (!err)
		listing->labels[listing->num_labels++] = row;
	return err;
}

struct error *store_listing_add_service(struct store_listing *listing,
					const struct store_listed_service *service)
{
	struct store_listed_service row = *service;
	if (!store_listing_copy(listing, &row.service))
		return &error_no_memory;
	struct error *err = array_reserve(&listing->services, &listing->cap_services,
					  listing->num_services + 1);
	if (!err)
		listing->services[listing->num_services++] = row;
	return err;
}

static int store_listing_compare_services(const void *a, const void *b)
{
	const struct store_listed_service *one = a, *other = b;
	return strcmp(one->service, other->service);
}

static int store_listing_compare_events(const void *a, const void *b)
{
	const struct store_listed_event *one = a, *other = b;
	int order = strcmp(one->service, other->service);
	if (!order)
		order = strcmp(one->event, other->event);
	return order ? order : strcmp(one->unit, other->unit);
}

static int store_listing_compare_labels(const void *a, const void *b)
{
	const struct store_listed_label *one = a, *other = b;
	int order = strcmp(one->service, other->service);
	if (!order)
		order = strcmp(one->key, other->key);
	return order ? order : strcmp(one->value, other->value);
}

static void store_listing_join_events(struct store_listing *listing)
{
	size_t num = 0;
	for (size_t i = 0; i < listing->num_events; i++) {
		const struct store_listed_event *event = &listing->events[i];
		struct store_listed_event *last = num ? &listing->events[num - 1] : NULL;
		if (!last || store_listing_compare_events(last, event) != 0) {
			listing->events[num++] = *event;
			continue;
		}
		if (event->first_ns < last->first_ns)
			last->first_ns = event->first_ns;
		if (event->end_ns > last->end_ns)
			last->end_ns = event->end_ns;
	}
	listing->num_events = num;
}

static void store_listing_join_labels(struct store_listing *listing)
{
	size_t num = 0;
	for (size_t i = 0; i < listing->num_labels; i++)
		if (!num || store_listing_compare_labels(&listing->labels[num - 1],
							 &listing->labels[i]) != 0)
			listing->labels[num++] = listing->labels[i];
	listing->num_labels = num;
}

void store_listing_finish(struct store_listing *listing)
{
	if (listing->num_services)
		qsort(listing->services, listing->num_services, sizeof(*listing->services),
		      store_listing_compare_services);
	if (listing->num_events)
		qsort(listing->events, listing->num_events, sizeof(*listing->events),
		      store_listing_compare_events);
	if (listing->num_labels)
		qsort(listing->labels, listing->num_labels, sizeof(*listing->labels),
		      store_listing_compare_labels);
	store_listing_join_events(listing);
	store_listing_join_labels(listing);
}

/** Room for all steps from @first to @last, which were not there before. */
static struct error *store_heat_extend(struct store_heat *heat, uint64_t first, uint64_t last)
{
	uint64_t old_first = heat->num_sums ? heat->start_ns / heat->step_ns : first;
	uint64_t old_end = old_first + heat->num_sums;
	if (first > old_first)
		first = old_first;
	uint64_t end = last + 1 > old_end ? last + 1 : old_end;
	if (end - first > STORE_HEAT_MAX_STEPS)
		return error_with_hint(error_create(ERROR_USAGE, "a heat map has at most %d steps",
						    STORE_HEAT_MAX_STEPS),
				       "make the steps longer, or the range of time shorter");
	struct error *err = array_reserve(&heat->sums, &heat->cap_sums, (size_t)(end - first));
	if (err)
		return err;
	memmove(&heat->sums[old_first - first], heat->sums, heat->num_sums * sizeof(*heat->sums));
	memset(heat->sums, 0, (size_t)(old_first - first) * sizeof(*heat->sums));
	memset(&heat->sums[old_end - first], 0, (size_t)(end - old_end) * sizeof(*heat->sums));
	heat->num_sums = (size_t)(end - first);
	heat->start_ns = first * heat->step_ns;
	return NULL;
}

struct error *store_heat_add(struct store_heat *heat, uint64_t start_ns, struct named_total sum)
{
	uint64_t step = start_ns / heat->step_ns;
	uint64_t first = heat->start_ns / heat->step_ns;
	if (!heat->num_sums || step < first || step - first >= heat->num_sums) {
		struct error *err = store_heat_extend(heat, step, step);
		if (err)
			return err;
		first = heat->start_ns / heat->step_ns;
	}
	struct named_total *total = &heat->sums[step - first];
	total->count = saturating_sum(total->count, sum.count);
	total->weight = saturating_sum(total->weight, sum.weight);
	return NULL;
}

struct error *store_heat_check(const struct store_query *query)
{
	return query->step_ns ? NULL : error_create(ERROR_USAGE, "a heat map needs steps of time");
}

struct error *store_heats_get(struct store_heats *heats, const char *value, size_t length,
			      struct store_heat **ret)
{
	uint32_t id;
	struct error *err = array_reserve(&heats->heats, &heats->cap_heats, heats->num_heats + 1);
	if (!err)
		err = string_table_intern_n(&heats->values, value, length, &id);
	if (err)
		return err;
	if (id == heats->num_heats)
		heats->heats[heats->num_heats++] = (struct store_heat){.step_ns = heats->step_ns};
	*ret = &heats->heats[id];
	return NULL;
}

const struct store_heat *store_heats_find(const struct store_heats *heats, const char *value)
{
	uint32_t id = string_table_find(&heats->values, value);
	return id == HASH_TABLE_NONE ? NULL : &heats->heats[id];
}
