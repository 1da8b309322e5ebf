// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/perf_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_error.h"
#include "base/container/array.h"
#include "record/perf_data/perf_abi.h"
#include "record_bytes.h"

// Fields that we pass over.
#define WEIGHT    (UINT64_C(1) << 14)
#define REGS_INTR (UINT64_C(1) << 18)

static struct perf_formats one_format(const struct perf_format *format)
{
	return (struct perf_formats){.events = format, .num_events = 1};
}

static struct record decode(const struct perf_format *format, struct record_bytes *bytes)
{
	struct perf_formats formats = one_format(format);
	size_t size = end_record(bytes);
	struct record record = {};
	assert_no_error(perf_format_decode(&formats, bytes->words, size, &record));
	assert_ptr_equal(record.raw, bytes->words);
	assert_int_equal(record.raw_size, size);
	return record;
}

static void assert_too_short(const struct perf_format *format, const struct record_bytes *bytes)
{
	struct perf_formats formats = one_format(format);
	struct record record;
	size_t size = bytes->words[0] >> 48;
	_cleanup_(error_destroyp) struct error *err =
		perf_format_decode(&formats, bytes->words, size, &record);
	assert_non_null(err);
	assert_non_null(strstr(err->message, "too short for its fields"));
}

static const struct perf_format full_format = {
	.sample_type = PERF_ABI_IDENTIFIER | PERF_ABI_IP | PERF_ABI_TID | PERF_ABI_TIME |
		       PERF_ABI_ADDR | PERF_ABI_ID | PERF_ABI_STREAM_ID | PERF_ABI_CPU |
		       PERF_ABI_PERIOD | PERF_ABI_READ | PERF_ABI_CALLCHAIN | PERF_ABI_RAW |
		       PERF_ABI_BRANCH_STACK | PERF_ABI_REGS_USER | PERF_ABI_STACK_USER | WEIGHT |
		       REGS_INTR,
	.read_format = PERF_ABI_READ_ENABLED | PERF_ABI_READ_RUNNING | PERF_ABI_READ_ID |
		       PERF_ABI_READ_GROUP | PERF_ABI_READ_LOST,
	.branch_sample_type = PERF_ABI_BRANCH_HW_INDEX | PERF_ABI_BRANCH_COUNTERS,
	.regs_user = 0x8000000000000101,
	.sample_id_all = true,
};

static void put_full_sample(struct record_bytes *bytes)
{
	begin_record(bytes, PERF_ABI_SAMPLE, RECORD_MODE_USER);
	put(bytes, 7);        // identifier
	put(bytes, 0x401000); // ip
	put_halves(bytes, 10, 11);
	put(bytes, 123456789); // time
	put(bytes, 0xadd5);    // address
	put(bytes, 7);         // id
	put(bytes, 8);         // stream
	put_halves(bytes, 3, 0);
	put(bytes, 250000); // period
	put(bytes, 2);      // read: two values, two times
	for (int i = 0; i < 2 + 2 * 3; i++)
		put(bytes, 99);
	put(bytes, 3); // chain
	put(bytes, RECORD_CONTEXT_USER);
	put(bytes, 0x401000);
	put(bytes, 0x402000);
	put_halves(bytes, 12, 0x72617721); // raw: 12 bytes from the second half on
	put(bytes, 0);
	put(bytes, 2);          // branches
	put(bytes, UINT64_MAX); // hardware index
	for (uint64_t i = 1; i <= 6; i++)
		put(bytes, i);
	put(bytes, 0); // a counter for each
	put(bytes, 0);
	put(bytes, 2); // registers of 64 bits
	put(bytes, 0xa);
	put(bytes, 0xb);
	put(bytes, 0xc);
	put(bytes, 16); // stack: room, bytes, used
	put(bytes, 0x1111111111111111);
	put(bytes, 0x2222222222222222);
	put(bytes, 9);
	put(bytes, 5); // weight
	put(bytes, 0); // registers at the interrupt
}

