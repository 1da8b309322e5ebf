// SPDX-License-Identifier: Apache-2.0

#include "record/etl/file/etl_stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_error.h"
#include "etl_bytes.h"
#include "etl_packing.h"
#include "scratch_folder.h"

enum { PERFINFO = ETL_CLASS_PERFINFO, SAMPLE = 46, START = 1000 };

static void put_sample(struct etl_bytes *file, uint64_t ticks, uint32_t tid)
{
	etl_bytes_begin_perfinfo(file, PERFINFO, SAMPLE, 2, ticks, NULL, 0);
	etl_bytes_pointer(file, UINT64_C(0xfffff80012345678));
	etl_bytes_u32(file, tid);
	etl_bytes_u32(file, 1);
	etl_bytes_end_event(file);
}

static void put_buffer(struct etl_bytes *file, uint16_t cpu, uint64_t sequence,
		       const uint64_t *ticks, size_t count)
{
	etl_bytes_begin_buffer(file, cpu, sequence);
	for (size_t i = 0; i < count; i++)
		put_sample(file, ticks[i], cpu * 1000u + (uint32_t)i);
	etl_bytes_end_buffer(file);
}

static struct etl_stream *open_bytes(const struct etl_bytes *file)
{
	struct etl_stream *stream = NULL;
	assert_no_error(etl_stream_open_memory("test.etl", file->data, file->size, &stream));
	return stream;
}

// The header event, and then samples at these ticks.
static void assert_ticks(struct etl_stream *stream, const uint64_t *ticks, size_t count)
{
	struct etl_event event;
	bool more;
	for (size_t i = 0; i < count; i++) {
		assert_no_error(etl_stream_next(stream, &event, &more));
		assert_true(more);
		assert_int_equal(event.time_ns, ticks[i] * 100);
	}
	assert_no_error(etl_stream_next(stream, &event, &more));
	assert_false(more);
}

// Buffers of a CPU are in any order in a circular file.
static void test_cpus_are_merged_by_time(void **state)
{
	static const uint64_t first[] = {2000, 5000}, second[] = {6000, 9000},
			      other[] = {3000, 7000};
	static const uint64_t all[] = {START, 2000, 3000, 5000, 6000, 7000, 9000};
	_cleanup_(etl_bytes_deinit) struct etl_bytes file = {};
	etl_bytes_first_buffer(&file, &(struct etl_bytes_log){.start_ticks = START});
	put_buffer(&file, 2, 3, second, 2);
	put_buffer(&file, 300, 2, other, 2);
	put_buffer(&file, 2, 1, first, 2);
	_cleanup_(etl_stream_destroyp) struct etl_stream *stream = open_bytes(&file);
	assert_ticks(stream, all, 7);
	assert_no_error(etl_stream_restart(stream));
	assert_ticks(stream, all, 7);
}

static uint64_t num_events(struct etl_stream *stream)
{
	struct etl_event event;
	uint64_t count = 0;
	for (bool more = true; more;) {
		assert_no_error(etl_stream_next(stream, &event, &more));
		count += more;
	}
	return count;
}

static struct etl_event next_event(struct etl_stream *stream)
{
	struct etl_event event;
	bool more;
	assert_no_error(etl_stream_next(stream, &event, &more));
	assert_true(more);
	return event;
}

