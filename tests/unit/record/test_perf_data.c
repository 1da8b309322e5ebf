// SPDX-License-Identifier: Apache-2.0

/** The reader of perf.data takes what the writer wrote, and files that were made by hand. */

#include "record/perf_data/perf_data_reader.h"
#include "record/perf_data/perf_data_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_error.h"
#include "base/container/array.h"
#include "base/file/file_map.h"
#include "record/perf_data/perf_abi.h"
#include "record_bytes.h"
#include "tests/unit/shared_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>
#include <zstd.h>

static const uint64_t first_ids[] = {5, 6}, second_ids[] = {7};

struct fixture {
	char path[64];
	struct perf_data_event events[2];
};

static void make_event(struct perf_data_event *event, uint64_t config, uint32_t size)
{
	uint64_t flags = PERF_ABI_ATTR_SAMPLE_ID_ALL;
	*event = (struct perf_data_event){.attr_size = size};
	event->attr[PERF_ABI_ATTR_TYPE] = 1;
	memcpy(event->attr + PERF_ABI_ATTR_SIZE, &size, sizeof(size));
	memcpy(event->attr + PERF_ABI_ATTR_CONFIG, &config, sizeof(config));
	memcpy(event->attr + PERF_ABI_ATTR_SAMPLE_TYPE, &perf_data_writer_sample_type, 8);
	memcpy(event->attr + PERF_ABI_ATTR_FLAGS, &flags, sizeof(flags));
}

static int set_up(void **state)
{
	static struct fixture fixture;
	snprintf(fixture.path, sizeof(fixture.path), "/tmp/wperf-perf-data-%d", (int)getpid());
	make_event(&fixture.events[0], 0, 128);
	fixture.events[0].ids = first_ids;
	fixture.events[0].num_ids = ARRAY_SIZE(first_ids);
	make_event(&fixture.events[1], 1, 104);
	fixture.events[1].name = "my-event";
	fixture.events[1].ids = second_ids;
	fixture.events[1].num_ids = ARRAY_SIZE(second_ids);
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;
	unlink(fixture->path);
	return 0;
}

static struct perf_data_writer *create_writer(const struct fixture *fixture)
{
	struct perf_data_writer *writer = NULL;
	assert_no_error(perf_data_writer_create(fixture->path, fixture->events, 2, &writer));
	return writer;
}

static struct perf_data_reader *open_reader(const struct fixture *fixture)
{
	struct perf_data_reader *reader = NULL;
	assert_no_error(perf_data_reader_open(fixture->path, &reader));
	return reader;
}

static struct record take(struct perf_data_reader *reader)
{
	struct record record;
	bool more = false;
	assert_no_error(perf_data_reader_next(reader, &record, &more));
	assert_true(more);
	return record;
}

static void assert_end(struct perf_data_reader *reader)
{
	struct record record;
	bool more = true;
	for (int i = 0; i < 2; i++) {
		assert_no_error(perf_data_reader_next(reader, &record, &more));
		assert_false(more);
	}
}

static void assert_damage(const struct perf_data_reader *reader, uint64_t truncated, uint64_t bad)
{
	struct perf_data_damage damage = perf_data_reader_damage(reader);
	assert_int_equal(damage.truncated_bytes, truncated);
	assert_int_equal(damage.bad_records, bad);
}

static struct record make_sample(uint64_t time_ns)
{
	static const uint64_t chain[] = {RECORD_CONTEXT_USER, 0x401000, 0x402000};
	return (struct record){
		.kind = RECORD_SAMPLE,
		.mode = RECORD_MODE_USER,
		.pid = 10,
		.tid = 11,
		.time_ns = time_ns,
		.cpu = 3,
		.event = 1,
		.sample = {.ip = 0x401000,
			   .period = 4000,
			   .chain = chain,
			   .chain_length = 3,
			   .gil = GIL_WAITED},
	};
}

static void write_samples(struct perf_data_writer *writer, const uint64_t *times, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct record sample = make_sample(times[i]);
		assert_no_error(perf_data_writer_record(writer, &sample));
	}
}

static void assert_times(struct perf_data_reader *reader, const uint64_t *times, size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_int_equal(take(reader).time_ns, times[i]);
	assert_end(reader);
}