static void test_all_fields_of_a_sample(void **state)
{
	struct record_bytes bytes;
	put_full_sample(&bytes);
	struct record record = decode(&full_format, &bytes);
	assert_int_equal(record.kind, RECORD_SAMPLE);
	assert_int_equal(record.mode, RECORD_MODE_USER);
	assert_int_equal(record.pid, 10);
	assert_int_equal(record.tid, 11);
	assert_int_equal(record.time_ns, 123456789);
	assert_int_equal(record.cpu, 3);
	assert_int_equal(record.event, 0);
	assert_int_equal(record.sample.ip, 0x401000);
	assert_int_equal(record.sample.period, 250000);
	assert_int_equal(record.sample.address, 0xadd5);
	assert_int_equal(record.sample.chain_length, 3);
	assert_int_equal(record.sample.chain[0], RECORD_CONTEXT_USER);
	assert_int_equal(record.sample.chain[2], 0x402000);
	assert_int_equal(record.sample.num_branches, 2);
	assert_int_equal(record.sample.branches[0].to, 2);
	assert_int_equal(record.sample.branches[1].flags, 6);
	assert_int_equal(record.sample.regs_abi, 2);
	assert_int_equal(record.sample.regs_mask, 0x8000000000000101);
	assert_int_equal(record.sample.regs[2], 0xc);
	assert_int_equal(record.sample.stack_size, 9);
	assert_int_equal(record.sample.stack[8], 0x22);
}

// Behind the CPU; a kernel has 0 there.
static void test_the_state_of_the_gil(void **state)
{
	static const struct perf_format format = {.sample_type = PERF_ABI_CPU};
	static const uint32_t written[] = {0, GIL_HELD, GIL_WAITED, GIL_NUM_STATES, UINT32_MAX};
	static const enum gil_state expected[] = {GIL_UNKNOWN, GIL_HELD, GIL_WAITED, GIL_UNKNOWN,
						  GIL_UNKNOWN};
	for (size_t i = 0; i < ARRAY_SIZE(written); i++) {
		struct record_bytes bytes;
		begin_record(&bytes, PERF_ABI_SAMPLE, RECORD_MODE_USER);
		put_halves(&bytes, 3, written[i]);
		struct record record = decode(&format, &bytes);
		assert_int_equal(record.cpu, 3);
		assert_int_equal(record.sample.gil, expected[i]);
	}
}

// Whatever a sample ends behind, all of its fields but the last two are needed.
static void test_a_sample_that_ends_too_early(void **state)
{
	struct record_bytes bytes;
	put_full_sample(&bytes);
	size_t whole = end_record(&bytes);
	for (size_t size = 8; size < whole - 16; size += 8) {
		bytes.words[0] = (bytes.words[0] << 16 >> 16) | (uint64_t)size << 48;
		assert_too_short(&full_format, &bytes);
	}
}

static void test_counts_that_are_absurd(void **state)
{
	static const struct {
		uint64_t sample_type, count;
	} cases[] = {
		{PERF_ABI_CALLCHAIN, UINT64_MAX},
		{PERF_ABI_CALLCHAIN, UINT64_MAX / 8 + 2},
		{PERF_ABI_BRANCH_STACK, UINT64_MAX / 24 + 1},
		{PERF_ABI_BRANCH_STACK, UINT64_MAX},
		{PERF_ABI_STACK_USER, UINT64_MAX},
		{PERF_ABI_STACK_USER, 12},
		{PERF_ABI_RAW, UINT32_MAX},
		{PERF_ABI_READ, UINT64_MAX / 2 + 1},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct perf_format format = {.sample_type = cases[i].sample_type,
					     .read_format = PERF_ABI_READ_GROUP | PERF_ABI_READ_ID};
		struct record_bytes bytes;
		begin_record(&bytes, PERF_ABI_SAMPLE, 0);
		put(&bytes, cases[i].count);
		put(&bytes, 0);
		put(&bytes, 0);
		end_record(&bytes);
		assert_too_short(&format, &bytes);
	}
}

static void test_more_stack_used_than_there_is_room(void **state)
{
	struct perf_format format = {.sample_type = PERF_ABI_STACK_USER};
	struct record_bytes bytes;
	begin_record(&bytes, PERF_ABI_SAMPLE, 0);
	put(&bytes, 8);
	put(&bytes, 0);
	put(&bytes, 9);
	end_record(&bytes);
	assert_too_short(&format, &bytes);
}

