// SPDX-License-Identifier: Apache-2.0

#include "record/etl/etl_payload.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "etl_kernel_bytes.h"

// Payloads of Windows, as published in tests of other projects, which also say what they mean:
// sample to switch_64 are of snail-server, tests/unit/etl/parser.cpp (MIT), switch_old_32 to
// thread_v1 of catapult, tracing/extras/importer/etw/thread_parser_test.html (BSD-3-Clause).
static const uint8_t sample_bytes[] = {0x8a, 0x35, 0x01, 0x2e, 0x03, 0xf8, 0xff, 0xff,
				       0x20, 0x67, 0x00, 0x00, 0x01, 0x00, 0x48, 0x00};
static const uint8_t counter_sample_bytes[] = {0xc9, 0x0e, 0xac, 0x8c, 0xfc, 0x7f, 0x00, 0x00,
					       0x94, 0x0f, 0x00, 0x00, 0x1d, 0x00, 0x00, 0x00};
static const uint8_t counter_names_bytes[] = {
	0x02, 0x00, 0x00, 0x00, 0x42, 0x00, 0x72, 0x00, 0x61, 0x00, 0x6e, 0x00, 0x63, 0x00,
	0x68, 0x00, 0x49, 0x00, 0x6e, 0x00, 0x73, 0x00, 0x74, 0x00, 0x72, 0x00, 0x75, 0x00,
	0x63, 0x00, 0x74, 0x00, 0x69, 0x00, 0x6f, 0x00, 0x6e, 0x00, 0x73, 0x00, 0x00, 0x00,
	0x4c, 0x00, 0x4c, 0x00, 0x43, 0x00, 0x52, 0x00, 0x65, 0x00, 0x66, 0x00, 0x65, 0x00,
	0x72, 0x00, 0x65, 0x00, 0x6e, 0x00, 0x63, 0x00, 0x65, 0x00, 0x00, 0x00};
static const uint8_t interval_bytes[] = {0x00, 0x00, 0x00, 0x00, 0x10, 0x27, 0x00, 0x00,
					 0x10, 0x27, 0x00, 0x00, 0x54, 0x00, 0x69, 0x00,
					 0x6d, 0x00, 0x65, 0x00, 0x72, 0x00, 0x00, 0x00};
static const uint8_t switch_64_bytes[] = {0xc0, 0x3b, 0x00, 0x00, 0x48, 0x55, 0x00, 0x00,
					  0x09, 0x08, 0x00, 0x00, 0x1f, 0x00, 0x01, 0x02,
					  0x1f, 0x00, 0x00, 0x00, 0x85, 0x53, 0x00, 0x00};
static const uint8_t switch_old_32_bytes[] = {0x00, 0x00, 0x00, 0x00, 0x2c, 0x11, 0x00, 0x00,
					      0x00, 0x09, 0x00, 0x00, 0x17, 0x00, 0x01, 0x00,
					      0x12, 0x00, 0x00, 0x00, 0x26, 0x48, 0x00, 0x00};
static const uint8_t switch_old_64_bytes[] = {0xcc, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
					      0x08, 0x00, 0x01, 0x00, 0x00, 0x00, 0x02, 0x04,
					      0x01, 0x00, 0x00, 0x00, 0x87, 0x6d, 0x88, 0x34};
static const uint8_t thread_64_bytes[] = {
	0x78, 0x21, 0x00, 0x00, 0x94, 0x14, 0x00, 0x00, 0x00, 0x30, 0x0e, 0x27, 0x00, 0xd0, 0xff,
	0xff, 0x00, 0xd0, 0x0d, 0x27, 0x00, 0xd0, 0xff, 0xff, 0x30, 0xfd, 0x0b, 0x06, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x80, 0x0b, 0x06, 0x00, 0x00, 0x00, 0x00, 0xff, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x2c, 0xfd, 0x58, 0x5c, 0x00, 0x00, 0x00, 0x00, 0x00, 0xc0, 0x12, 0xff,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x08, 0x05, 0x02, 0x00};
