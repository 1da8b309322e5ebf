// SPDX-License-Identifier: Apache-2.0

#include "record/etl/etl_follow.h"

#include "base/file/file_map.h"
#include "base/file/file_path.h"
#include "record/etl/file/zip_archive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_error.h"
#include "etl_bytes.h"
#include "scratch_folder.h"
#include "shared_data.h"

static const char path[] = "growing.etl";

enum {
	THREAD = ETL_CLASS_THREAD,
	PERFINFO = ETL_CLASS_PERFINFO,
	STACK_CLASS = ETL_CLASS_STACK,
	SAMPLE = 46,
	STACK = 32,
	THERE_AT_START = 3,
	SWITCH = 36,
	START = 1000,
	MS = 10000, // ticks
	NS_PER_TICK = 100,
	PID = 500,
};

static const uint64_t kernel_ip = UINT64_C(0xfffff80012345678);
static const uint64_t user_ip = UINT64_C(0x7ff612345678);

static void put_sample(struct etl_bytes *file, uint64_t ticks, uint64_t ip, uint32_t tid)
{
	etl_bytes_begin_perfinfo(file, PERFINFO, SAMPLE, 2, ticks, NULL, 0);
	etl_bytes_pointer(file, ip);
	etl_bytes_u32(file, tid);
	etl_bytes_u32(file, 1);
	etl_bytes_end_event(file);
}

static void put_stack(struct etl_bytes *file, uint64_t ticks, uint64_t of_ticks, uint32_t tid,
		      uint64_t first, size_t length)
{
	etl_bytes_begin_perfinfo(file, STACK_CLASS, STACK, 2, ticks, NULL, 0);
	etl_bytes_u64(file, of_ticks);
	etl_bytes_u32(file, PID);
	etl_bytes_u32(file, tid);
	for (size_t i = 0; i < length; i++)
		etl_bytes_pointer(file, first + i);
	etl_bytes_end_event(file);
}

static void put_thread(struct etl_bytes *file, uint64_t ticks, uint32_t tid)
{
	etl_bytes_begin_system(file, THREAD, THERE_AT_START, 3, PID, tid, ticks);
	etl_bytes_u32(file, PID);
	etl_bytes_u32(file, tid);
	etl_bytes_zeros(file, 7 * sizeof(uint64_t) + 8);
	etl_bytes_end_event(file);
}

static void put_switch(struct etl_bytes *file, uint64_t ticks, uint32_t old_tid, uint32_t new_tid,
		       uint64_t counter)
{
	etl_bytes_begin_perfinfo(file, THREAD, SWITCH, 4, ticks, &counter, 1);
	etl_bytes_u32(file, new_tid);
	etl_bytes_u32(file, old_tid);
	etl_bytes_zeros(file, 16);
	etl_bytes_end_event(file);
}

static void append_bytes(const void *bytes, size_t size)
{
	FILE *stream = file_path_open(path, "ab");
	assert_non_null(stream);
	assert_int_equal(fwrite(bytes, 1, size, stream), size);
	fclose(stream);
}

/** What a record was; strings and addresses do not stay. */
struct seen {
	struct record record;
	uint64_t chain[400];
};

struct seen_list {
	struct seen *items;
	size_t num, capacity;
};

static void seen_list_deinit(struct seen_list *list)
{
	free(list->items);
}

static void seen_list_add(struct seen_list *list, const struct record *record)
{
	if (record->kind != RECORD_SAMPLE)
		return;
	if (list->num == list->capacity) {
		list->capacity = 2 * list->capacity + 16;
		list->items = realloc(list->items, list->capacity * sizeof(*list->items));
		assert_non_null(list->items);
	}
	struct seen *seen = &list->items[list->num++];
	const struct record_sample *sample = &record->sample;
	assert_true(sample->chain_length <= sizeof(seen->chain) / sizeof(seen->chain[0]));
	*seen = (struct seen){.record = *record};
	if (sample->chain_length)
		memcpy(seen->chain, sample->chain, sample->chain_length * sizeof(*sample->chain));
}