static void put_all_headers(struct etl_bytes *file)
{
	static const uint64_t counters[] = {3896, 9400};
	static const char thread_guid[] = "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c";
	static const char clr_guid[] = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4";
	etl_bytes_begin_buffer(file, 1, 1);
	etl_bytes_begin_system(file, ETL_CLASS_PROCESS, 3, 4, 11, 12, 2000);
	etl_bytes_text(file, "abc");
	etl_bytes_end_event(file);
	etl_bytes_begin_compact(file, ETL_CLASS_THREAD, 1, 3, 21, 22, 2001);
	etl_bytes_end_event(file);
	etl_bytes_begin_perfinfo(file, ETL_CLASS_THREAD, 36, 4, 2002, counters, 2);
	etl_bytes_u32(file, 77);
	etl_bytes_end_event(file);
	etl_bytes_begin_full(file, thread_guid, 50, 2, 31, 32, 2003);
	etl_bytes_end_event(file);
	etl_bytes_begin_sized_event(file, 15); // a message: passed over
	etl_bytes_zeros(file, 30);
	etl_bytes_end_event(file);
	etl_bytes_begin_event(file, &(struct etl_bytes_event){.guid = clr_guid,
							      .id = 143,
							      .version = 2,
							      .opcode = 37,
							      .pid = 41,
							      .tid = 42,
							      .ticks = 2004,
							      .has_items = true});
	etl_bytes_item(file, ETL_ITEM_COUNTERS, true, counters, 16);
	etl_bytes_item(file, ETL_ITEM_STACK_KEY_32, false, counters, 4);
	etl_bytes_u16(file, 5);
	etl_bytes_end_event(file);
	etl_bytes_end_buffer(file);
}

static void assert_event(const struct etl_event *event, uint32_t class, unsigned opcode,
			 unsigned version, uint32_t pid, uint32_t payload_size)
{
	assert_int_equal(event->class, class);
	assert_int_equal(event->opcode, opcode);
	assert_int_equal(event->version, version);
	assert_int_equal(event->pid, pid);
	assert_int_equal(event->tid, pid == ETL_NO_ID ? pid : pid + 1);
	assert_int_equal(event->payload_size, payload_size);
	assert_int_equal(event->cpu, 1);
}

static void assert_items(const struct etl_event *event)
{
	uint32_t offset = 0;
	struct etl_item item;
	assert_true(etl_event_next_item(event, &offset, &item));
	assert_int_equal(item.type, ETL_ITEM_COUNTERS);
	assert_int_equal(item.size, 16);
	assert_true(etl_event_next_item(event, &offset, &item));
	assert_int_equal(item.type, ETL_ITEM_STACK_KEY_32);
	assert_int_equal(item.size, 4);
	assert_false(etl_event_next_item(event, &offset, &item));
}

static void check_all_headers(bool is_32_bit)
{
	_cleanup_(etl_bytes_deinit) struct etl_bytes file = {.is_32_bit = is_32_bit};
	etl_bytes_first_buffer(&file, &(struct etl_bytes_log){.start_ticks = START});
	put_all_headers(&file);
	_cleanup_(etl_stream_destroyp) struct etl_stream *stream = open_bytes(&file);
	next_event(stream);
	struct etl_event event = next_event(stream);
	assert_event(&event, ETL_CLASS_PROCESS, 3, 4, 11, 4);
	assert_int_equal(event.pointer_size, is_32_bit ? 4 : 8);
	assert_string_equal((const char *)event.payload, "abc");
	event = next_event(stream);
	assert_event(&event, ETL_CLASS_THREAD, 1, 3, 21, 0);
	event = next_event(stream);
	assert_event(&event, ETL_CLASS_THREAD, 36, 4, ETL_NO_ID, 4);
	assert_int_equal(event.num_counters, 2);
	assert_int_equal(etl_event_counter(&event, 1), 9400);
	event = next_event(stream);
	assert_event(&event, ETL_CLASS_THREAD, 50, 2, 31, 0);
	event = next_event(stream);
	assert_event(&event, ETL_CLASS_CLR, 37, 2, 41, 2);
	assert_int_equal(event.id, 143);
	assert_int_equal(event.pointer_size, is_32_bit ? 4 : 8);
	assert_items(&event);
	assert_int_equal(num_events(stream), 0);
	assert_int_equal(etl_stream_damage(stream).bad_events, 0);
}

static void test_headers_of_all_kinds(void **state)
{
	check_all_headers(false);
	check_all_headers(true);
}

static void put_four_buffers(struct etl_bytes *file)
{
	static const uint64_t ticks[] = {2000, 3000};
	etl_bytes_first_buffer(file, &(struct etl_bytes_log){.start_ticks = START});
	for (uint16_t i = 0; i < 4; i++)
		put_buffer(file, i % 2, i + 1u, ticks, 2);
}

