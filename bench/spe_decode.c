// SPDX-License-Identifier: Apache-2.0

/**
 * Decoding of SPE packets, measured: see spe_speed.py.
 *
 *	spe_decode make FILE MIB PLACES  a buffer as hardware fills it: loads, stores, branches, of
 *so many instructions (a power of two) spe_decode records FILE RUNS   its records, in pieces of 4
 *MiB; the seconds of each run spe_decode lines FILE RUNS     its packets as text, which is thrown
 *away
 */

#include "base/cleanup.h"
#include "base/file/file_map.h"
#include "record/spe/spe_packet_line.h"
#include "record/spe/spe_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PIECE = 4 << 20, MIB = 1 << 20, RECORD_MAX = 64 };

struct bytes {
	uint8_t bytes[RECORD_MAX];
	size_t size;
};

static void put(struct bytes *to, unsigned header, uint64_t payload, size_t size)
{
	to->bytes[to->size++] = (uint8_t)header;
	memcpy(to->bytes + to->size, &payload, size);
	to->size += size;
}

static uint64_t next_random(uint64_t *random)
{
	*random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *random >> 16;
}

static void make_record(uint64_t random, uint64_t ticks, uint64_t places, struct bytes *ret)
{
	ret->size = 0;
	put(ret, 0xb0, 0x8000aaaaaaaa0000 + (random % places * 4), 8);
	put(ret, 0x65, 1234, 4);
	put(ret, 0x99, 2 + (random >> 20 & 63), 2);
	put(ret, 0x98, 8 + (random >> 20 & 511), 2);
	if (random >> 30 & 3) {
		put(ret, 0x52, 0x16, 2);
		put(ret, 0x49, random >> 32 & 1, 1);
		put(ret, 0xb2, 0xffff80000000 + (random & 0xfffff8), 8);
		put(ret, 0x9a, 1, 2);
		put(ret, 0x43, 0, 1);
	} else {
		put(ret, 0x52, 0x42, 2);
		put(ret, 0x4a, 1, 1);
		put(ret, 0xb1, 0x8000aaaaaaaa0000 + ((random >> 8) % places * 4), 8);
	}
	while (ret->size < RECORD_MAX - 9)
		put(ret, 0, 0, 0);
	put(ret, 0x71, ticks, 8);
}

static int make(const char *path, uint64_t mib, uint64_t places)
{
	FILE *file = fopen(path, "wb");
	if (!file)
		return 1;
	uint64_t random = 1;
	struct bytes record;
	for (uint64_t i = 0; i < mib * MIB / RECORD_MAX; i++) {
		make_record(next_random(&random), 1000 * i, places, &record);
		fwrite(record.bytes, 1, record.size, file);
	}
	return fclose(file) != 0;
}

// So that no work is left out.
static uint64_t decode_records(const uint8_t *bytes, size_t size)
{
	struct spe_stream stream;
	uint64_t sum = 0;
	spe_stream_init(&stream, 0);
	for (size_t at = 0; at < size; at += PIECE) {
		const struct spe_record *record;
		spe_stream_feed(&stream, bytes + at, size - at < PIECE ? size - at : PIECE);
		while ((record = spe_stream_next(&stream)))
			sum += record->values[SPE_VALUE_ADDRESS] +
			       record->values[SPE_VALUE_COUNTER] + record->has;
	}
	return sum + stream.num_records;
}

static uint64_t decode_lines(const uint8_t *bytes, size_t size)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	uint64_t length = 0;
	for (size_t at = 0; at < size; at += MIB) {
		spe_packet_line_append_all(&text, bytes + at, size - at < MIB ? size - at : MIB, at,
					   0);
		length += text.length;
		string_builder_clear(&text);
	}
	return length;
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int measure(const char *path, unsigned runs, uint64_t (*decode)(const uint8_t *, size_t))
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	struct error *err = file_map_open(&map, path);
	if (err) {
		error_destroy(err);
		return 1;
	}
	decode(map.data, map.size); // into memory
	for (unsigned i = 0; i < runs; i++) {
		double start = seconds();
		uint64_t sum = decode(map.data, map.size);
		printf("%.6f %" PRIu64 "\n", seconds() - start, sum);
	}
	return 0;
}

int main(int argc, char **argv)
{
	bool is_make = argc == 5 && !strcmp(argv[1], "make");
	if (argc != 4 && !is_make)
		return 2;
	unsigned number = (unsigned)strtoul(argv[3], NULL, 10);
	if (is_make)
		return make(argv[2], number, strtoul(argv[4], NULL, 10));
	return measure(argv[2], number,
		       !strcmp(argv[1], "records") ? decode_records : decode_lines);
}