static void test_records_come_back(void **state)
{
	_cleanup_(perf_data_writer_destroyp) struct perf_data_writer *writer =
		create_writer(*state);
	const struct record records[] = {
		{.kind = RECORD_COMM,
		 .pid = 1,
		 .tid = 2,
		 .time_ns = 10,
		 .comm = {"program", true, false}},
		{.kind = RECORD_MAP,
		 .mode = RECORD_MODE_USER,
		 .pid = 1,
		 .tid = 2,
		 .time_ns = 20,
		 .map = {.start = 0x1000,
			 .length = 0x2000,
			 .file_offset = 0x3000,
			 .path = "/bin/x",
			 .major = 1,
			 .minor = 2,
			 .inode = 3,
			 .inode_generation = 4,
			 .protection = 5,
			 .is_executable = true}},
		{.kind = RECORD_MAP,
		 .mode = RECORD_MODE_KERNEL,
		 .time_ns = 30,
		 .map = {.path = "[vdso]", .is_executable = false, .build_id = {3, {7, 8, 9}}}},
		{.kind = RECORD_FORK, .pid = 3, .tid = 4, .time_ns = 40, .task = {1, 2}},
		make_sample(50),
		{.kind = RECORD_EXIT, .pid = 3, .tid = 4, .time_ns = 60, .task = {1, 2}},
		{.kind = RECORD_LOST, .pid = 3, .time_ns = 70, .num_lost = 1000},
		{.kind = RECORD_COMM,
		 .pid = 1,
		 .tid = 3,
		 .time_ns = 80,
		 .comm = {.name = "a thread with a long name", .is_given = true}},
	};
	for (size_t i = 0; i < ARRAY_SIZE(records); i++)
		assert_no_error(perf_data_writer_record(writer, &records[i]));
	assert_no_error(perf_data_writer_finish(writer, &(struct perf_data_info){}));

	_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader = open_reader(*state);
	struct record record;
	for (size_t i = 0; i < ARRAY_SIZE(records); i++) {
		record = take(reader);
		assert_int_equal(record.kind, records[i].kind);
		assert_int_equal(record.mode, records[i].mode);
		assert_int_equal(record.pid, records[i].pid);
		assert_int_equal(record.tid, records[i].tid);
		assert_int_equal(record.time_ns, records[i].time_ns);
		assert_int_equal(record.cpu, records[i].cpu);
		assert_int_equal(record.event, records[i].event);
		if (record.kind == RECORD_COMM && record.tid == 2) {
			assert_string_equal(record.comm.name, "program");
			assert_true(record.comm.is_exec);
			assert_false(record.comm.is_given);
		} else if (record.kind == RECORD_COMM) {
			assert_string_equal(record.comm.name, "a thread with a long name");
			assert_false(record.comm.is_exec);
			assert_true(record.comm.is_given);
		} else if (record.kind == RECORD_MAP && record.mode == RECORD_MODE_USER) {
			assert_int_equal(record.map.start, 0x1000);
			assert_int_equal(record.map.length, 0x2000);
			assert_int_equal(record.map.file_offset, 0x3000);
			assert_int_equal(record.map.inode_generation, 4);
			assert_int_equal(record.map.protection, 5);
			assert_true(record.map.is_executable);
			assert_string_equal(record.map.path, "/bin/x");
		} else if (record.kind == RECORD_MAP) {
			assert_false(record.map.is_executable);
			assert_int_equal(record.map.build_id.size, 3);
			assert_memory_equal(record.map.build_id.bytes, "\7\10\11", 3);
		} else if (record.kind == RECORD_SAMPLE) {
			assert_int_equal(record.sample.ip, 0x401000);
			assert_int_equal(record.sample.period, 4000);
			assert_int_equal(record.sample.chain_length, 3);
			assert_int_equal(record.sample.chain[2], 0x402000);
			assert_int_equal(record.sample.gil, GIL_WAITED);
		} else if (record.kind == RECORD_LOST) {
			assert_int_equal(record.num_lost, 1000);
		} else {
			assert_int_equal(record.task.parent_pid, 1);
			assert_int_equal(record.task.parent_tid, 2);
		}
	}
	assert_end(reader);
	assert_damage(reader, 0, 0);
}

