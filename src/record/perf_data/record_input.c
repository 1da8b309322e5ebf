// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/record_input.h"

#include "record/perf_data/perf_abi.h"

#include "base/cleanup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Cuts records out of a mapped file or a stream, with one interface for both. The 16-bit size in
// the header of a record leads to the next one. Two kinds of records have more bytes behind them
// than this size says (size_of_payload()): PERF_RECORD_AUXTRACE and HEADER_TRACING_DATA. These are
// skipped at the next call, so that the caller may look at them before.
//
// A stream has a buffer of several records, so one record is always contiguous; a record is valid
// until the next call. record_input_spill() saves the rest of a stream in a file: SPE data has to
// be searched twice. A record that says it is smaller than its header makes the place of the next
// one unknown: all that is left is counted as truncated.

enum { BUFFER_SIZE = 256 << 10 };

// simpleperf has records of its own from here on; their misc is the upper half of their size.
enum { FIRST_OF_SIMPLEPERF = 1 << 15, NUM_OF_SIMPLEPERF = 64 };

struct record_input record_input_of_memory(const void *bytes, size_t size)
{
	return (struct record_input){.bytes = bytes ? bytes : (const void *)"", .end = size};
}

struct error *record_input_of_stream(struct record_input *input, FILE *stream)
{
	uint8_t *buffer = malloc(BUFFER_SIZE);
	if (!buffer)
		return &error_no_memory;
	*input = (struct record_input){.bytes = buffer, .buffer = buffer, .stream = stream};
	return NULL;
}

static size_t bytes_left(const struct record_input *input)
{
	return input->end - input->next;
}

static void record_input_refill(struct record_input *input)
{
	size_t left = bytes_left(input);
	memmove(input->buffer, input->buffer + input->next, left);
	input->next = 0;
	input->end = left + fread(input->buffer + left, 1, BUFFER_SIZE - left, input->stream);
}

const uint8_t *record_input_peek(struct record_input *input, size_t size)
{
	_Static_assert(BUFFER_SIZE > (int)PERF_ABI_MAX_RECORD, "a record fits");
	if (size > bytes_left(input) && input->stream)
		record_input_refill(input);
	return size > bytes_left(input) ? NULL : input->bytes + input->next;
}

bool record_input_skip(struct record_input *input, uint64_t size)
{
	uint64_t skipped = 0;
	while (size - skipped > bytes_left(input)) {
		skipped += bytes_left(input);
		input->next = input->end;
		if (input->stream)
			record_input_refill(input);
		if (!bytes_left(input)) {
			input->truncated_bytes += skipped;
			return false;
		}
	}
	input->next += size - skipped;
	return true;
}

// What is left is no whole record; nothing comes behind it.
static bool record_input_give_up(struct record_input *input)
{
	do {
		input->truncated_bytes += bytes_left(input);
		input->next = input->end;
		if (input->stream)
			record_input_refill(input);
	} while (bytes_left(input));
	return false;
}

// Bytes that follow a record and belong to it; 0 if it does not say so. The fields are
// perf_record_auxtrace.size and perf_record_header_tracing_data.size, both behind the header.
static uint64_t size_of_payload(const struct found_record *record)
{
	uint64_t trace_size = 0;
	uint32_t tracing_size = 0;
	if (record->type == PERF_ABI_AUXTRACE && record->size >= 16)
		memcpy(&trace_size, record->bytes + 8, sizeof(trace_size));
	if (record->type == PERF_ABI_TRACING_DATA && record->size >= 12)
		memcpy(&tracing_size, record->bytes + 8, sizeof(tracing_size));
	return trace_size + (((uint64_t)tracing_size + 7) & ~UINT64_C(7));
}

bool record_input_next(struct record_input *input, struct found_record *ret)
{
	struct perf_abi_header header;
	uint64_t payload_size = input->payload_size; // of the record that was given last
	input->payload_size = 0;
	if (!record_input_skip(input, payload_size))
		return false;
	for (;;) {
		const uint8_t *bytes = record_input_peek(input, sizeof(header));
		if (!bytes)
			return record_input_give_up(input);
		memcpy(&header, bytes, sizeof(header));
		if (header.type < FIRST_OF_SIMPLEPERF ||
		    header.type >= FIRST_OF_SIMPLEPERF + NUM_OF_SIMPLEPERF)
			break;
		uint64_t size = (uint64_t)header.misc << 16 | header.size;
		if (size < sizeof(header) || !record_input_skip(input, size))
			return record_input_give_up(input);
	}
	// Processors fetch ahead by themselves, but not into the next page.
	enum { AHEAD = 2048 };
	if (bytes_left(input) > AHEAD)
		__builtin_prefetch(input->bytes + input->next + AHEAD);
	const uint8_t *bytes = record_input_peek(input, header.size);
	if (!bytes || header.size < sizeof(header))
		return record_input_give_up(input);
	*ret = (struct found_record){header.type, bytes, header.size};
	input->payload_size = size_of_payload(ret);
	input->next += header.size;
	return true;
}

static void close_stream(FILE **stream)
{
	if (*stream)
		fclose(*stream);
}

struct error *record_input_spill(struct record_input *input, struct file_map *ret_map)
{
	_cleanup_(close_stream) FILE *file = tmpfile();
	if (!file)
		return error_create_errno(errno, "cannot create a temporary file for the pipe");
	while (bytes_left(input)) {
		fwrite(input->bytes + input->next, 1, bytes_left(input), file);
		input->next = input->end;
		record_input_refill(input);
	}
	if (fflush(file) || ferror(file))
		return error_create_errno(errno, "cannot store the data from the pipe");
	struct error *err = file_map_of_stream(ret_map, file, "the data from the pipe");
	if (err)
		return err;
	uint64_t truncated_bytes = input->truncated_bytes;
	record_input_deinit(input);
	*input = record_input_of_memory(ret_map->data, ret_map->size);
	input->truncated_bytes = truncated_bytes;
	return NULL;
}

void record_input_deinit(struct record_input *input)
{
	free(input->buffer);
	*input = (struct record_input)RECORD_INPUT_INIT;
}
