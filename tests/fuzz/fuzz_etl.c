// SPDX-License-Identifier: Apache-2.0

/** An ETW file: all events are taken, and every byte of them read, twice. */

#include "base/cleanup.h"
#include "record/etl/file/etl_stream.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t sum_of(const uint8_t *bytes, size_t size)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < size; i++)
		sum += bytes[i];
	return sum;
}

static uint64_t touch_event(const struct etl_event *event)
{
	uint64_t sum = sum_of(event->payload, event->payload_size);
	for (uint32_t i = 0; i < event->num_counters; i++)
		sum += etl_event_counter(event, i);
	if (event->guid)
		sum += sum_of(event->guid, ETL_GUID_SIZE);
	struct etl_item item;
	for (uint32_t offset = 0; etl_event_next_item(event, &offset, &item);)
		sum += sum_of(item.data, item.size);
	return sum;
}

static struct error *read_all(struct etl_stream *stream, uint64_t *ret)
{
	for (bool more = true; more;) {
		struct etl_event event;
		struct error *err = etl_stream_next(stream, &event, &more);
		if (err)
			return err;
		*ret += more ? touch_event(&event) : 0;
	}
	return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(etl_stream_destroyp) struct etl_stream *stream = NULL;
	struct error *err = etl_stream_open_memory("fuzz", data, size, &stream);
	uint64_t first = 0, second = 0;
	if (!err)
		err = read_all(stream, &first);
	if (!err)
		err = etl_stream_restart(stream);
	if (!err)
		err = read_all(stream, &second);
	if (!err && first != second)
		abort();
	error_destroy(err);
	return 0;
}