static void test_what_the_file_says_of_itself(void **state)
{
	_cleanup_(perf_data_writer_destroyp) struct perf_data_writer *writer =
		create_writer(*state);
	static const char *const arguments[] = {"wperf", "record", "--", "a b", NULL};
	static const struct perf_data_build_id build_ids[] = {
		{.path = "/bin/true", .build_id = {20, {1, 2, 3}}},
		{.path = "[kernel.kallsyms]", .build_id = {16, {4}}, .is_kernel = true},
	};
	static const uint32_t groups[] = {4, 27};
	static const struct perf_data_user users[] = {
		{.pid = 7, .user = 1000, .group = 100},
		{.pid = 8,
		 .user = PERF_DATA_NO_USER,
		 .groups = groups,
		 .num_groups = 2,
		 .is_unseen = true,
		 .root = {UINT64_C(1) << 40, 2, 3}},
	};
	struct perf_data_info info = {
		.host = "host",
		.system_release = "6.1",
		.version = "0.1",
		.machine = "aarch64",
		.cpu_description = "a name of more than sixty-four characters, which is what names "
				   "are padded to",
		.cpu_id = "0x41",
		.cpus_available = 8,
		.cpus_online = 4,
		.total_memory_kb = 123456,
		.arguments = arguments,
		.build_ids = build_ids,
		.num_build_ids = 2,
		.first_time_ns = 1,
		.last_time_ns = 2,
		.clock_id = 4,
		.clock_ns = 5,
		.wall_ns = 6,
		.line_image = (const uint8_t *)"\x7f"
					       "ELF",
		.line_image_size = 4,
		.language = "Toy",
		.collection = {COLLECTION_TIMER, 700, 3, 57000, UINT64_C(1) << 40},
		.users = users,
		.num_users = 2,
	};
	assert_no_error(perf_data_writer_finish(writer, &info));
	_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader = open_reader(*state);
	const struct perf_data_info *read = perf_data_reader_info(reader);
	assert_string_equal(read->host, info.host);
	assert_string_equal(read->system_release, info.system_release);
	assert_string_equal(read->version, info.version);
	assert_string_equal(read->machine, info.machine);
	assert_string_equal(read->cpu_description, info.cpu_description);
	assert_string_equal(read->cpu_id, info.cpu_id);
	assert_int_equal(read->cpus_available, 8);
	assert_int_equal(read->cpus_online, 4);
	assert_int_equal(read->total_memory_kb, 123456);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(read->arguments[i], arguments[i]);
	assert_null(read->arguments[4]);
	assert_int_equal(read->first_time_ns, 1);
	assert_int_equal(read->last_time_ns, 2);
	assert_int_equal(read->clock_id, 4);
	assert_int_equal(read->clock_ns, 5);
	assert_int_equal(read->wall_ns, 6);
	assert_int_equal(read->line_image_size, 4);
	assert_memory_equal(read->line_image, info.line_image, 4);
	assert_string_equal(read->language, "Toy");
	assert_memory_equal(&read->collection, &info.collection, sizeof(info.collection));
	assert_int_equal(read->num_users, 2);
	assert_int_equal(read->users[0].num_groups, 0);
	assert_int_equal(read->users[0].root.mounts, 0);
	assert_int_equal(read->users[1].pid, 8);
	assert_int_equal(read->users[1].user, PERF_DATA_NO_USER);
	assert_int_equal(read->users[1].num_groups, 2);
	assert_int_equal(read->users[1].groups[1], 27);
	assert_true(read->users[1].is_unseen && !read->users[0].is_unseen);
	assert_true(file_root_id_is_same(read->users[1].root, users[1].root));
	assert_int_equal(read->num_build_ids, 2);
	assert_string_equal(read->build_ids[0].path, "/bin/true");
	assert_int_equal(read->build_ids[0].build_id.size, 20);
	assert_false(read->build_ids[0].is_kernel);
	assert_true(read->build_ids[1].is_kernel);
	assert_int_equal(read->build_ids[1].build_id.size, 16);
	assert_int_equal(read->build_ids[1].build_id.bytes[0], 4);
	assert_int_equal(read->num_events, 2);
	assert_string_equal(read->events[0].name, "cpu-clock");
	assert_string_equal(read->events[1].name, "my-event");
	assert_int_equal(read->events[0].num_ids, 2);
	assert_int_equal(read->events[0].ids[1], 6);
	assert_int_equal(read->events[1].attr_size, 128);
	assert_end(reader);
}

