// SPDX-License-Identifier: Apache-2.0
// Input: the size of pieces, then SPE packets.

#include "record/spe/spe_event.h"
#include "record/spe/spe_operation.h"
#include "record/spe/spe_packet_line.h"
#include "record/spe/spe_source_name.h"
#include "record/spe/spe_stream.h"

#include "base/cleanup.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct counts {
	uint64_t records, bytes, end, hash;
};

// Records stand behind each other, in bounds.
static void check_record(struct counts *counts, const struct spe_record *record)
{
	if (!record->size || record->position < counts->end)
		abort();
	counts->end = record->position + record->size;
	counts->bytes += record->size;
	counts->records++;
	counts->hash = counts->hash * 31 + record->position + record->has;
	for (size_t i = 0; i < SPE_NUM_VALUES; i++)
		counts->hash = counts->hash * 31 + record->values[i];
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	spe_source_name_append(&text, spe_source_name_key(record));
	if (!text.length)
		abort();
}

static struct counts decode(const uint8_t *bytes, size_t size, size_t piece)
{
	struct spe_stream stream;
	struct counts counts = {};
	spe_stream_init(&stream, 0);
	for (size_t at = 0; at < size; at += piece) {
		size_t length = size - at < piece ? size - at : piece;
		uint8_t *copy = malloc(length);
		memcpy(copy, bytes + at, length);
		spe_stream_feed(&stream, copy, length);
		const struct spe_record *record;
		while ((record = spe_stream_next(&stream)))
			check_record(&counts, record);
		free(copy);
	}
	spe_stream_break(&stream, size);
	if (counts.records != stream.num_records || counts.end > size ||
	    counts.bytes + stream.num_bad_bytes > size)
		abort();
	counts.hash = counts.hash * 31 + stream.num_bad_bytes + stream.num_damages;
	return counts;
}

// Every byte is in one line.
static void check_lines(const uint8_t *bytes, size_t size)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	struct spe_packet packet;
	size_t at = 0, lines = 0;
	for (; at < size; at += packet.size, lines++)
		if (!spe_packet_decode(bytes + at, size - at, at, &packet))
			packet = SPE_PACKET_BAD_BYTE;
	spe_packet_line_append_all(&text, bytes, size, 0, 0x413fd0c1);
	const char *line = string_builder_peek(&text);
	for (; *line; line = strchr(line, '\n') + 1, lines--)
		if (line[0] != '.')
			abort();
	if (at != size || lines)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	struct counts whole = decode(data + 1, size - 1, size);
	struct counts pieces = decode(data + 1, size - 1, data[0] % 32 + 1u);
	if (whole.records != pieces.records || whole.hash != pieces.hash)
		abort();
	check_lines(data + 1, size - 1);
	return 0;
}
