// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/pipe_header.h"

#include "record/perf_data/perf_abi.h"

#include <string.h>

// A pipe has no header to go back to, so perf sends its parts as records: PERF_RECORD_HEADER_ATTR,
// HEADER_FEATURE, HEADER_BUILD_ID and EVENT_UPDATE (tools/perf/util/synthetic-events.c). Each has
// the same bytes as the part of the file, which the same readers take. They may come between other
// records, so the events are sorted again after each.

// Header, attribute, as many ids as there is room for.
static struct error *read_attr(const struct found_record *record, struct event_table *events,
			       bool *ret_good)
{
	const uint8_t *attr = record->bytes + sizeof(struct perf_abi_header);
	size_t size = record->size - sizeof(struct perf_abi_header);
	uint32_t attr_size = 0;
	if (size >= PERF_ABI_ATTR_MIN_SIZE)
		memcpy(&attr_size, attr + PERF_ABI_ATTR_SIZE, sizeof(attr_size));
	*ret_good = attr_size >= PERF_ABI_ATTR_MIN_SIZE && attr_size <= size;
	if (!*ret_good)
		return NULL;
	struct error *err = event_table_add(events, attr, attr_size, attr + attr_size,
					    (size - attr_size) / sizeof(uint64_t));
	if (!err)
		event_table_sort(events);
	return err;
}

// Header, number of the feature, what it says.
static struct error *read_feature(const struct found_record *record, struct event_table *events,
				  struct feature_reader *features, bool *ret_good)
{
	uint64_t feature;
	size_t fixed = sizeof(struct perf_abi_header) + sizeof(feature);
	*ret_good = record->size >= fixed;
	if (!*ret_good)
		return NULL;
	memcpy(&feature, record->bytes + sizeof(struct perf_abi_header), sizeof(feature));
	if (feature >= PERF_ABI_NUM_FEATURES)
		return NULL;
	return feature_read(features, (unsigned)feature, record->bytes + fixed,
			    record->size - fixed, events);
}

// Header, what is updated, id of the event; then, if it is that, its name.
static struct error *read_update(const struct found_record *record, struct event_table *events,
				 bool *ret_good)
{
	enum { UPDATE_NAME = 2 };
	struct {
		struct perf_abi_header header;
		uint64_t what, id;
	} update;
	*ret_good = record->size >= sizeof(update);
	if (!*ret_good)
		return NULL;
	memcpy(&update, record->bytes, sizeof(update));
	const char *name = (const char *)record->bytes + sizeof(update);
	if (update.what != UPDATE_NAME || !memchr(name, 0, record->size - sizeof(update)))
		return NULL;
	return event_table_rename_id(events, update.id, name);
}

struct error *pipe_header_read(const struct found_record *record, struct event_table *events,
			       struct feature_reader *features, bool *ret_good)
{
	switch (record->type) {
	case PERF_ABI_HEADER_ATTR:
		return read_attr(record, events, ret_good);
	case PERF_ABI_EVENT_UPDATE:
		return read_update(record, events, ret_good);
	case PERF_ABI_HEADER_FEATURE:
		return read_feature(record, events, features, ret_good);
	default:
		return feature_read_build_id(features, record->bytes, record->size);
	}
}