static void test_pdbs_are_read_back(void **state)
{
	_cleanup_(perf_data_writer_destroyp) struct perf_data_writer *writer =
		create_writer(*state);
	static const struct perf_data_pdb pdbs[] = {
		{"C:\\a.dll", {16, {1, 2, 3}}, 7, "a.pdb", 0x5f000000, 0x9000},
		{"C:\\b.sys", {0}, 0, NULL, 0x5f000001, 0xa000},
		{NULL, {16, {4}}, 1, "c.pdb", 0, 0},
	};
	const struct perf_data_info info = {.pdbs = pdbs, .num_pdbs = 3};
	assert_no_error(perf_data_writer_finish(writer, &info));
	_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader = open_reader(*state);
	const struct perf_data_info *read = perf_data_reader_info(reader);
	assert_int_equal(read->num_pdbs, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct perf_data_pdb *pdb = &read->pdbs[i];
		assert_memory_equal(&pdb->build_id, &pdbs[i].build_id, sizeof(pdb->build_id));
		assert_int_equal(pdb->age, pdbs[i].age);
		assert_int_equal(pdb->image_time, pdbs[i].image_time);
		assert_int_equal(pdb->image_size, pdbs[i].image_size);
	}
	assert_string_equal(read->pdbs[0].path, "C:\\a.dll");
	assert_string_equal(read->pdbs[0].name, "a.pdb");
	assert_null(read->pdbs[1].name);
	assert_null(read->pdbs[2].path);
	assert_string_equal(read->pdbs[2].name, "c.pdb");
}

static void test_nothing_said_is_nothing_read(void **state)
{
	_cleanup_(perf_data_writer_destroyp) struct perf_data_writer *writer =
		create_writer(*state);
	assert_no_error(perf_data_writer_finish(writer, &(struct perf_data_info){}));
	_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader = open_reader(*state);
	const struct perf_data_info *info = perf_data_reader_info(reader);
	assert_null(info->host);
	assert_null(info->arguments);
	assert_int_equal(info->cpus_available, 0);
	assert_int_equal(info->num_build_ids, 0);
	assert_int_equal(info->num_pdbs, 0);
	assert_null(info->line_image);
	assert_null(info->language);
	assert_int_equal(info->collection.method, COLLECTION_NONE);
	assert_end(reader);
}

static void test_rounds_are_put_in_order(void **state)
{
	static const uint64_t first[] = {30, 10, 20}, second[] = {50, 25, 40}, third[] = {60};
	static const uint64_t sorted[] = {10, 20, 25, 30, 40, 50, 60};
	_cleanup_(perf_data_writer_destroyp) struct perf_data_writer *writer =
		create_writer(*state);
	write_samples(writer, first, ARRAY_SIZE(first));
	assert_no_error(perf_data_writer_round(writer));
	write_samples(writer, second, ARRAY_SIZE(second));
	assert_no_error(perf_data_writer_round(writer));
	write_samples(writer, third, ARRAY_SIZE(third));
	assert_no_error(perf_data_writer_finish(writer, &(struct perf_data_info){}));
	_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader = open_reader(*state);
	assert_times(reader, sorted, ARRAY_SIZE(sorted));
}

// Enough for several buffers, so that nobody said flush.
static void test_a_killed_writer_leaves_what_was_flushed(void **state)
{
	enum { COUNT = 20000 };
	struct perf_data_writer *writer = create_writer(*state);
	perf_data_writer_place(writer, false);
	for (uint64_t i = 1; i <= COUNT; i++)
		write_samples(writer, &i, 1);
	assert_no_error(perf_data_writer_flush(writer));
	uint64_t unflushed = COUNT + 1;
	write_samples(writer, &unflushed, 1);
	_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader = open_reader(*state);
	for (uint64_t i = 1; i <= COUNT; i++)
		assert_int_equal(take(reader).time_ns, i);
	assert_end(reader);
	assert_damage(reader, 0, 0);
	perf_data_writer_destroy(writer);
}

