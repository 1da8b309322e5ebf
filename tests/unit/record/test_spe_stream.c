// SPDX-License-Identifier: Apache-2.0

#include "record/spe/spe_stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_error.h"
#include "base/container/array.h"
#include "base/file/file_map.h"
#include "record/spe/spe_event.h"
#include "record/spe/spe_operation.h"
#include "spe_bytes.h"
#include "tests/unit/shared_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { RECORD_SIZE = 64, NUM_RECORDS = 200 };

static const char folder[] = WPERF_SHARED_DIR "/data/spe";

// All that a stream gave, and its own counts.
struct result {
	struct spe_record records[2 * NUM_RECORDS];
	size_t num_records;
	struct spe_stream stream;
};

static void take_all(struct result *result)
{
	const struct spe_record *record;
	while ((record = spe_stream_next(&result->stream))) {
		assert_true(result->num_records < ARRAY_SIZE(result->records));
		result->records[result->num_records++] = *record;
	}
}

static void decode_pieces(const uint8_t *bytes, size_t size, size_t piece, struct result *ret)
{
	memset(ret, 0, sizeof(*ret));
	spe_stream_init(&ret->stream, 0);
	for (size_t at = 0; at < size; at += piece) {
		// A copy of its own, so that a sanitizer sees what is read behind it.
		size_t length = size - at < piece ? size - at : piece;
		_cleanup_free_ uint8_t *copy = malloc(length);
		memcpy(copy, bytes + at, length);
		spe_stream_feed(&ret->stream, copy, length);
		take_all(ret);
	}
	spe_stream_break(&ret->stream, size);
	assert_int_equal(ret->stream.num_records, ret->num_records);
}

static void decode(const struct spe_bytes *bytes, struct result *ret)
{
	decode_pieces(bytes->bytes, bytes->size, bytes->size, ret);
}

static void put_loads(struct spe_bytes *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		put_load(bytes, 0x400000 + 4 * i, 0xffff00000000 + 64 * i, 1000 + i);
}

static void assert_is_load(const struct spe_record *record, size_t i)
{
	assert_int_equal(spe_record_address(record, SPE_ADDRESS_PC), 0x400000 + 4 * i);
	assert_int_equal(spe_record_address(record, SPE_ADDRESS_VIRTUAL), 0xffff00000000 + 64 * i);
	assert_int_equal(record->values[SPE_VALUE_TIMESTAMP], 1000 + i);
	assert_int_equal(record->size, RECORD_SIZE);
	assert_int_equal(record->position, RECORD_SIZE * i);
}

static void a_record_has_what_was_told(void **state)
{
	static struct spe_bytes bytes;
	static struct result result;
	bytes.size = 0;
	put(&bytes, 0, 0, 3); // padding
	put_address(&bytes, 0, 0xa0ffc08420e06812);
	put(&bytes, 0x64, 77, 4);
	put(&bytes, 0x65, 78, 4);
	put_operation(&bytes, 2, 0x0b);
	put_address(&bytes, 1, 0x8000aaaabbbbcccc);
	put_address(&bytes, 4, 0xc0ffc08420e00000);
	put_address(&bytes, 2, 0x12ffffe5aead80b0);
	put_address(&bytes, 3, 0xc500000bd88a09e8);
	put_counter(&bytes, 0, 1);
	put_counter(&bytes, 1, 2);
	put_counter(&bytes, 2, 3);
	put_counter(&bytes, 3, 4);
	put_counter(&bytes, 5, 5); // of no name
	put(&bytes, 0x72, 0x8000000000000042, 8);
	put(&bytes, 0x53, 0x1234, 2);
	put_timestamp(&bytes, 99);
	decode(&bytes, &result);
	assert_int_equal(result.num_records, 1);
	const struct spe_record *record = &result.records[0];
	assert_int_equal(record->position, 4);
	assert_int_equal(record->size, bytes.size - 4);
	assert_int_equal(record->has, spe_record_bit(SPE_VALUE_NONE) - 1);
	static const uint64_t addresses[SPE_NUM_ADDRESSES] = {0xffffc08420e06812, 0xaaaabbbbcccc,
							      0xffffffe5aead80b0, 0xbd88a09e8,
							      0xffffc08420e00000};
	for (size_t i = 0; i < SPE_NUM_ADDRESSES; i++)
		assert_int_equal(spe_record_address(record, i), addresses[i]);
	assert_int_equal(
		spe_address_level(spe_record_address_top(record, SPE_ADDRESS_PREVIOUS_TARGET)), 2);
	assert_int_equal(spe_record_address_top(record, SPE_ADDRESS_VIRTUAL), 0x12);
	for (unsigned i = 0; i < SPE_NUM_COUNTERS; i++)
		assert_int_equal(spe_record_latency(record, i), i + 1);
	assert_int_equal(spe_record_context(record, 1), 77);
	assert_int_equal(spe_record_context(record, 2), 78);
	assert_int_equal(spe_record_class(record), SPE_CLASS_BRANCH);
	assert_int_equal(spe_record_operation(record), 0x0b);
	assert_int_equal(record->values[SPE_VALUE_DATA_SOURCE], 0x1234);
	assert_true(spe_record_has_event(record, SPE_EVENT_RETIRED));
	assert_true(spe_record_has_event(record, 63));
	assert_false(spe_record_has_event(record, SPE_EVENT_MISPREDICTED));
}