static void test_a_sample_without_what_was_asked_for(void **state)
{
	struct perf_format format = {
		.sample_type = PERF_ABI_CALLCHAIN | PERF_ABI_BRANCH_STACK | PERF_ABI_REGS_USER |
			       PERF_ABI_STACK_USER,
		.regs_user = 0xff,
	};
	struct record_bytes bytes;
	begin_record(&bytes, PERF_ABI_SAMPLE, RECORD_MODE_KERNEL);
	for (int i = 0; i < 4; i++)
		put(&bytes, 0); // no chain, branches, registers, stack
	struct record record = decode(&format, &bytes);
	assert_int_equal(record.mode, RECORD_MODE_KERNEL);
	assert_int_equal(record.cpu, UINT32_MAX);
	assert_null(record.sample.chain);
	assert_null(record.sample.branches);
	assert_int_equal(record.sample.regs_abi, 0);
	assert_null(record.sample.stack);
}

static const struct perf_format trailer_format = {
	.sample_type = PERF_ABI_TID | PERF_ABI_TIME | PERF_ABI_ID | PERF_ABI_STREAM_ID |
		       PERF_ABI_CPU | PERF_ABI_IDENTIFIER | PERF_ABI_CALLCHAIN,
	.sample_id_all = true,
};

static void put_trailer(struct record_bytes *bytes, uint64_t id)
{
	put_halves(bytes, 77, 78);
	put(bytes, 1000);
	put(bytes, id);
	put(bytes, 1);
	put_halves(bytes, 5, 0);
	put(bytes, id);
}

static void test_maps(void **state)
{
	struct record_bytes bytes;
	begin_record(&bytes, PERF_ABI_MMAP2, RECORD_MODE_USER);
	put_halves(&bytes, 20, 21);
	put(&bytes, 0x7000);
	put(&bytes, 0x2000);
	put(&bytes, 0x1000);
	put_halves(&bytes, 8, 1);
	put(&bytes, 4711);
	put(&bytes, 3);
	put_halves(&bytes, 5, 2);
	put_text(&bytes, "/usr/lib/libc.so.6");
	put_trailer(&bytes, 0);
	struct record record = decode(&trailer_format, &bytes);
	assert_int_equal(record.kind, RECORD_MAP);
	assert_int_equal(record.pid, 20);
	assert_int_equal(record.tid, 21);
	assert_int_equal(record.time_ns, 1000);
	assert_int_equal(record.cpu, 5);
	assert_int_equal(record.map.start, 0x7000);
	assert_int_equal(record.map.length, 0x2000);
	assert_int_equal(record.map.file_offset, 0x1000);
	assert_int_equal(record.map.major, 8);
	assert_int_equal(record.map.minor, 1);
	assert_int_equal(record.map.inode, 4711);
	assert_int_equal(record.map.inode_generation, 3);
	assert_int_equal(record.map.protection, 5);
	assert_true(record.map.is_executable);
	assert_int_equal(record.map.build_id.size, 0);
	assert_string_equal(record.map.path, "/usr/lib/libc.so.6");
}

static void put_map_with_build_id(struct record_bytes *bytes, uint8_t size)
{
	begin_record(bytes, PERF_ABI_MMAP2, RECORD_MODE_USER | PERF_ABI_MISC_MMAP_BUILD_ID);
	put_halves(bytes, 20, 20);
	put(bytes, 0x7000);
	put(bytes, 0x2000);
	put(bytes, 0);
	put_halves(bytes, size, 0x04030201);
	put(bytes, 0x0c0b0a0908070605);
	put(bytes, 0x14131211100f0e0d);
	put_halves(bytes, 1, 2);
	put_text(bytes, "x");
	put_trailer(bytes, 0);
	end_record(bytes);
}