// Whatever is missing at the end, all buffers before it are read.
static void test_files_that_were_cut_off(void **state)
{
	enum { BUFFER = 4096, USED = 72 + 2 * 32 };
	_cleanup_(etl_bytes_deinit) struct etl_bytes file = {};
	put_four_buffers(&file);
	for (size_t size = BUFFER; size <= file.size; size++) {
		if (size % BUFFER > USED + 1 && size % BUFFER < BUFFER - 1)
			continue;
		struct etl_stream *stream = NULL;
		assert_no_error(etl_stream_open_memory("cut", file.data, size, &stream));
		size_t whole = size / BUFFER - 1 + (size % BUFFER >= USED);
		assert_int_equal(num_events(stream), 1 + 2 * whole);
		struct etl_stream_damage damage = etl_stream_damage(stream);
		assert_int_equal(damage.truncated_bytes, size % BUFFER < USED ? size % BUFFER : 0);
		assert_int_equal(damage.bad_buffers + damage.bad_events, 0);
		etl_stream_destroy(stream);
	}
}

static void test_damaged_buffers(void **state)
{
	enum { BUFFER = 4096 };
	_cleanup_(etl_bytes_deinit) struct etl_bytes file = {};
	put_four_buffers(&file);
	etl_bytes_set_u32(&file, BUFFER, UINT32_MAX);          // a size of 4 GiB
	etl_bytes_set_u32(&file, 2 * BUFFER + 72 + 32, 0);     // the type of its second event
	etl_bytes_set_u16(&file, 3 * BUFFER + 40, UINT16_MAX); // the last CPU of all
	etl_bytes_set_u16(&file, 4 * BUFFER + 52, 0x60);       // packed, and it is not
	_cleanup_(etl_stream_destroyp) struct etl_stream *stream = open_bytes(&file);
	assert_int_equal(num_events(stream), 1 + 1 + 2);
	assert_int_equal(etl_stream_damage(stream).bad_buffers, 2);
	assert_int_equal(etl_stream_damage(stream).bad_events, 1);
}

static void put_packed_buffer(struct etl_bytes *file, uint16_t cpu, const uint64_t *ticks,
			      size_t count)
{
	enum { AT_SIZE = 0, AT_FLAGS = 52, CPU_INDEX = 0x20, PACKED = 0x40 };
	_cleanup_(etl_bytes_deinit) struct etl_bytes plain = {};
	put_buffer(&plain, cpu, 1, ticks, count);
	uint8_t packed[4096];
	size_t used = ETL_BYTES_HEADER + count * 32;
	size_t size =
		etl_pack_xpress(plain.data + ETL_BYTES_HEADER, used - ETL_BYTES_HEADER, packed);
	etl_bytes_set_u32(&plain, AT_SIZE, (uint32_t)(ETL_BYTES_HEADER + size));
	etl_bytes_set_u16(&plain, AT_FLAGS, CPU_INDEX | PACKED);
	etl_bytes_append(file, plain.data, ETL_BYTES_HEADER);
	etl_bytes_append(file, packed, size);
}

// The state of the first buffer says how the others are packed, if the file's mode says that.
static void test_packed_buffers(void **state)
{
	enum { MODE_PACKED = 0x04000000, AT_USED = 4096 + 4 };
	static const uint64_t one[] = {2000, 4000}, other[] = {3000, 5000};
	static const uint64_t all[] = {START, 2000, 3000, 4000, 5000};
	_cleanup_(etl_bytes_deinit) struct etl_bytes file = {};
	etl_bytes_first_buffer(&file,
			       &(struct etl_bytes_log){.start_ticks = START, .mode = MODE_PACKED});
	put_packed_buffer(&file, 1, one, 2);
	put_packed_buffer(&file, 2, other, 2);
	struct etl_stream *stream = open_bytes(&file);
	assert_ticks(stream, all, 5);
	assert_int_equal(etl_stream_damage(stream).bad_buffers, 0);
	etl_stream_destroy(stream);
	etl_bytes_set_u32(&file, AT_USED, 16 << 20); // more than it has
	stream = open_bytes(&file);
	assert_int_equal(num_events(stream), 1 + 2);
	assert_int_equal(etl_stream_damage(stream).bad_buffers, 1);
	etl_stream_destroy(stream);
}