static void test_a_file_cut_anywhere(void **state)
{
	static const uint64_t times[] = {1, 2, 3, 4};
	struct perf_data_writer *writer = create_writer(*state);
	write_samples(writer, times, 4);
	assert_no_error(perf_data_writer_finish(writer, &(struct perf_data_info){.host = "h"}));
	perf_data_writer_destroy(writer);
	const struct fixture *fixture = *state;
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	assert_no_error(file_map_open(&map, fixture->path));
	const struct perf_abi_file_header *header = map.data;
	size_t sample_size = header->data.size / 4;
	for (size_t size = 0; size < map.size; size++) {
		_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader = NULL;
		struct error *err = perf_data_reader_open_memory("cut", map.data, size, &reader);
		if (size < header->data.offset) {
			assert_non_null(err);
			error_destroy(err);
			continue;
		}
		assert_no_error(err);
		size_t there = size - header->data.offset;
		if (there > header->data.size)
			there = header->data.size;
		assert_times(reader, times, there / sample_size);
		assert_damage(reader, there % sample_size, 0);
	}
}

static void test_a_chain_longer_than_a_record(void **state)
{
	_cleanup_(perf_data_writer_destroyp) struct perf_data_writer *writer =
		create_writer(*state);
	_cleanup_free_ uint64_t *chain = calloc(10000, sizeof(*chain));
	assert_non_null(chain);
	for (uint64_t i = 0; i < 10000; i++)
		chain[i] = i;
	struct record sample = make_sample(1);
	sample.sample.chain = chain;
	sample.sample.chain_length = 10000;
	assert_no_error(perf_data_writer_record(writer, &sample));
	assert_no_error(perf_data_writer_finish(writer, &(struct perf_data_info){}));
	_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader = open_reader(*state);
	struct record record = take(reader);
	assert_in_range(record.sample.chain_length, 8000, 9999);
	assert_memory_equal(record.sample.chain, chain, record.sample.chain_length * 8);
	assert_end(reader);
}

static void test_what_the_writer_refuses(void **state)
{
	struct fixture *fixture = *state;
	_cleanup_(perf_data_writer_destroyp) struct perf_data_writer *writer =
		create_writer(*state);
	struct record record = {.kind = RECORD_THROTTLE};
	assert_error(perf_data_writer_record(writer, &record), ERROR_FAILED,
		     "a record of kind 7 cannot be written");
	record = make_sample(1);
	record.event = 2;
	assert_error(perf_data_writer_record(writer, &record), ERROR_FAILED,
		     "a record of event 2, which has no id");
	_cleanup_free_ char *name = calloc(1, 10001);
	assert_non_null(name);
	memset(name, 'x', 10000);
	record = (struct record){.kind = RECORD_COMM, .comm = {.name = name}};
	assert_error(perf_data_writer_record(writer, &record), ERROR_FAILED,
		     "a name of 10000 bytes is too long for a record");
	assert_error(perf_data_writer_raw(writer, "1234567", 7), ERROR_FAILED,
		     "incomplete record of 7 bytes");
	struct perf_data_writer *other;
	assert_error(perf_data_writer_create("/nowhere/x", fixture->events, 2, &other),
		     ERROR_FAILED, "cannot write '/nowhere/x': No such file or directory");
	struct perf_data_event event = fixture->events[0];
	event.attr_size = 60;
	assert_error(perf_data_writer_create(fixture->path, &event, 1, &other), ERROR_FAILED,
		     "an event's attribute of 60 bytes");
}

// Files by hand: a header of a file or of a pipe, and records behind it.

struct image {
	uint8_t bytes[1 << 16];
	size_t size;
};

static void append(struct image *image, const void *bytes, size_t size)
{
	assert(image->size + size <= sizeof(image->bytes));
	memcpy(image->bytes + image->size, bytes, size);
	image->size += size;
}

static void append_record(struct image *image, struct record_bytes *bytes)
{
	size_t size = end_record(bytes);
	append(image, bytes->words, size);
}