static void test_a_map_with_build_id(void **state)
{
	struct record_bytes bytes;
	put_map_with_build_id(&bytes, 20);
	struct record record = decode(&trailer_format, &bytes);
	assert_int_equal(record.map.build_id.size, 20);
	for (int i = 0; i < 20; i++)
		assert_int_equal(record.map.build_id.bytes[i], i + 1);
	assert_int_equal(record.map.inode, 0);
	assert_false(record.map.is_executable);
	put_map_with_build_id(&bytes, 21);
	assert_too_short(&trailer_format, &bytes);
}

static void test_old_maps_say_what_is_data(void **state)
{
	static const uint16_t misc[] = {0, PERF_ABI_MISC_MMAP_DATA};
	for (size_t i = 0; i < ARRAY_SIZE(misc); i++) {
		struct record_bytes bytes;
		begin_record(&bytes, PERF_ABI_MMAP, misc[i]);
		put_halves(&bytes, 1, 2);
		put(&bytes, 3);
		put(&bytes, 4);
		put(&bytes, 5);
		put_text(&bytes, "//anon");
		struct record record = decode(&(struct perf_format){}, &bytes);
		assert_int_equal(record.kind, RECORD_MAP);
		assert_int_equal(record.map.file_offset, 5);
		assert_int_equal(record.map.is_executable, i == 0);
		assert_string_equal(record.map.path, "//anon");
	}
}

static void test_a_name_without_an_end(void **state)
{
	struct record_bytes bytes;
	begin_record(&bytes, PERF_ABI_COMM, 0);
	put_halves(&bytes, 1, 2);
	put(&bytes, 0x6161616161616161);
	put_trailer(&bytes, 0);
	end_record(&bytes);
	assert_too_short(&trailer_format, &bytes);
}

static void test_threads_come_and_go(void **state)
{
	struct record_bytes bytes;
	begin_record(&bytes, PERF_ABI_COMM, PERF_ABI_MISC_COMM_EXEC);
	put_halves(&bytes, 30, 31);
	put_text(&bytes, "worker");
	put_trailer(&bytes, 0);
	struct record record = decode(&trailer_format, &bytes);
	assert_int_equal(record.kind, RECORD_COMM);
	assert_int_equal(record.tid, 31);
	assert_string_equal(record.comm.name, "worker");
	assert_true(record.comm.is_exec);

	static const uint32_t types[] = {PERF_ABI_FORK, PERF_ABI_EXIT};
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		begin_record(&bytes, types[i], 0);
		put_halves(&bytes, 40, 41);
		put_halves(&bytes, 42, 43);
		put(&bytes, 555);
		record = decode(&(struct perf_format){}, &bytes);
		assert_int_equal(record.kind, i == 0 ? RECORD_FORK : RECORD_EXIT);
		assert_int_equal(record.pid, 40);
		assert_int_equal(record.task.parent_pid, 41);
		assert_int_equal(record.tid, 42);
		assert_int_equal(record.task.parent_tid, 43);
		assert_int_equal(record.time_ns, 555);
	}
}

static void test_what_was_lost_and_throttled(void **state)
{
	struct record_bytes bytes;
	begin_record(&bytes, PERF_ABI_LOST, 0);
	put(&bytes, 1);
	put(&bytes, 9000);
	put_trailer(&bytes, 0);
	struct record record = decode(&trailer_format, &bytes);
	assert_int_equal(record.kind, RECORD_LOST);
	assert_int_equal(record.num_lost, 9000);
	assert_int_equal(record.pid, 77);
	begin_record(&bytes, PERF_ABI_LOST_SAMPLES, 0);
	put(&bytes, 12);
	put_trailer(&bytes, 0);
	record = decode(&trailer_format, &bytes);
	assert_int_equal(record.kind, RECORD_LOST);
	assert_int_equal(record.num_lost, 12);
	begin_record(&bytes, PERF_ABI_THROTTLE, 0);
	put(&bytes, 4);
	put(&bytes, 1);
	put(&bytes, 1);
	put_trailer(&bytes, 0);
	record = decode(&trailer_format, &bytes);
	assert_int_equal(record.kind, RECORD_THROTTLE);
	assert_true(record.is_throttled);
	assert_int_equal(record.time_ns, 1000);
	bytes.words[0]++; // the next type: it goes on again
	record = decode(&trailer_format, &bytes);
	assert_int_equal(record.kind, RECORD_THROTTLE);
	assert_false(record.is_throttled);
}