static void pieces_of_any_size_make_no_difference(void **state)
{
	static struct spe_bytes bytes;
	static struct result whole, pieces;
	bytes.size = 0;
	put_loads(&bytes, 20);
	put(&bytes, 0x20, 0xb0, 1); // extended headers and alignment
	put(&bytes, 0, 0x8000000000400000, 7);
	put(&bytes, 0x23, 0, 1);
	while (bytes.size % 16)
		put(&bytes, 0xee, 0, 0);
	put_end(&bytes);
	bytes.bytes[7 * RECORD_SIZE + 12] = 0xff;
	put(&bytes, 0xb0, 0, 4); // cut by the end
	decode(&bytes, &whole);
	assert_int_equal(whole.num_records, 20);
	for (size_t piece = 1; piece < bytes.size; piece++) {
		decode_pieces(bytes.bytes, bytes.size, piece, &pieces);
		assert_int_equal(pieces.num_records, whole.num_records);
		assert_memory_equal(pieces.records, whole.records,
				    whole.num_records * sizeof(whole.records[0]));
		assert_int_equal(pieces.stream.num_bad_bytes, whole.stream.num_bad_bytes);
		assert_int_equal(pieces.stream.num_damages, whole.stream.num_damages);
	}
}

static void a_bad_byte_costs_its_record(void **state)
{
	static struct spe_bytes bytes;
	static struct result result;
	bytes.size = 0;
	put_loads(&bytes, 5);
	bytes.bytes[2 * RECORD_SIZE + 9] = 0xff; // a counter's header
	decode(&bytes, &result);
	assert_int_equal(result.num_records, 4);
	assert_is_load(&result.records[1], 1);
	assert_is_load(&result.records[2], 3);
	assert_int_equal(result.stream.num_bad_bytes, RECORD_SIZE);
	assert_int_equal(result.stream.num_damages, 1);
}

static void a_second_pc_begins_another_record(void **state)
{
	static struct spe_bytes bytes;
	static struct result result;
	bytes.size = 0;
	put_loads(&bytes, 1);
	bytes.size = 30; // within a packet, whose rest is then the first byte of what follows
	put_loads(&bytes, 1);
	decode(&bytes, &result);
	assert_int_equal(result.num_records, 0); // swallowed by the packet
	assert_int_equal(result.stream.num_bad_bytes, bytes.size);
	bytes.size = 29 - 9; // behind the operation
	put_loads(&bytes, 1);
	decode(&bytes, &result);
	assert_int_equal(result.num_records, 1);
	assert_int_equal(result.records[0].position, 20);
	assert_int_equal(result.stream.num_bad_bytes, 20);
	assert_int_equal(result.stream.num_damages, 1);
}

static void a_pc_behind_damage_begins_a_record(void **state)
{
	static struct spe_bytes bytes;
	static struct result result;
	bytes.size = 0;
	put_loads(&bytes, 1);
	bytes.size = 18; // behind the events
	put(&bytes, 0xff, 0, 0);
	put_address(&bytes, SPE_ADDRESS_PC, 0x8500000000400000); // with bits that mean nothing
	put_address(&bytes, SPE_ADDRESS_PC, 0x8012345678400000); // not an address
	size_t bad = bytes.size;
	put_loads(&bytes, 2);
	decode(&bytes, &result);
	assert_int_equal(result.num_records, 2);
	assert_int_equal(result.records[0].position, bad);
	assert_int_equal(result.stream.num_bad_bytes, bad);
	assert_int_equal(result.stream.num_damages, 1);
}

