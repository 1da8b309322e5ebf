// SPDX-License-Identifier: Apache-2.0

/** An ETW file: all of its records are taken, and everything they point at read. */

#include "base/cleanup.h"
#include "record/etl/etl_reader.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t touch_text(const char *text)
{
	return text ? strlen(text) : 0;
}

static uint64_t touch_record(const struct record *record, const struct perf_data_info *info)
{
	uint64_t sum = record->time_ns;
	switch (record->kind) {
	case RECORD_SAMPLE:
		if (record->event >= info->num_events)
			abort();
		for (size_t i = 0; i < record->sample.chain_length; i++)
			sum += record->sample.chain[i];
		return sum;
	case RECORD_MAP:
		return sum + touch_text(record->map.path) + record->map.build_id.bytes[0];
	case RECORD_COMM:
		return sum + touch_text(record->comm.name);
	default:
		return sum;
	}
}

static uint64_t touch_info(const struct perf_data_info *info)
{
	uint64_t sum = touch_text(info->host) + touch_text(info->system_release) +
		       touch_text(info->machine) + touch_text(info->cpu_description) +
		       touch_text(info->cpu_id);
	for (size_t i = 0; i < info->num_events; i++)
		sum += touch_text(info->events[i].name) + info->events[i].attr_size;
	for (size_t i = 0; i < info->num_pdbs; i++)
		sum += touch_text(info->pdbs[i].path) + touch_text(info->pdbs[i].name);
	for (size_t i = 0; i < info->num_methods; i++)
		sum += touch_text(info->methods[i].name) + info->methods[i].start;
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(etl_reader_destroyp) struct etl_reader *reader = NULL;
	struct etl_stream *stream;
	struct error *err = etl_stream_open_memory("fuzz", data, size, &stream);
	if (!err)
		err = etl_reader_create(stream, &reader);
	uint64_t sum = err ? 0 : touch_info(etl_reader_info(reader));
	for (bool more = !err; more;) {
		struct record record;
		err = etl_reader_next(reader, &record, &more);
		if (err)
			break;
		sum += more ? touch_record(&record, etl_reader_info(reader)) : 0;
	}
	error_destroy(err);
	return sum == UINT64_MAX ? 1 : 0;
}