// Numbers of CPUs and sizes in the description of the file are only reported.
static void test_sizes_that_cannot_be(void **state)
{
	enum { BUFFER = 4096, AT_BUFFER_SIZE = 72 + 32 };
	_cleanup_(etl_bytes_deinit) struct etl_bytes file = {};
	static const uint64_t ticks[] = {2000};
	etl_bytes_first_buffer(&file, &(struct etl_bytes_log){.start_ticks = START,
							      .num_cpus = UINT32_MAX});
	for (uint64_t i = 1; i < 4; i++)
		put_buffer(&file, 0, i, ticks, 1);
	etl_bytes_set_u32(&file, AT_BUFFER_SIZE, UINT32_MAX);
	struct etl_stream *stream = open_bytes(&file);
	assert_int_equal(num_events(stream), 1 + 3);
	etl_stream_destroy(stream);
	// Where the next buffer is, nobody knows now.
	static const uint32_t sizes[] = {1, 71, (16 << 20) + 1, UINT32_MAX};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		etl_bytes_set_u32(&file, 2 * BUFFER, sizes[i]);
		stream = open_bytes(&file);
		assert_int_equal(num_events(stream), 1 + 1);
		assert_int_equal(etl_stream_damage(stream).truncated_bytes, 2 * BUFFER);
		etl_stream_destroy(stream);
	}
}

// Bit 15 of the version: an index of Intel's PEBS, before the counters.
static void test_counters_behind_another_number(void **state)
{
	_cleanup_(etl_bytes_deinit) struct etl_bytes file = {};
	etl_bytes_first_buffer(&file, &(struct etl_bytes_log){.start_ticks = START});
	etl_bytes_begin_buffer(&file, 1, 1);
	etl_bytes_begin_kernel_event(&file, 0x8102, 16, PERFINFO, SAMPLE);
	etl_bytes_u64(&file, 2000);
	etl_bytes_u64(&file, 5); // the index
	etl_bytes_u64(&file, 77);
	etl_bytes_u32(&file, 1);
	etl_bytes_end_event(&file);
	etl_bytes_end_buffer(&file);
	_cleanup_(etl_stream_destroyp) struct etl_stream *stream = open_bytes(&file);
	next_event(stream);
	struct etl_event event = next_event(stream);
	assert_event(&event, PERFINFO, SAMPLE, 2, ETL_NO_ID, 4);
	assert_int_equal(event.num_counters, 1);
	assert_int_equal(etl_event_counter(&event, 0), 77);
}

static void test_other_files_are_refused(void **state)
{
	_cleanup_(etl_bytes_deinit) struct etl_bytes file = {};
	put_four_buffers(&file);
	assert_true(etl_stream_is(file.data, ETL_STREAM_HEAD));
	assert_false(etl_stream_is((const uint8_t *)"PERFILE2", 8));
	struct etl_stream *stream = NULL;
	assert_error(etl_stream_open_memory("a", file.data, 40, &stream), ERROR_FAILED,
		     "'a' is not an ETW file");
	assert_error(etl_stream_open_memory("a", file.data, 100, &stream), ERROR_FAILED,
		     "the first buffer of 'a' is damaged or cut off");
}

static void test_clocks(void **state)
{
	static const struct {
		uint32_t clock;
		uint64_t hz, ticks, ns;
	} rows[] = {
		{1, 24000000, 24000000 + 24, 1000001000},
		{1, 10000000, 10000000 + 1, 1000000100},
		{2, 10000000, 10, 1000},
		{3, 10000000, 3000, 1000}, // of 3 GHz
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		_cleanup_(etl_bytes_deinit) struct etl_bytes file = {};
		etl_bytes_first_buffer(&file, &(struct etl_bytes_log){
						      .clock = rows[i].clock,
						      .frequency_hz = rows[i].hz,
					      });
		put_buffer(&file, 0, 1, &rows[i].ticks, 1);
		_cleanup_(etl_stream_destroyp) struct etl_stream *stream = open_bytes(&file);
		assert_int_equal(next_event(stream).time_ns, 0);
		assert_int_equal(next_event(stream).time_ns, rows[i].ns);
	}
}

