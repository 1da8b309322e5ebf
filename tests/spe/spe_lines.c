// SPDX-License-Identifier: Apache-2.0

/**
 * The records of SPE buffers as lines. The file has the buffers one behind the other, each behind
 *two words of 32 bits: its position in memory and its size.
 *
 *	spe_lines FILE
 *
 * A line has context, address, total latency, PC and physical address of a record.
 */

#include "base/byte_order.h"
#include "base/cleanup.h"
#include "base/file/file_map.h"
#include "base/text/string_builder.h"
#include "record/spe/spe_stream.h"

#include <inttypes.h>
#include <stdio.h>

enum { HEADER_SIZE = 8, CHUNK = 1 << 20 };

static void write_out(struct string_builder *text, size_t at_least)
{
	if (text->length < at_least)
		return;
	fwrite(string_builder_peek(text), 1, text->length, stdout);
	string_builder_clear(text);
}

// A record has one of the two contexts.
static void append_record(struct string_builder *text, const struct spe_record *record)
{
	uint32_t context = spe_record_context(record, 1) | spe_record_context(record, 2);
	string_builder_appendf(text, "%" PRId32 " %" PRIx64 " %u %" PRIx64 " %" PRIx64 "\n",
			       (int32_t)context, spe_record_address(record, SPE_ADDRESS_VIRTUAL),
			       spe_record_latency(record, SPE_COUNTER_TOTAL),
			       spe_record_address(record, SPE_ADDRESS_PC),
			       spe_record_address(record, SPE_ADDRESS_PHYSICAL));
}

static void append_records(struct string_builder *text, const uint8_t *bytes, uint32_t size,
			   uint32_t position)
{
	struct spe_stream stream;
	const struct spe_record *record;
	spe_stream_init(&stream, position);
	spe_stream_feed(&stream, bytes, size);
	while ((record = spe_stream_next(&stream)))
		append_record(text, record);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	struct error *err = file_map_open(&map, argv[1]);
	if (err) {
		fprintf(stderr, "%s\n", err->message);
		error_destroy(err);
		return 1;
	}
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	const uint8_t *bytes = map.data;
	for (size_t at = 0; at + HEADER_SIZE <= map.size;) {
		uint32_t position = byte_order_load32(bytes + at, false);
		uint32_t size = byte_order_load32(bytes + at + 4, false);
		at += HEADER_SIZE;
		if (size > map.size - at)
			return 1;
		append_records(&text, bytes + at, size, position);
		write_out(&text, CHUNK);
		at += size;
	}
	write_out(&text, 1);
	return text.failed;
}