struct follower {
	struct etl_follow *follow;
	struct etl_events events;
	uint64_t last_ns;
	size_t num_records;
	struct seen_list samples;
};

static void follower_deinit(struct follower *follower)
{
	etl_follow_destroy(follower->follow);
	seen_list_deinit(&follower->samples);
}

/** Everything that can be had now; time never goes back. */
static void follower_read(struct follower *follower)
{
	struct record record;
	bool more;
	for (;;) {
		assert_no_error(etl_follow_next(follower->follow, &record, &more));
		if (!more)
			return;
		assert_true(record.time_ns >= follower->last_ns);
		follower->last_ns = record.time_ns;
		follower->num_records++;
		seen_list_add(&follower->samples, &record);
	}
}

/** The first call needs a whole first buffer. */
static void follower_append(struct follower *follower, const void *bytes, size_t size)
{
	append_bytes(bytes, size);
	if (!follower->follow) {
		struct etl_stream *stream;
		assert_no_error(etl_stream_open_growing(path, &stream));
		assert_no_error(etl_follow_create(stream, &follower->events, &follower->follow));
	}
	assert_no_error(etl_follow_grow(follower->follow));
	follower_read(follower);
}

static void follower_end(struct follower *follower)
{
	etl_follow_end(follower->follow);
	follower_read(follower);
}

static struct follower follower_init(void)
{
	remove(path);
	struct follower follower = {.events = ETL_EVENTS_INIT};
	follower.events.clock = 0;
	return follower;
}

static void begin_file(struct etl_bytes *file)
{
	etl_bytes_begin_first_buffer(file, &(struct etl_bytes_log){.start_ticks = START});
	put_thread(file, START, 1);
	put_thread(file, START, 2);
	etl_bytes_end_buffer(file);
}

static void flush(struct follower *follower, struct etl_bytes *file)
{
	follower_append(follower, file->data, file->size);
	file->size = 0;
}

// A sample in the kernel, whose user part comes 300 ms later on another CPU, and before that one
// of a later sample.
static void test_samples_wait_for_user_stacks(void **state)
{
	const uint64_t time = START + 100 * MS;
	_cleanup_(etl_bytes_deinit) struct etl_bytes file = {};
	_cleanup_(follower_deinit) struct follower follower = follower_init();
	begin_file(&file);
	etl_bytes_begin_buffer(&file, 0, 1);
	put_sample(&file, time, kernel_ip, 1);
	put_stack(&file, time + 10, time, 1, kernel_ip, 2);
	put_sample(&file, time + 400 * MS, user_ip, 2);
	etl_bytes_end_buffer(&file);
	flush(&follower, &file);
	assert_int_equal(follower.samples.num, 0);
	etl_bytes_begin_buffer(&file, 1, 2);
	put_stack(&file, time + 300 * MS, time, 1, user_ip, 3);
	put_sample(&file, time + 501 * MS, user_ip, 2);
	etl_bytes_end_buffer(&file);
	flush(&follower, &file);
	assert_int_equal(follower.samples.num, 1);
	const struct seen *first = &follower.samples.items[0];
	static const uint64_t chain[] = {RECORD_CONTEXT_KERNEL,        UINT64_C(0xfffff80012345678),
					 UINT64_C(0xfffff80012345679), RECORD_CONTEXT_USER,
					 UINT64_C(0x7ff612345678),     UINT64_C(0x7ff612345679),
					 UINT64_C(0x7ff61234567a)};
	assert_int_equal(first->record.time_ns, time * NS_PER_TICK);
	assert_int_equal(first->record.pid, PID);
	assert_int_equal(first->record.sample.chain_length, 7);
	assert_memory_equal(first->chain, chain, sizeof(chain));
	follower_end(&follower);
	assert_int_equal(follower.samples.num, 3);
	assert_int_equal(etl_follow_notes(follower.follow).num_stacks_unmatched, 0);
}