static const uint8_t thread_32_bytes[] = {0x2c, 0x02, 0x00, 0x00, 0x2c, 0x13, 0x00, 0x00, 0x00,
					  0x50, 0x98, 0xb1, 0x00, 0x20, 0x98, 0xb1, 0x00, 0x00,
					  0xd5, 0x00, 0x00, 0xc0, 0xd4, 0x00, 0x03, 0x00, 0x00,
					  0x00, 0xe9, 0x03, 0xab, 0x77, 0x00, 0xe0, 0xfd, 0x7f,
					  0x00, 0x00, 0x00, 0x00, 0x09, 0x05, 0x02, 0x00};
static const uint8_t thread_v1_bytes[] = {0x04, 0x00, 0x00, 0x00, 0x4c, 0x07, 0x00, 0x00, 0x00,
					  0x60, 0xb7, 0xf3, 0x00, 0x30, 0xb7, 0xf3, 0x00, 0x00,
					  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x85, 0xdb, 0x1e,
					  0xf7, 0x00, 0x00, 0x00, 0x00, 0xff, 0x00, 0x00, 0x00};

static const struct etl_clock clock_of_ticks = {10000000, 0, 0};

#define EVENT(bytes, code, number, size_of_pointers)             \
	(&(struct etl_event){.opcode = (code),                   \
			     .version = (number),                \
			     .pointer_size = (size_of_pointers), \
			     .clock = &clock_of_ticks,           \
			     .time_ns = UINT64_MAX,              \
			     .payload = (bytes),                 \
			     .payload_size = sizeof(bytes)})

static void assert_text(struct etl_text text, const char *expected)
{
	_cleanup_(string_builder_deinit) struct string_builder builder = STRING_BUILDER_INIT;
	etl_text_append(&builder, text);
	assert_string_equal(string_builder_peek(&builder), expected);
}

static void test_samples_of_windows(void **state)
{
	struct etl_sample sample;
	assert_true(etl_payload_sample(EVENT(sample_bytes, ETL_SAMPLE, 2, 8), &sample));
	assert_true(sample.ip == UINT64_C(0xfffff8032e01358a));
	assert_int_equal(sample.tid, 26400);
	assert_int_equal(sample.source, 0);
	assert_false(sample.in_interrupt);
	assert_true(
		etl_payload_sample(EVENT(counter_sample_bytes, ETL_COUNTER_SAMPLE, 2, 8), &sample));
	assert_true(sample.ip == UINT64_C(0x7ffc8cac0ec9));
	assert_int_equal(sample.tid, 3988);
	assert_int_equal(sample.source, 29);
}

static void test_names_and_intervals_of_windows(void **state)
{
	struct etl_text names[2];
	struct etl_interval interval;
	size_t num;
	const struct etl_event *event = EVENT(counter_names_bytes, ETL_COUNTER_NAMES, 2, 8);
	assert_true(etl_payload_counter_names(event, names, 2, &num));
	assert_int_equal(num, 2);
	assert_text(names[0], "BranchInstructions");
	assert_text(names[1], "LLCReference");
	assert_false(etl_payload_counter_names(event, names, 1, &num));
	assert_true(
		etl_payload_interval(EVENT(interval_bytes, ETL_INTERVAL_BEGIN, 3, 8), &interval));
	assert_int_equal(interval.source, 0);
	assert_int_equal(interval.interval, 10000);
	assert_text(interval.name, "Timer");
}

static void assert_switch(const struct etl_event *event, uint32_t new_tid, uint32_t old_tid)
{
	struct etl_switch change;
	assert_true(etl_payload_switch(event, &change));
	assert_int_equal(change.new_tid, new_tid);
	assert_int_equal(change.old_tid, old_tid);
	assert_false(change.has_ended);
}

