// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/event_table.h"

#include "base/container/array.h"
#include "record/perf_data/event_attr.h"
#include "record/perf_data/perf_abi.h"

#include <stdlib.h>
#include <string.h>

// Records name their event by one of its ids (one for each CPU or thread that it was opened on).
// Ids are kept in one array sorted by id, so that perf_format.c finds the event by binary search.
// The array is sorted by event_table_sort() after all events of a header were added.

struct error *event_table_add(struct event_table *table, const uint8_t *attr, size_t attr_size,
			      const uint8_t *ids, size_t num_ids)
{
	if (attr_size < PERF_ABI_ATTR_MIN_SIZE)
		return error_create(ERROR_FAILED, "an event's attribute has %zu bytes", attr_size);
	struct perf_data_event event = {.num_ids = num_ids};
	// A newer kernel's attribute has fields behind those that we know.
	event.attr_size = attr_size < PERF_ATTR_MAX ? (uint32_t)attr_size : PERF_ATTR_MAX;
	memcpy(event.attr, attr, event.attr_size);
	struct perf_format format = event_attr_format(event.attr, event.attr_size);
	// Of several events, the records must say in one place whose they are.
	if (table->num_events &&
	    (table->formats[0].sample_type ^ format.sample_type) & PERF_ABI_IDENTIFIER)
		return error_create(ERROR_FAILED, "its events have IDs in different places");
	struct error *err =
		array_reserve(&table->events, &table->cap_events, table->num_events + 1);
	if (!err)
		err = array_reserve(&table->formats, &table->cap_formats, table->num_events + 1);
	if (err)
		return err;
	char name[EVENT_ATTR_NAME_MAX];
	event.name =
		arena_strdup(&table->arena, event_attr_name(event.attr, event.attr_size, name));
	uint64_t *copy = arena_alloc_array(&table->arena, num_ids, sizeof(*copy));
	if (!event.name || !copy)
		return &error_no_memory;
	if (num_ids)
		memcpy(copy, ids, num_ids * sizeof(*copy));
	event.ids = copy;
	err = array_reserve(&table->ids, &table->cap_ids, table->num_ids + num_ids);
	if (err)
		return err;
	for (size_t i = 0; i < num_ids; i++)
		table->ids[table->num_ids++] =
			(struct perf_format_id){copy[i], (uint32_t)table->num_events};
	table->formats[table->num_events] = format;
	table->events[table->num_events++] = event;
	return NULL;
}

static int event_table_compare_ids(const void *left, const void *right)
{
	const struct perf_format_id *a = left, *b = right;
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	// Of an id that occurs twice the first event counts, on every system: qsort() is not
	// stable.
	return a->event < b->event ? -1 : a->event > b->event;
}

void event_table_sort(struct event_table *table)
{
	if (table->num_ids)
		qsort(table->ids, table->num_ids, sizeof(*table->ids), event_table_compare_ids);
}

struct perf_formats event_table_formats(const struct event_table *table)
{
	return (struct perf_formats){
		.events = table->formats,
		.num_events = table->num_events,
		.ids = table->ids,
		.num_ids = table->num_ids,
	};
}

struct error *event_table_rename(struct event_table *table, size_t index, const char *name)
{
	if (index >= table->num_events || !*name)
		return NULL;
	const char *copy = arena_strdup(&table->arena, name);
	if (!copy)
		return &error_no_memory;
	table->events[index].name = copy;
	return NULL;
}

struct error *event_table_rename_id(struct event_table *table, uint64_t id, const char *name)
{
	for (size_t i = 0; i < table->num_ids; i++)
		if (table->ids[i].id == id)
			return event_table_rename(table, table->ids[i].event, name);
	return NULL;
}

void event_table_deinit(struct event_table *table)
{
	arena_deinit(&table->arena);
	free(table->events);
	free(table->formats);
	free(table->ids);
	*table = (struct event_table)EVENT_TABLE_INIT;
}