// Until a record is whole again, nothing may be in it twice, and it needs a PC.
static void what_comes_behind_damage_is_doubted(void **state)
{
	static struct spe_bytes bytes;
	static struct result result;
	bytes.size = 0;
	put(&bytes, 0xff, 0, 0);
	put_end(&bytes);
	put_events(&bytes, 2); // no PC
	put_end(&bytes);
	put_address(&bytes, SPE_ADDRESS_PC, 0x8000000000400000);
	put_events(&bytes, 2);
	put_events(&bytes, 2);
	put_end(&bytes);
	size_t bad = bytes.size;
	put_loads(&bytes, 1);
	put_events(&bytes, 2);
	put_events(&bytes, 4); // counts
	put_end(&bytes);
	decode(&bytes, &result);
	assert_int_equal(result.num_records, 2);
	assert_int_equal(result.records[0].position, bad);
	assert_int_equal(result.records[1].values[SPE_VALUE_EVENTS], 4);
	assert_int_equal(result.stream.num_bad_bytes, bad);
	assert_int_equal(result.stream.num_damages, 1);
}

static void after_a_break_nothing_joins(void **state)
{
	static struct spe_bytes bytes;
	struct spe_stream stream;
	const struct spe_record *record;
	bytes.size = 0;
	put_loads(&bytes, 2);
	spe_stream_init(&stream, 4096);
	spe_stream_feed(&stream, bytes.bytes, RECORD_SIZE + 14);
	record = spe_stream_next(&stream);
	assert_non_null(record);
	assert_int_equal(record->position, 4096);
	assert_null(spe_stream_next(&stream));
	spe_stream_break(&stream, 8192);
	assert_int_equal(stream.num_bad_bytes, 14);
	assert_int_equal(stream.num_damages, 1);
	spe_stream_feed(&stream, bytes.bytes, RECORD_SIZE);
	record = spe_stream_next(&stream);
	assert_non_null(record);
	assert_int_equal(record->position, 8192);
	assert_int_equal(stream.num_records, 2);
	spe_stream_break(&stream, 0); // nothing was unfinished
	assert_int_equal(stream.num_bad_bytes, 14);
	assert_int_equal(stream.num_damages, 1);
}

static void what_says_nothing_is_no_record(void **state)
{
	static struct spe_bytes bytes;
	static struct result result;
	bytes.size = 0;
	put_end(&bytes);
	put_timestamp(&bytes, 1);
	put(&bytes, 0, 0, 7);
	put_end(&bytes);
	decode(&bytes, &result);
	assert_int_equal(result.num_records, 0);
	assert_int_equal(result.stream.num_bad_bytes, 0);
	put_events(&bytes, 2); // without a PC: the end of a record that began elsewhere
	put_end(&bytes);
	decode(&bytes, &result);
	assert_int_equal(result.num_records, 1);
	assert_int_equal(result.records[0].has, spe_record_bit(SPE_VALUE_EVENTS));
}

// A small generator, so that a failure comes again.
static uint32_t next_random(uint32_t *random)
{
	*random = *random * 1664525 + 1013904223;
	return *random >> 8;
}

// Records that the damage did not touch, nor their neighbours, come as they were; what comes beside
// the truth is rare.
static void damage_stays_local(void **state)
{
	static struct spe_bytes bytes;
	static struct result result;
	enum { ROUNDS = 500, DAMAGED = NUM_RECORDS / 2 };
	size_t num_lost = 0, num_false = 0;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		uint32_t random = round;
		bytes.size = 0;
		put_loads(&bytes, NUM_RECORDS);
		uint8_t *damaged = bytes.bytes + (size_t)DAMAGED * RECORD_SIZE;
		size_t from = next_random(&random) % RECORD_SIZE;
		size_t to = from + 1 + next_random(&random) % (RECORD_SIZE - from);
		for (size_t at = from; at < to; at++)
			damaged[at] = (uint8_t)next_random(&random);
		decode(&bytes, &result);
		size_t num_true = 0;
		for (size_t i = 0; i < result.num_records; i++) {
			size_t index = result.records[i].position / RECORD_SIZE;
			bool is_true =
				result.records[i].position % RECORD_SIZE == 0 &&
				result.records[i].values[SPE_VALUE_TIMESTAMP] == 1000 + index &&
				index != DAMAGED;
			if (is_true)
				assert_is_load(&result.records[i], index);
			num_true += is_true;
			num_false += !is_true && index != DAMAGED;
		}
		assert_true(num_true >= NUM_RECORDS - 3);
		num_lost += NUM_RECORDS - 1 - num_true;
	}
	assert_true(num_lost < ROUNDS / 10);
	assert_true(num_false < ROUNDS / 100);
}