static void test_switches_of_windows(void **state)
{
	assert_switch(EVENT(switch_64_bytes, ETL_THREAD_SWITCH, 4, 8), 15296, 21832);
	assert_switch(EVENT(switch_old_32_bytes, ETL_THREAD_SWITCH, 2, 4), 0, 4396);
	assert_switch(EVENT(switch_old_64_bytes, ETL_THREAD_SWITCH, 2, 8), 2252, 0);
	struct etl_switch change;
	assert_false(etl_payload_switch(EVENT(switch_64_bytes, ETL_THREAD_SWITCH, 1, 8), &change));
}

static void assert_thread(const struct etl_event *event, uint32_t pid, uint32_t tid)
{
	struct etl_thread thread;
	assert_true(etl_payload_thread(event, &thread));
	assert_int_equal(thread.pid, pid);
	assert_int_equal(thread.tid, tid);
	assert_int_equal(thread.name.size, 0);
}

static void test_threads_of_windows(void **state)
{
	assert_thread(EVENT(thread_64_bytes, ETL_BEGIN, 3, 8), 8568, 5268);
	assert_thread(EVENT(thread_32_bytes, ETL_BEGIN, 3, 4), 556, 4908);
	assert_thread(EVENT(thread_v1_bytes, ETL_BEGIN, 1, 4), 4, 1868);
	// The oldest version has them the other way round.
	assert_thread(EVENT(thread_v1_bytes, ETL_BEGIN, 0, 4), 1868, 4);
}

typedef bool (*payload_reader)(const struct etl_event *event);

#define READER(what, type)                                     \
	static bool read_##what(const struct etl_event *event) \
	{                                                      \
		struct type value;                             \
		return etl_payload_##what(event, &value);      \
	}
READER(process, etl_process)
READER(thread, etl_thread)
READER(thread_name, etl_thread)
READER(image, etl_image)
READER(image_id, etl_image_id)
READER(volume, etl_volume)
READER(sample, etl_sample)
READER(interval, etl_interval)
READER(switch, etl_switch)
READER(interrupt, etl_interrupt)
READER(stack, etl_stack)
READER(method, etl_method)

static bool read_ready(const struct etl_event *event)
{
	uint32_t tid;
	return etl_payload_ready(event, &tid);
}

/** Cut at each byte: each piece in memory of its own, so that sanitizers see what is read behind
 *  its end. @needed: bytes that the fixed part has. */
static void assert_cuts(const struct etl_event *whole, payload_reader reader, uint32_t needed)
{
	for (uint32_t size = 0; size <= whole->payload_size; size++) {
		uint8_t *piece = malloc(size ? size : 1);
		assert_non_null(piece);
		memcpy(piece, whole->payload, size);
		struct etl_event event = *whole;
		event.payload = piece;
		event.payload_size = size;
		assert_int_equal(reader(&event), size >= needed);
		free(piece);
	}
}

static void test_each_payload_of_windows_cut_at_each_byte(void **state)
{
	assert_cuts(EVENT(sample_bytes, ETL_SAMPLE, 2, 8), read_sample, 15);
	assert_cuts(EVENT(counter_sample_bytes, ETL_COUNTER_SAMPLE, 2, 8), read_sample, 15);
	assert_cuts(EVENT(interval_bytes, ETL_INTERVAL_BEGIN, 3, 8), read_interval, 12);
	assert_cuts(EVENT(switch_64_bytes, ETL_THREAD_SWITCH, 4, 8), read_switch, 15);
	assert_cuts(EVENT(switch_old_32_bytes, ETL_THREAD_SWITCH, 2, 4), read_switch, 15);
	assert_cuts(EVENT(thread_64_bytes, ETL_BEGIN, 3, 8), read_thread, 8);
	assert_cuts(EVENT(thread_32_bytes, ETL_BEGIN, 3, 4), read_thread, 8);
}

enum { SYSTEM = 32, PERFINFO = 16, FULL = 48, MANIFEST = 80 }; // sizes of headers