// The user part of one sample is flushed before the sample, as their CPUs differ.
static void test_stacks_may_come_before_their_samples(void **state)
{
	const uint64_t time = START + 100 * MS;
	_cleanup_(etl_bytes_deinit) struct etl_bytes file = {};
	_cleanup_(follower_deinit) struct follower follower = follower_init();
	begin_file(&file);
	etl_bytes_begin_buffer(&file, 1, 1);
	put_stack(&file, time + 2 * MS, time, 1, user_ip, 3);
	etl_bytes_end_buffer(&file);
	flush(&follower, &file);
	etl_bytes_begin_buffer(&file, 0, 2);
	put_sample(&file, time, user_ip, 1);
	etl_bytes_end_buffer(&file);
	flush(&follower, &file);
	follower_end(&follower);
	assert_int_equal(follower.samples.num, 1);
	assert_int_equal(follower.samples.items[0].record.sample.chain_length, 4);
	assert_int_equal(etl_follow_notes(follower.follow).num_late, 0);
}

// 400 ms late is in time; 600 ms is given at once, counted, and not in the past.
static void test_late_buffers(void **state)
{
	const uint64_t time = START + 1000 * MS;
	_cleanup_(etl_bytes_deinit) struct etl_bytes file = {};
	_cleanup_(follower_deinit) struct follower follower = follower_init();
	begin_file(&file);
	etl_bytes_begin_buffer(&file, 0, 1);
	put_sample(&file, time, user_ip, 1);
	put_sample(&file, time + 501 * MS, user_ip, 1);
	etl_bytes_end_buffer(&file);
	flush(&follower, &file);
	etl_bytes_begin_buffer(&file, 1, 2);
	put_sample(&file, time - 100 * MS, user_ip + 1, 2);
	put_sample(&file, time + 100 * MS, user_ip + 2, 2);
	etl_bytes_end_buffer(&file);
	flush(&follower, &file);
	follower_end(&follower);
	const struct seen *seen = follower.samples.items;
	assert_int_equal(follower.samples.num, 4);
	assert_int_equal(seen[1].record.sample.ip, user_ip + 1);
	assert_int_equal(seen[1].record.time_ns, time * NS_PER_TICK);
	assert_int_equal(seen[2].record.sample.ip, user_ip + 2);
	assert_int_equal(seen[2].record.time_ns, (time + 100 * MS) * NS_PER_TICK);
	assert_int_equal(etl_follow_notes(follower.follow).num_late, 1);
}

// What a thread counted is known when it leaves its CPU; what ran before the first switch is not.
static void test_counts_of_switches(void **state)
{
	_cleanup_(etl_bytes_deinit) struct etl_bytes file = {};
	_cleanup_(follower_deinit) struct follower follower = follower_init();
	follower.events.first_counter = 3;
	follower.events.num_counters = 1;
	follower.events.off_cpu = 2;
	begin_file(&file);
	etl_bytes_begin_buffer(&file, 0, 1);
	put_switch(&file, START + 1 * MS, 1, 2, 5000);
	put_switch(&file, START + 3 * MS, 2, 1, 5700);
	etl_bytes_end_buffer(&file);
	flush(&follower, &file);
	etl_bytes_begin_buffer(&file, 0, 2);
	put_switch(&file, START + 4 * MS, 1, 0, 5900);
	etl_bytes_end_buffer(&file);
	flush(&follower, &file);
	follower_end(&follower);
	static const struct {
		uint32_t tid, event;
		uint64_t period;
	} expected[] = {{2, 3, 700}, {1, 2, UINT64_C(2000000)}, {1, 3, 200}};
	assert_int_equal(follower.samples.num, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct record *record = &follower.samples.items[i].record;
		assert_int_equal(record->tid, expected[i].tid);
		assert_int_equal(record->pid, PID);
		assert_int_equal(record->event, expected[i].event);
		assert_int_equal(record->sample.period, expected[i].period);
	}
}