static void test_threads_leave_and_come_back(void **state)
{
	struct record_bytes bytes;
	begin_record(&bytes, PERF_ABI_SWITCH, PERF_ABI_MISC_SWITCH_OUT);
	put_trailer(&bytes, 0);
	struct record record = decode(&trailer_format, &bytes);
	assert_int_equal(record.kind, RECORD_SWITCH);
	assert_true(record.change.is_out);
	assert_false(record.change.is_preempted);
	assert_int_equal(record.pid, 77);
	begin_record(&bytes, PERF_ABI_SWITCH_CPU_WIDE,
		     PERF_ABI_MISC_SWITCH_OUT | PERF_ABI_MISC_SWITCH_OUT_PREEMPT);
	put(&bytes, 5); // who comes
	put_trailer(&bytes, 0);
	record = decode(&trailer_format, &bytes);
	assert_true(record.change.is_preempted);
	assert_int_equal(record.pid, 77);
	begin_record(&bytes, PERF_ABI_SWITCH, PERF_ABI_MISC_SWITCH_OUT_PREEMPT);
	put_trailer(&bytes, 0);
	record = decode(&trailer_format, &bytes);
	assert_false(record.change.is_out);
	assert_false(record.change.is_preempted);
}

static void test_others_pass(void **state)
{
	struct record_bytes bytes;
	begin_record(&bytes, 12, 0); // of an instruction trace: nothing but the trailer
	put_trailer(&bytes, 0);
	struct record record = decode(&trailer_format, &bytes);
	assert_int_equal(record.kind, RECORD_OTHER);
	assert_int_equal(record.time_ns, 1000);
	begin_record(&bytes, PERF_ABI_FINISHED_ROUND, 0);
	record = decode(&trailer_format, &bytes);
	assert_int_equal(record.kind, RECORD_OTHER);
	begin_record(&bytes, 0x80001234, 0);
	put(&bytes, 1);
	record = decode(&trailer_format, &bytes);
	assert_int_equal(record.kind, RECORD_OTHER);
}

// Two events; the id is the identifier, or the id where there is none.
static void test_events_are_told_apart_by_id(void **state)
{
	static const struct perf_format_id ids[] = {{10, 0}, {11, 1}, {12, 0}, {13, 1}, {14, 2}};
	static const uint64_t sample_types[] = {
		PERF_ABI_IDENTIFIER | PERF_ABI_IP | PERF_ABI_TIME | PERF_ABI_CPU,
		PERF_ABI_IP | PERF_ABI_TIME | PERF_ABI_ID | PERF_ABI_STREAM_ID | PERF_ABI_CPU,
	};
	for (size_t i = 0; i < ARRAY_SIZE(sample_types); i++) {
		const struct perf_format events[] = {
			{.sample_type = sample_types[i], .sample_id_all = true},
			{.sample_type = sample_types[i] | PERF_ABI_CALLCHAIN,
			 .sample_id_all = true},
		};
		struct perf_formats formats = {events, 2, ids, ARRAY_SIZE(ids)};
		bool is_identifier = sample_types[i] & PERF_ABI_IDENTIFIER;
		for (uint64_t id = 9; id <= 15; id++) {
			struct record_bytes bytes;
			begin_record(&bytes, PERF_ABI_SAMPLE, 0);
			put(&bytes, is_identifier ? id : 100);
			put(&bytes, is_identifier ? 100 : 1);
			put(&bytes, is_identifier ? 1 : id);
			put(&bytes, 0);
			put(&bytes, 0);
			put(&bytes, 0);
			size_t size = end_record(&bytes);
			struct record record;
			struct error *err =
				perf_format_decode(&formats, bytes.words, size, &record);
			// 14 is of an event that there is not.
			if (id < 10 || id > 13) {
				assert_error(err, ERROR_FAILED, "a sample of an unknown event");
				continue;
			}
			assert_no_error(err);
			assert_int_equal(record.event, id % 2);
			assert_int_equal(record.sample.ip, 100);

			begin_record(&bytes, PERF_ABI_LOST_SAMPLES, 0);
			put(&bytes, 1);
			put(&bytes, 2); // time
			if (is_identifier) {
				put(&bytes, 0);
			} else {
				put(&bytes, id);
				put(&bytes, 0);
				put(&bytes, 0);
			}
			if (is_identifier)
				put(&bytes, id);
			size = end_record(&bytes);
			assert_no_error(perf_format_decode(&formats, bytes.words, size, &record));
			assert_int_equal(record.event, id % 2);
			assert_int_equal(record.time_ns, 2);
		}
	}
}