static void begin_pipe(struct image *image, const struct perf_data_event *event)
{
	static const uint64_t header[] = {0x32454c4946524550, 16};
	struct record_bytes attr;
	image->size = 0;
	append(image, header, sizeof(header));
	begin_record(&attr, PERF_ABI_HEADER_ATTR, 0);
	for (size_t i = 0; i < event->attr_size; i += 8) {
		uint64_t word;
		memcpy(&word, event->attr + i, 8);
		put(&attr, word);
	}
	for (size_t i = 0; i < event->num_ids; i++)
		put(&attr, event->ids[i]);
	append_record(image, &attr);
}

static void append_sample(struct image *image, uint64_t time_ns)
{
	struct record_bytes bytes;
	begin_record(&bytes, PERF_ABI_SAMPLE, RECORD_MODE_USER);
	put(&bytes, 5);
	put(&bytes, 0x1234);
	put_halves(&bytes, 1, 2);
	put(&bytes, time_ns);
	put_halves(&bytes, 0, 0);
	put(&bytes, 1);
	put(&bytes, 0);
	append_record(image, &bytes);
}

static struct perf_data_reader *open_image(const struct image *image)
{
	struct perf_data_reader *reader = NULL;
	assert_no_error(perf_data_reader_open_memory("image", image->bytes, image->size, &reader));
	return reader;
}

static void test_a_pipe_says_all_in_records(void **state)
{
	const struct fixture *fixture = *state;
	static struct image image;
	struct record_bytes bytes;
	begin_pipe(&image, &fixture->events[0]);
	begin_record(&bytes, PERF_ABI_HEADER_FEATURE, 0);
	put(&bytes, PERF_ABI_FEATURE_HOST);
	put_halves(&bytes, 8, 0x74736f68); // a string of 8 bytes: "host"
	put(&bytes, 0);
	append_record(&image, &bytes);
	begin_record(&bytes, PERF_ABI_EVENT_UPDATE, 0);
	put(&bytes, 2);
	put(&bytes, 6);
	put_text(&bytes, "renamed");
	append_record(&image, &bytes);
	append_sample(&image, 2);
	append_sample(&image, 1);
	_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader = open_image(&image);
	assert_int_equal(take(reader).time_ns, 1);
	const struct perf_data_info *info = perf_data_reader_info(reader);
	assert_int_equal(info->num_events, 1);
	assert_string_equal(info->events[0].name, "renamed");
	assert_string_equal(info->host, "host");
	assert_int_equal(take(reader).time_ns, 2);
	assert_end(reader);
}

static void test_what_is_behind_a_record_is_passed_over(void **state)
{
	const struct fixture *fixture = *state;
	static struct image image;
	struct record_bytes bytes;
	begin_pipe(&image, &fixture->events[0]);
	begin_record(&bytes, PERF_ABI_AUXTRACE, 0);
	put(&bytes, 100);
	put(&bytes, 0);
	put(&bytes, 0);
	put(&bytes, 0);
	put(&bytes, 0);
	append_record(&image, &bytes);
	memset(image.bytes + image.size, 0xff, 100);
	image.size += 100;
	begin_record(&bytes, PERF_ABI_TRACING_DATA, 0);
	put(&bytes, 5); // padded to 8
	append_record(&image, &bytes);
	append(&image, "\377\377\377\377\377\0\0\0", 8);
	begin_record(&bytes, 0x8001, 2); // of simpleperf, larger than a record can be
	bytes.words[0] |= UINT64_C(16) << 48;
	append(&image, bytes.words, 8);
	// The file ends within it.
	_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader = open_image(&image);
	struct record record = take(reader);
	assert_int_equal(record.kind, RECORD_OTHER);
	assert_int_equal(((const struct perf_abi_header *)record.raw)->type, PERF_ABI_AUXTRACE);
	record = take(reader);
	assert_int_equal(((const struct perf_abi_header *)record.raw)->type, PERF_ABI_TRACING_DATA);
	assert_end(reader);
	assert_damage(reader, 8, 0);
}