/** Of the only event in @bytes, which are emptied. */
static void assert_cuts_of(struct etl_bytes *bytes, uint32_t header, uint8_t opcode,
			   uint8_t version, payload_reader reader, uint32_t needed)
{
	const struct etl_event event = {
		.opcode = opcode,
		.version = version,
		.pointer_size = 8,
		.clock = &clock_of_ticks,
		.time_ns = UINT64_MAX,
		.payload = bytes->data + header,
		.payload_size = (uint32_t)bytes->size - header,
	};
	assert_cuts(&event, reader, needed);
	etl_bytes_deinit(bytes);
}

static void test_each_event_of_the_kernel_cut_at_each_byte(void **state)
{
	struct etl_bytes bytes = {};
	etl_bytes_process(&bytes, 1, 1, 10, 4, "a.exe");
	assert_cuts_of(&bytes, SYSTEM, ETL_BEGIN, 4, read_process, 64);
	etl_bytes_thread(&bytes, 1, 1, 10, 4, "name");
	assert_cuts_of(&bytes, SYSTEM, ETL_BEGIN, 4, read_thread, 8);
	etl_bytes_thread_name(&bytes, 1, 10, 4, "name");
	assert_cuts_of(&bytes, SYSTEM, ETL_THREAD_NAME, 2, read_thread_name, 8);
	etl_bytes_image(&bytes, 1, 10, 4, &(struct etl_bytes_file){1, 2, 3, "C:\\a"});
	assert_cuts_of(&bytes, SYSTEM, ETL_IMAGE_LOAD, 3, read_image, 56);
	etl_bytes_ready(&bytes, 1, 10);
	assert_cuts_of(&bytes, PERFINFO, ETL_THREAD_READY, 2, read_ready, 4);
	etl_bytes_interrupt(&bytes, 9, ETL_DPC, 8, 7);
	assert_cuts_of(&bytes, PERFINFO, ETL_DPC, 2, read_interrupt, 16);
	etl_bytes_stack(&bytes, 9, 8, 10, 11, ETL_BYTES_FRAMES(1, 2));
	assert_cuts_of(&bytes, PERFINFO, ETL_STACK, 2, read_stack, 16);
	etl_bytes_stack_key(&bytes, 9, ETL_STACK_USER_KEY, 8, 10, 11, 12);
	assert_cuts_of(&bytes, PERFINFO, ETL_STACK_USER_KEY, 2, read_stack, 24);
	etl_bytes_key_stack(&bytes, 9, ETL_STACK_DELETED, 12, ETL_BYTES_FRAMES(1, 2));
	assert_cuts_of(&bytes, PERFINFO, ETL_STACK_DELETED, 2, read_stack, 8);
}

static void test_each_event_of_others_cut_at_each_byte(void **state)
{
	struct etl_bytes bytes = {};
	etl_bytes_image_pdb(&bytes, 1, 10, 1, "11223344-5566-7788-99aa-bbccddeeff00", 1, "a.pdb");
	assert_cuts_of(&bytes, FULL, ETL_IMAGE_ID_RSDS, 2, read_image_id, 32);
	etl_bytes_volume(&bytes, 1, "\\Device\\D2\\", "C:\\");
	assert_cuts_of(&bytes, FULL, ETL_CONFIG_EX_VOLUME, 2, read_volume, 2);
	etl_bytes_method(&bytes, 1, 10, 1, 2, "a", "b", "c");
	assert_cuts_of(&bytes, MANIFEST, 0, 1, read_method, 36);
}

int etl_payload_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_of_windows),
		cmocka_unit_test(test_names_and_intervals_of_windows),
		cmocka_unit_test(test_switches_of_windows),
		cmocka_unit_test(test_threads_of_windows),
		cmocka_unit_test(test_each_payload_of_windows_cut_at_each_byte),
		cmocka_unit_test(test_each_event_of_the_kernel_cut_at_each_byte),
		cmocka_unit_test(test_each_event_of_others_cut_at_each_byte),
	};
	return cmocka_run_group_tests_name("etl_payload", tests, NULL, NULL);
}
