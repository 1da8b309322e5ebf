/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_PERF_DATA_EVENT_TABLE_H
#define WPERF_RECORD_PERF_DATA_EVENT_TABLE_H

/** The events of a file, as they become known: attributes, ids, names; and how to decode theirs. */

#include "record/perf_data/perf_data.h"
#include "record/perf_data/perf_format.h"

#include "base/container/arena.h"

struct event_table {
	struct arena arena;
	struct perf_data_event *events;
	size_t num_events, cap_events;
	struct perf_format *formats;
	size_t cap_formats;
	struct perf_format_id *ids; /* ascending, once event_table_sort() was called */
	size_t num_ids, cap_ids;
};

#define EVENT_TABLE_INIT \
	{                \
	}

/** Its name is that of its attribute. @attr, @ids: from outside, not aligned; copied. */
struct error *event_table_add(struct event_table *table, const uint8_t *attr, size_t attr_size,
			      const uint8_t *ids, size_t num_ids);

/** Behind the last event_table_add(), before event_table_formats(). */
void event_table_sort(struct event_table *table);

struct perf_formats event_table_formats(const struct event_table *table);

/** The event, if there is one, gets another name; an empty one is no name. */
struct error *event_table_rename(struct event_table *table, size_t index, const char *name);
struct error *event_table_rename_id(struct event_table *table, uint64_t id, const char *name);

void event_table_deinit(struct event_table *table);

#endif