// 100 MB of stacks within half a second: the queue gives what is oldest.
static void test_memory_has_a_limit(void **state)
{
	enum { STACKS = 1700, ADDRESSES = 7500 };
	_cleanup_(etl_bytes_deinit) struct etl_bytes file = {.buffer_size = 1 << 16};
	_cleanup_(follower_deinit) struct follower follower = follower_init();
	begin_file(&file);
	for (uint32_t i = 0; i < STACKS; i++) {
		uint64_t time = START + i * UINT64_C(1000);
		etl_bytes_begin_buffer(&file, 0, i + 1);
		put_sample(&file, time, user_ip, 1);
		put_stack(&file, time + 1, time + 1, 2, user_ip, ADDRESSES);
		etl_bytes_end_buffer(&file);
	}
	flush(&follower, &file);
	assert_in_range(follower.samples.num, STACKS / 4, STACKS - 1);
	follower_end(&follower);
	assert_int_equal(follower.samples.num, STACKS);
	assert_int_equal(etl_follow_notes(follower.follow).num_late, 0);
	assert_int_equal(etl_follow_notes(follower.follow).num_stacks_unmatched, STACKS);
}

static void read_whole(const void *bytes, size_t size, struct seen_list *ret)
{
	struct etl_stream *stream;
	_cleanup_(etl_reader_destroyp) struct etl_reader *reader = NULL;
	assert_no_error(etl_stream_open_memory("whole.etl", bytes, size, &stream));
	assert_no_error(etl_reader_create(stream, &reader));
	struct record record;
	bool more;
	for (;;) {
		assert_no_error(etl_reader_next(reader, &record, &more));
		if (!more)
			return;
		seen_list_add(ret, &record);
	}
}

static void assert_same_sample(const struct record *a, const struct record *b)
{
	assert_int_equal(a->pid, b->pid);
	assert_int_equal(a->tid, b->tid);
	assert_int_equal(a->cpu, b->cpu);
	assert_int_equal(a->sample.ip, b->sample.ip);
	assert_int_equal(a->sample.period, b->sample.period);
}

static bool has_same_chain(const struct seen *a, const struct seen *b)
{
	size_t length = a->record.sample.chain_length;
	return length == b->record.sample.chain_length &&
	       !memcmp(a->chain, b->chain, length * sizeof(a->chain[0]));
}

// In pieces that cut buffers and events, on four CPUs.
static void test_pieces_are_the_whole(void **state)
{
	enum { SAMPLES = 2000, PIECE = 1000, PER_BUFFER = 8, CPUS = 4 };
	_cleanup_(etl_bytes_deinit) struct etl_bytes file = {};
	_cleanup_(follower_deinit) struct follower follower = follower_init();
	begin_file(&file);
	for (uint32_t i = 0; i < SAMPLES; i += PER_BUFFER) {
		etl_bytes_begin_buffer(&file, i / PER_BUFFER % CPUS, i / PER_BUFFER + 1);
		for (uint32_t k = i; k < i + PER_BUFFER; k++) {
			uint64_t time = START + (uint64_t)k * MS;
			put_sample(&file, time, kernel_ip, 1 + k % 2);
			put_stack(&file, time + 5, time, 1 + k % 2, kernel_ip, 1 + k % 7);
			put_stack(&file, time + 9, time, 1 + k % 2, user_ip + k, 1 + k % 9);
		}
		etl_bytes_end_buffer(&file);
	}
	_cleanup_(seen_list_deinit) struct seen_list whole = {};
	read_whole(file.data, file.size, &whole);
	for (size_t i = 0; i < file.size; i += PIECE) {
		size_t rest = file.size - i;
		follower_append(&follower, file.data + i, rest < PIECE ? rest : PIECE);
	}
	size_t num_before = follower.samples.num;
	follower_end(&follower);
	assert_int_equal(whole.num, SAMPLES);
	assert_int_equal(follower.samples.num, SAMPLES);
	assert_in_range(num_before, SAMPLES - 510, SAMPLES - 490); // all but half a second
	for (size_t i = 0; i < SAMPLES; i++) {
		assert_same_sample(&follower.samples.items[i].record, &whole.items[i].record);
		assert_true(has_same_chain(&follower.samples.items[i], &whole.items[i]));
	}
}