// As WindowsPerf writes them: old attributes, no time, an id for each event.
static void test_records_without_time_stay_in_their_order(void **state)
{
	static struct image image;
	static const uint64_t id = 9;
	struct perf_data_event event;
	make_event(&event, 0x11, 96);
	uint64_t sample_type = PERF_ABI_IP | PERF_ABI_TID | PERF_ABI_CPU | PERF_ABI_ID;
	memcpy(event.attr + PERF_ABI_ATTR_SAMPLE_TYPE, &sample_type, sizeof(sample_type));
	memset(event.attr + PERF_ABI_ATTR_FLAGS, 0, 8);
	event.attr[PERF_ABI_ATTR_TYPE] = 4;
	event.ids = &id;
	event.num_ids = 1;
	struct record_bytes bytes;
	begin_pipe(&image, &event);
	begin_record(&bytes, PERF_ABI_COMM, 0);
	put_halves(&bytes, 1, 1);
	put_text(&bytes, "a.exe");
	append_record(&image, &bytes);
	for (uint64_t i = 0; i < 3; i++) {
		begin_record(&bytes, PERF_ABI_SAMPLE, RECORD_MODE_USER);
		put(&bytes, 100 - i);
		put_halves(&bytes, 1, 2);
		put(&bytes, id);
		put_halves(&bytes, 3, 0);
		append_record(&image, &bytes);
	}
	_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader = open_image(&image);
	assert_string_equal(take(reader).comm.name, "a.exe");
	assert_string_equal(perf_data_reader_info(reader)->events[0].name, "raw:0x11");
	for (uint64_t i = 0; i < 3; i++) {
		struct record record = take(reader);
		assert_int_equal(record.sample.ip, 100 - i);
		assert_int_equal(record.cpu, 3);
		assert_int_equal(record.time_ns, 0);
	}
	assert_end(reader);
	assert_damage(reader, 0, 0);
}