static void record_as_csv(const struct spe_record *record, char *ret, size_t size)
{
	static const char *const classes[] = {"O", "LDST", "B"};
	static const char *const booleans[] = {"false", "true"};
	struct spe_operation operation =
		spe_operation_of(spe_record_class(record), spe_record_operation(record));
	snprintf(ret, size,
		 "0,%s,0x%" PRIx64 ",%u,%s,%s,%s,%u,%u,0x%" PRIx64 ",%u,,0,,%" PRIu64 "\n",
		 classes[spe_record_class(record)], spe_record_address(record, SPE_ADDRESS_PC),
		 spe_address_level(spe_record_address_top(record, SPE_ADDRESS_PC)),
		 booleans[!!(operation.flags & SPE_OPERATION_IS_CONDITIONAL)],
		 booleans[!!(operation.flags & SPE_OPERATION_IS_INDIRECT)],
		 record->values[SPE_VALUE_EVENTS] == 1 << SPE_EVENT_RETIRED ? "RETIRED" : "?",
		 spe_record_latency(record, SPE_COUNTER_ISSUE),
		 spe_record_latency(record, SPE_COUNTER_TOTAL),
		 spe_record_address(record, SPE_ADDRESS_BRANCH_TARGET),
		 spe_address_level(spe_record_address_top(record, SPE_ADDRESS_BRANCH_TARGET)),
		 record->values[SPE_VALUE_TIMESTAMP]);
}

static void open_shared(const char *name, const char *ending, struct file_map *ret)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/%s%s", folder, name, ending);
	skip_without(path);
	assert_no_error(file_map_open(ret, path));
}

static void shared_records(void **state)
{
	static const char *const names[] = {"spe-b1-ts0", "spe-b1-ts1"};
	static struct result result;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_(file_map_close) struct file_map buffer = FILE_MAP_INIT;
		_cleanup_(file_map_close) struct file_map csv = FILE_MAP_INIT;
		open_shared(names[i], ".data", &buffer);
		open_shared(names[i], ".csv", &csv);
		decode_pieces(buffer.data, buffer.size, buffer.size, &result);
		assert_int_equal(result.num_records, 1);
		assert_int_equal(result.stream.num_bad_bytes, 0);
		const char *line = memchr(csv.data, '\n', csv.size);
		assert_non_null(line);
		char ours[256];
		record_as_csv(&result.records[0], ours, sizeof(ours));
		line++;
		assert_int_equal(strlen(ours), (const char *)csv.data + csv.size - line);
		assert_memory_equal(ours, line, strlen(ours));
	}
}

static void shared_stream(void **state)
{
	static const struct {
		uint64_t pc, address, timestamp;
		uint16_t total;
	} records[] = {
		{0xffffc08420e068, 0xffffe5aead80b0, 389297091246406, 8},
		{0x59f2b9270c, 0x5a812b7360, 389297091265312, 10},
		{0x59f4f95468, 0, 389297091275937, 3},
		{0xffffc084202bb4, 0, 389297091287500, 3},
	};
	static struct result result;
	_cleanup_(file_map_close) struct file_map buffer = FILE_MAP_INIT;
	open_shared("hiperf-TestSpeDecoder", ".bin", &buffer);
	decode_pieces(buffer.data, buffer.size, 7, &result);
	assert_int_equal(result.num_records, ARRAY_SIZE(records));
	for (size_t i = 0; i < ARRAY_SIZE(records); i++) {
		const struct spe_record *record = &result.records[i];
		assert_int_equal(spe_record_address(record, SPE_ADDRESS_PC) << 8 >> 8,
				 records[i].pc);
		assert_int_equal(spe_record_address(record, SPE_ADDRESS_VIRTUAL) << 8 >> 8,
				 records[i].address);
		assert_int_equal(record->values[SPE_VALUE_TIMESTAMP], records[i].timestamp);
		assert_int_equal(spe_record_latency(record, SPE_COUNTER_TOTAL), records[i].total);
	}
	assert_int_equal(spe_record_address(&result.records[0], SPE_ADDRESS_PC),
			 0xffffffc08420e068);
}

int spe_stream_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_has_what_was_told),
		cmocka_unit_test(pieces_of_any_size_make_no_difference),
		cmocka_unit_test(a_bad_byte_costs_its_record),
		cmocka_unit_test(a_second_pc_begins_another_record),
		cmocka_unit_test(a_pc_behind_damage_begins_a_record),
		cmocka_unit_test(what_comes_behind_damage_is_doubted),
		cmocka_unit_test(after_a_break_nothing_joins),
		cmocka_unit_test(what_says_nothing_is_no_record),
		cmocka_unit_test(damage_stays_local),
		cmocka_unit_test(shared_records),
		cmocka_unit_test(shared_stream),
	};
	return cmocka_run_group_tests_name("spe_stream", tests, NULL, NULL);
}