static int compare_seen(const void *a, const void *b)
{
	const struct record *first = &((const struct seen *)a)->record;
	const struct record *second = &((const struct seen *)b)->record;
	const uint64_t keys[][2] = {{first->tid, second->tid},
				    {first->sample.ip, second->sample.ip},
				    {first->cpu, second->cpu},
				    {first->pid, second->pid}};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (keys[i][0] != keys[i][1])
			return keys[i][0] < keys[i][1] ? -1 : 1;
	}
	return 0;
}

static void unpack_real_file(struct file_map *map, struct file_map *backing, const uint8_t **ret,
			     size_t *ret_size)
{
	const char *real = WPERF_SHARED_DIR "/data/etl/net.4.5.2.x64.etl.zip";
	skip_without(real);
	_cleanup_(zip_archive_close) struct zip_archive archive = ZIP_ARCHIVE_INIT;
	assert_no_error(file_map_open(map, real));
	assert_no_error(zip_archive_open(&archive, real, map->data, map->size));
	assert_no_error(zip_archive_unpack(&archive, &archive.members[0], backing, ret, ret_size));
}

// Its session flushed no buffers, so that in pieces many are late. 6,320 samples as in PerfView's
// baseline; most of the stacks are cached.
static void test_a_real_file(void **state)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT, backing = FILE_MAP_INIT;
	const uint8_t *bytes;
	size_t size, num_stacks = 0, num_same = 0;
	unpack_real_file(&map, &backing, &bytes, &size);
	_cleanup_(seen_list_deinit) struct seen_list whole = {};
	_cleanup_(follower_deinit) struct follower at_once = follower_init();
	read_whole(bytes, size, &whole);
	follower_append(&at_once, bytes, size);
	follower_end(&at_once);
	assert_int_equal(whole.num, 6320);
	assert_int_equal(at_once.samples.num, whole.num);
	for (size_t i = 0; i < whole.num; i++) {
		const struct seen *seen = &at_once.samples.items[i];
		assert_same_sample(&seen->record, &whole.items[i].record);
		assert_int_equal(seen->record.time_ns, whole.items[i].record.time_ns);
		num_stacks += seen->record.sample.chain_length > 0;
		bool is_same = has_same_chain(seen, &whole.items[i]);
		num_same += seen->record.sample.chain_length > 0 && is_same;
		assert_true(is_same || seen->record.sample.chain_length <
					       whole.items[i].record.sample.chain_length);
	}
	// The user part of 100 is cached.
	assert_int_equal(num_stacks, 244);
	assert_int_equal(num_same, 144);
	_cleanup_(follower_deinit) struct follower pieces = follower_init();
	enum { PIECE = 100000 };
	for (size_t i = 0; i < size; i += PIECE)
		follower_append(&pieces, bytes + i, size - i < PIECE ? size - i : PIECE);
	follower_end(&pieces);
	assert_int_equal(pieces.samples.num, whole.num);
	assert_true(etl_follow_notes(pieces.follow).num_late > 0);
	qsort(whole.items, whole.num, sizeof(*whole.items), compare_seen);
	qsort(pieces.samples.items, whole.num, sizeof(*whole.items), compare_seen);
	for (size_t i = 0; i < whole.num; i++)
		assert_same_sample(&pieces.samples.items[i].record, &whole.items[i].record);
}

int etl_follow_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_wait_for_user_stacks),
		cmocka_unit_test(test_stacks_may_come_before_their_samples),
		cmocka_unit_test(test_late_buffers),
		cmocka_unit_test(test_counts_of_switches),
		cmocka_unit_test(test_memory_has_a_limit),
		cmocka_unit_test(test_pieces_are_the_whole),
		cmocka_unit_test(test_a_real_file),
	};
	return cmocka_run_group_tests_name("etl_follow", tests, scratch_folder_enter,
					   scratch_folder_leave);
}