static void test_a_sample_without_events(void **state)
{
	struct record_bytes bytes;
	begin_record(&bytes, PERF_ABI_SAMPLE, 0);
	size_t size = end_record(&bytes);
	struct record record;
	assert_error(perf_format_decode(&(struct perf_formats){}, bytes.words, size, &record),
		     ERROR_FAILED, "a sample precedes its event");
}

static void test_sizes_that_lie(void **state)
{
	struct record_bytes bytes;
	begin_record(&bytes, PERF_ABI_LOST, 0);
	put(&bytes, 1);
	put(&bytes, 1);
	end_record(&bytes);
	struct perf_formats formats = one_format(&trailer_format);
	struct record record;
	assert_error(perf_format_decode(&formats, bytes.words, 7, &record), ERROR_FAILED,
		     "a record of 7 bytes");
	assert_error(perf_format_decode(&formats, bytes.words, 16, &record), ERROR_FAILED,
		     "a record of 16 bytes says that it has 24");
	assert_error(perf_format_decode(&formats, bytes.words, 24, &record), ERROR_FAILED,
		     "a record of type 2 and 24 bytes is too short for its fields");
}

static void test_the_time_alone(void **state)
{
	struct record_bytes bytes;
	struct perf_formats formats = one_format(&full_format);
	put_full_sample(&bytes);
	size_t size = end_record(&bytes);
	assert_int_equal(perf_format_time(&formats, bytes.words, size), 123456789);
	assert_int_equal(perf_format_time(&formats, bytes.words, 32), 0);
	assert_int_equal(perf_format_time(&(struct perf_formats){}, bytes.words, size), 0);
	formats = one_format(&trailer_format);
	begin_record(&bytes, PERF_ABI_COMM, 0);
	put_halves(&bytes, 1, 2);
	put_text(&bytes, "a");
	put_trailer(&bytes, 0);
	size = end_record(&bytes);
	assert_int_equal(perf_format_time(&formats, bytes.words, size), 1000);
	assert_int_equal(perf_format_time(&formats, bytes.words, 8), 0);
	struct perf_format untimed = {.sample_type = PERF_ABI_TID, .sample_id_all = true};
	formats = one_format(&untimed);
	assert_int_equal(perf_format_time(&formats, bytes.words, size), 0);
}

int perf_format_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_fields_of_a_sample),
		cmocka_unit_test(test_the_state_of_the_gil),
		cmocka_unit_test(test_a_sample_that_ends_too_early),
		cmocka_unit_test(test_counts_that_are_absurd),
		cmocka_unit_test(test_more_stack_used_than_there_is_room),
		cmocka_unit_test(test_a_sample_without_what_was_asked_for),
		cmocka_unit_test(test_maps),
		cmocka_unit_test(test_a_map_with_build_id),
		cmocka_unit_test(test_old_maps_say_what_is_data),
		cmocka_unit_test(test_a_name_without_an_end),
		cmocka_unit_test(test_threads_come_and_go),
		cmocka_unit_test(test_what_was_lost_and_throttled),
		cmocka_unit_test(test_threads_leave_and_come_back),
		cmocka_unit_test(test_others_pass),
		cmocka_unit_test(test_events_are_told_apart_by_id),
		cmocka_unit_test(test_a_sample_without_events),
		cmocka_unit_test(test_sizes_that_lie),
		cmocka_unit_test(test_the_time_alone),
	};
	return cmocka_run_group_tests_name("perf_format", tests, NULL, NULL);
}
