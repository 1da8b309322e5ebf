// SPDX-License-Identifier: Apache-2.0

#include "record/aux_trace.h"

#include "record/perf_data/perf_abi.h"

#include "base/container/array.h"
#include "base/reader.h"

#include <stdlib.h>

// The pieces of a hardware trace: struct perf_record_auxtrace and perf_record_time_conv of
// tools/lib/perf/include/perf/event.h. aux_trace_find() goes over the rest of the file once, from
// record to record, and remembers where each piece is; the trace itself is not touched. Pieces of
// one buffer come in order and get a list of their own. Fields of PERF_RECORD_TIME_CONV behind
// time_zero were added later, so a short record is not damaged.

static struct reader aux_trace_body_of(const struct found_record *record)
{
	struct reader body = reader_create(record->bytes, record->size);
	reader_skip(&body, sizeof(struct perf_abi_header));
	return body;
}

// perf_record_auxtrace: size, offset, reference, idx, tid, cpu. The bytes follow the record.
bool aux_trace_piece(const struct found_record *record, const struct record_input *rest,
		     struct aux_piece *ret, struct aux_buffer *ret_buffer)
{
	struct reader body = aux_trace_body_of(record);
	uint64_t size = reader_u64(&body);
	uint64_t position = reader_u64(&body);
	reader_skip(&body, sizeof(uint64_t)); // a number of the writer's
	struct aux_buffer buffer = {.index = reader_u32(&body), .tid = reader_u32(&body)};
	buffer.cpu = reader_u32(&body);
	size_t left = rest->end - rest->next;
	if (record->type != PERF_ABI_AUXTRACE || body.failed || !size || !left)
		return false;
	*ret_buffer = buffer;
	*ret = (struct aux_piece){
		.bytes = rest->bytes + rest->next,
		.size = size < left ? (size_t)size : left,
		.position = position,
	};
	return true;
}

static bool has_index(const void *owner, uint32_t number, const void *key)
{
	const struct aux_trace *trace = owner;
	const struct aux_buffer *buffer = key;
	return trace->buffers[number].index == buffer->index;
}

// The buffer of that index, which is added when its first piece comes.
static struct error *find_buffer(struct aux_trace *trace, const struct aux_buffer *buffer,
				 struct aux_buffer **ret)
{
	uint64_t hash = hash_bytes(&buffer->index, sizeof(buffer->index));
	uint32_t number = hash_table_find(&trace->by_index, hash, has_index, trace, buffer);
	if (number != HASH_TABLE_NONE) {
		*ret = &trace->buffers[number];
		return NULL;
	}
	struct error *err =
		array_reserve(&trace->buffers, &trace->cap_buffers, trace->num_buffers + 1);
	if (!err)
		err = hash_table_insert(&trace->by_index, hash, (uint32_t)trace->num_buffers);
	if (err)
		return err;
	*ret = &trace->buffers[trace->num_buffers++];
	**ret = *buffer;
	return NULL;
}

// perf_record_time_conv: time_shift, time_mult, time_zero, time_cycles, time_mask,
// cap_user_time_zero, cap_user_time_short.
struct time_conversion aux_trace_conversion(const struct found_record *record)
{
	struct reader body = aux_trace_body_of(record);
	uint64_t shift = reader_u64(&body), multiplier = reader_u64(&body);
	struct time_conversion conversion = {
		.zero_ns = reader_u64(&body),
		.multiplier = (uint32_t)multiplier,
		.shift = (uint8_t)shift,
	};
	bool has_all = !body.failed && record->type == PERF_ABI_TIME_CONV;
	// A shift of 64 or more would be undefined in C, and a multiplier of 0 makes all times the
	// same.
	conversion.is_known = has_all && shift < 64 && multiplier && multiplier <= UINT32_MAX;
	// Older ones end here.
	conversion.cycles = reader_u64(&body);
	conversion.mask = reader_u64(&body);
	bool has_zero = reader_u8(&body);
	conversion.is_short = reader_u8(&body) && !body.failed;
	if (!body.failed && !has_zero)
		conversion.is_known = false;
	return conversion;
}

struct error *aux_trace_find(struct aux_trace *trace, const struct record_input *input)
{
	struct record_input rest = *input;
	struct found_record record;
	while (record_input_next(&rest, &record)) {
		struct aux_piece piece;
		struct aux_buffer of, *buffer;
		if (record.type == PERF_ABI_TIME_CONV)
			trace->conversion = aux_trace_conversion(&record);
		if (!aux_trace_piece(&record, &rest, &piece, &of))
			continue;
		struct error *err = find_buffer(trace, &of, &buffer);
		if (!err)
			err = array_reserve(&buffer->pieces, &buffer->cap_pieces,
					    buffer->num_pieces + 1);
		if (err)
			return err;
		buffer->pieces[buffer->num_pieces++] = piece;
	}
	return NULL;
}

void aux_trace_deinit(struct aux_trace *trace)
{
	for (size_t i = 0; i < trace->num_buffers; i++)
		free(trace->buffers[i].pieces);
	free(trace->buffers);
	hash_table_deinit(&trace->by_index);
	*trace = (struct aux_trace)AUX_TRACE_INIT;
}
