// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/record_unpacker.h"

#include "record/perf_data/perf_abi.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

// `perf record -z` compresses with zstd (tools/perf/util/zstd.c). One stream goes through all
// PERF_RECORD_COMPRESSED records of a file, and records inside may begin in one and end in the
// next. So the decompressor keeps its state, and what is left of an unfinished record is moved to
// the front of the buffer before more is decompressed (record_unpacker_unpack()). The buffer is
// larger than the largest record, and its size is the only memory: a small input that expands to
// gigabytes is taken piece by piece (may_hold_more).

enum { UNPACKED_SIZE = 256 << 10 };

struct record_unpacker {
	ZSTD_DStream *stream;
	ZSTD_inBuffer packed;
	bool may_hold_more; /* the stream was stopped by a full buffer */
	size_t next, end;   /* of what was unpacked and not given */
	uint8_t unpacked[UNPACKED_SIZE];
};

struct error *record_unpacker_create(struct record_unpacker **ret)
{
	struct record_unpacker *unpacker = calloc(1, sizeof(*unpacker));
	if (!unpacker)
		return &error_no_memory;
	unpacker->stream = ZSTD_createDStream();
	if (!unpacker->stream) {
		record_unpacker_destroy(unpacker);
		return &error_no_memory;
	}
	*ret = unpacker;
	return NULL;
}

void record_unpacker_feed(struct record_unpacker *unpacker, const struct found_record *record)
{
	size_t start = sizeof(struct perf_abi_header);
	size_t size = record->size - start;
	// The newer kind says how much of it is padding.
	if (record->type == PERF_ABI_COMPRESSED2) {
		uint64_t said = 0;
		if (size >= sizeof(said)) {
			memcpy(&said, record->bytes + start, sizeof(said));
			start += sizeof(said);
			size -= sizeof(said);
		}
		if (said < size)
			size = said;
	}
	unpacker->packed = (ZSTD_inBuffer){.src = record->bytes + start, .size = size};
}

// Unpack as much as there is room for.
static struct error *record_unpacker_unpack(struct record_unpacker *unpacker)
{
	size_t left = unpacker->end - unpacker->next;
	memmove(unpacker->unpacked, unpacker->unpacked + unpacker->next, left);
	unpacker->next = 0;
	ZSTD_outBuffer out = {
		.dst = unpacker->unpacked,
		.size = sizeof(unpacker->unpacked),
		.pos = left,
	};
	do {
		size_t result = ZSTD_decompressStream(unpacker->stream, &out, &unpacker->packed);
		if (ZSTD_isError(result))
			return error_create(ERROR_FAILED, "cannot decompress: %s",
					    ZSTD_getErrorName(result));
	} while (unpacker->packed.pos < unpacker->packed.size && out.pos < out.size);
	unpacker->end = out.pos;
	unpacker->may_hold_more = out.pos == out.size;
	return NULL;
}

static bool record_unpacker_find(struct record_unpacker *unpacker, struct found_record *ret)
{
	struct perf_abi_header header;
	size_t left = unpacker->end - unpacker->next;
	if (left < sizeof(header))
		return false;
	const uint8_t *bytes = unpacker->unpacked + unpacker->next;
	memcpy(&header, bytes, sizeof(header));
	if (header.size > left)
		return false;
	*ret = (struct found_record){header.type, bytes, header.size};
	return true;
}

struct error *record_unpacker_next(struct record_unpacker *unpacker, struct found_record *ret,
				   bool *ret_more)
{
	struct found_record record;
	while (!record_unpacker_find(unpacker, &record)) {
		bool has_input = unpacker->packed.pos < unpacker->packed.size;
		if (!has_input && !unpacker->may_hold_more) {
			*ret_more = false;
			return NULL;
		}
		struct error *err = record_unpacker_unpack(unpacker);
		if (err)
			return err;
	}
	if (record.size < sizeof(struct perf_abi_header))
		return error_create(ERROR_FAILED, "a compressed record has %zu bytes", record.size);
	unpacker->next += record.size;
	*ret = record;
	*ret_more = true;
	return NULL;
}

size_t record_unpacker_left(const struct record_unpacker *unpacker)
{
	return unpacker->end - unpacker->next;
}

void record_unpacker_destroy(struct record_unpacker *unpacker)
{
	if (!unpacker)
		return;
	ZSTD_freeDStream(unpacker->stream);
	free(unpacker);
}