static void append(const char *path, const uint8_t *bytes, size_t size)
{
	FILE *stream = file_path_open(path, "a");
	assert_non_null(stream);
	assert_int_equal(fwrite(bytes, 1, size, stream), size);
	assert_int_equal(fclose(stream), 0);
}

// In pieces of which none is a whole buffer.
static void test_a_growing_file(void **state)
{
	enum { PIECE = 1000 };
	_cleanup_(etl_bytes_deinit) struct etl_bytes file = {};
	put_four_buffers(&file);
	scratch_folder_write("a.etl", "");
	struct etl_stream *stream = NULL;
	assert_error(etl_stream_open_growing("a.etl", &stream), ERROR_ABSENT,
		     "nothing was written to 'a.etl' yet");
	uint64_t count = 0;
	for (size_t at = 0; at < file.size; at += PIECE) {
		append("a.etl", file.data + at, file.size - at < PIECE ? file.size - at : PIECE);
		if (!stream)
			assert_no_error(etl_stream_open_growing("a.etl", &stream));
		assert_no_error(etl_stream_grow(stream));
		count += num_events(stream);
	}
	assert_int_equal(count, 1 + 4 * 2);
	assert_no_error(etl_stream_restart(stream));
	assert_int_equal(num_events(stream), count);
	etl_stream_destroy(stream);
}

static void write_session(const char *path, uint64_t start_ticks, uint64_t end_ticks,
			  uint64_t start_date, uint64_t ticks)
{
	_cleanup_(etl_bytes_deinit) struct etl_bytes file = {};
	etl_bytes_first_buffer(&file, &(struct etl_bytes_log){
					      .start_ticks = start_ticks,
					      .end_ticks = end_ticks,
					      .start_date = start_date,
				      });
	put_buffer(&file, 0, 1, &ticks, 1);
	append(path, file.data, file.size);
}

static void test_files_of_other_sessions_beside_it(void **state)
{
	static const uint64_t all[] = {1000, 1100, 2000, 2100};
	const uint64_t date = UINT64_C(132404548206236167), hour = UINT64_C(36000000000);
	write_session("a.etl", 1000, 9000, date, 2000);
	write_session("a.kernel.etl", 1100, 9000, date + 100, 2100);
	write_session("a.old.etl", 1100, 9000, date - hour, 2100);
	write_session("ab.kernel.etl", 1100, 9000, date + 100, 2100);
	scratch_folder_write("a.text.etl", "hello");
	_cleanup_(etl_stream_destroyp) struct etl_stream *stream = NULL;
	assert_no_error(etl_stream_open("a.etl", true, &stream));
	assert_int_equal(etl_stream_facts(stream)->num_files, 2);
	assert_int_equal(etl_stream_facts(stream)->start_ns, 100000);
	assert_int_equal(etl_stream_facts(stream)->end_ns, 900000);
	assert_true(etl_stream_is_own(stream));
	assert_ticks(stream, all, 4);
	struct etl_stream_position position = etl_stream_position(stream);
	assert_int_equal(position.done, position.whole);
}

int etl_stream_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpus_are_merged_by_time),
		cmocka_unit_test(test_headers_of_all_kinds),
		cmocka_unit_test(test_files_that_were_cut_off),
		cmocka_unit_test(test_damaged_buffers),
		cmocka_unit_test(test_packed_buffers),
		cmocka_unit_test(test_sizes_that_cannot_be),
		cmocka_unit_test(test_counters_behind_another_number),
		cmocka_unit_test(test_other_files_are_refused),
		cmocka_unit_test(test_clocks),
		cmocka_unit_test_setup_teardown(test_a_growing_file, scratch_folder_enter,
						scratch_folder_leave),
		cmocka_unit_test_setup_teardown(test_files_of_other_sessions_beside_it,
						scratch_folder_enter, scratch_folder_leave),
	};
	return cmocka_run_group_tests_name("etl_stream", tests, NULL, NULL);
}