static void test_unknown_and_broken_records_are_counted(void **state)
{
	const struct fixture *fixture = *state;
	static struct image image;
	struct record_bytes bytes;
	begin_pipe(&image, &fixture->events[0]);
	append_sample(&image, 1);
	begin_record(&bytes, 5000, 0);
	append_record(&image, &bytes);
	begin_record(&bytes, PERF_ABI_SAMPLE, 0);
	put(&bytes, 5);
	append_record(&image, &bytes);
	append_sample(&image, 2);
	append(&image, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
	_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader = open_image(&image);
	static const uint64_t times[] = {1, 2};
	assert_times(reader, times, 2);
	assert_damage(reader, 16, 2);
}

static void append_packed(struct image *image, uint32_t type, const uint8_t *bytes, size_t size)
{
	bool has_size = type == PERF_ABI_COMPRESSED2;
	size_t padding = has_size ? -size & 7 : 0;
	struct perf_abi_header header = {
		.type = type,
		.size = (uint16_t)(sizeof(header) + (has_size ? 8 : 0) + size + padding),
	};
	uint64_t size_word = size;
	append(image, &header, sizeof(header));
	if (has_size)
		append(image, &size_word, sizeof(size_word));
	append(image, bytes, size);
	append(image, "\0\0\0\0\0\0\0", padding);
}

// Records may begin in one part and end in the next, and what follows is not aligned.
static void test_compressed_records(void **state)
{
	const struct fixture *fixture = *state;
	static struct image image, plain;
	static const uint32_t types[] = {PERF_ABI_COMPRESSED, PERF_ABI_COMPRESSED2};
	for (size_t t = 0; t < ARRAY_SIZE(types); t++) {
		plain.size = 0;
		uint64_t times[101];
		for (uint64_t i = 0; i < 101; i++)
			times[i] = i + 1;
		for (size_t i = 0; i < 100; i++)
			append_sample(&plain, times[i]);
		uint8_t packed[8192];
		size_t size = ZSTD_compress(packed, sizeof(packed), plain.bytes, plain.size, 1);
		assert_false(ZSTD_isError(size));
		begin_pipe(&image, &fixture->events[0]);
		for (size_t i = 0; i < size; i += 33)
			append_packed(&image, types[t], packed + i, size - i < 33 ? size - i : 33);
		append_sample(&image, 101);
		_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader =
			open_image(&image);
		assert_times(reader, times, 101);
		assert_damage(reader, 0, 0);
	}
}

static void test_compressed_junk(void **state)
{
	const struct fixture *fixture = *state;
	static struct image image;
	begin_pipe(&image, &fixture->events[0]);
	append_packed(&image, PERF_ABI_COMPRESSED, (const uint8_t *)"junkjunk", 8);
	_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader = open_image(&image);
	struct record record;
	bool more;
	_cleanup_(error_destroyp) struct error *err = perf_data_reader_next(reader, &record, &more);
	assert_non_null(err);
	assert_non_null(strstr(err->message, "cannot read 'image': cannot decompress: "));
	assert_end(reader);
}

static void test_what_is_no_file_of_perf(void **state)
{
	struct perf_data_reader *reader;
	assert_error(perf_data_reader_open("/nowhere/x", &reader), ERROR_ABSENT,
		     "cannot open '/nowhere/x': No such file or directory");
	assert_error(perf_data_reader_open_memory("x", NULL, 0, &reader), ERROR_FAILED,
		     "cannot read 'x': it is not a perf.data file");
	assert_error(perf_data_reader_open_memory("x", "PERFILE1________", 16, &reader),
		     ERROR_FAILED, "cannot read 'x': it is not a perf.data file");
	assert_error(perf_data_reader_open_memory("x", "2ELIFREP________", 16, &reader),
		     ERROR_FAILED,
		     "cannot read 'x': its byte order is big-endian, which is not supported");
	assert_error(perf_data_reader_open_memory("x", "PERFILE2\150\0\0\0\0\0\0\0", 16, &reader),
		     ERROR_FAILED, "cannot read 'x': its header is truncated");
}

// Files of another tool: as many samples as perf script finds in them.
static void test_files_of_simpleperf(void **state)
{
	static const struct {
		const char *name;
		size_t num_samples;
		const char *event;
	} cases[] = {
		{"perf_display_bitmaps.data", 525, "cpu-clock"},
		{"perf_with_ip_zero_in_callchain.data", 1, "cache-misses"},
		{"perf_with_jit_symbol.data", 151, "cycles"},
		{"runtest_two_functions_arm64_perf.data", 2, "cycles"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char path[1024];
		snprintf(path, sizeof(path), "%s/data/perfdata/arm64-simpleperf/%s",
			 WPERF_SHARED_DIR, cases[i].name);
		skip_without(path);
		_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader = NULL;
		assert_no_error(perf_data_reader_open(path, &reader));
		size_t num_samples = 0;
		uint64_t last_ns = 0;
		for (;;) {
			struct record record;
			bool more;
			assert_no_error(perf_data_reader_next(reader, &record, &more));
			if (!more)
				break;
			num_samples += record.kind == RECORD_SAMPLE;
			assert_true(!record.time_ns || record.time_ns >= last_ns);
			if (record.time_ns)
				last_ns = record.time_ns;
		}
		assert_int_equal(num_samples, cases[i].num_samples);
		assert_damage(reader, 0, 0);
		const struct perf_data_info *info = perf_data_reader_info(reader);
		assert_string_equal(info->machine, "aarch64");
		size_t found = 0;
		for (size_t event = 0; event < info->num_events; event++)
			found += strstr(info->events[event].name, cases[i].event) != NULL;
		assert_true(found > 0);
	}
}

int perf_data_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records_come_back),
		cmocka_unit_test(test_what_the_file_says_of_itself),
		cmocka_unit_test(test_pdbs_are_read_back),
		cmocka_unit_test(test_nothing_said_is_nothing_read),
		cmocka_unit_test(test_rounds_are_put_in_order),
		cmocka_unit_test(test_a_killed_writer_leaves_what_was_flushed),
		cmocka_unit_test(test_a_file_cut_anywhere),
		cmocka_unit_test(test_a_chain_longer_than_a_record),
		cmocka_unit_test(test_what_the_writer_refuses),
		cmocka_unit_test(test_a_pipe_says_all_in_records),
		cmocka_unit_test(test_what_is_behind_a_record_is_passed_over),
		cmocka_unit_test(test_records_without_time_stay_in_their_order),
		cmocka_unit_test(test_unknown_and_broken_records_are_counted),
		cmocka_unit_test(test_compressed_records),
		cmocka_unit_test(test_compressed_junk),
		cmocka_unit_test(test_what_is_no_file_of_perf),
		cmocka_unit_test(test_files_of_simpleperf),
	};
	return cmocka_run_group_tests_name("perf_data", tests, set_up, tear_down);
}
