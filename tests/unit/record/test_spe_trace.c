// SPDX-License-Identifier: Apache-2.0

/** Files with traces of SPE's give its samples at their place among the other records. */

#include "record/perf_data/perf_data_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_error.h"
#include "base/container/array.h"
#include "record/perf_data/perf_abi.h"
#include "record/spe/spe_core.h"
#include "spe_bytes.h"

enum { PMU_TYPE = 8, ATTR_SIZE = 128, PERIOD = 1024, MARK = 0x10101010 };

#define NO_ONE      UINT32_MAX
#define SAMPLE_TYPE (PERF_ABI_IP | PERF_ABI_TID | PERF_ABI_TIME | PERF_ABI_CPU)

struct file {
	_Alignas(8) uint8_t bytes[1 << 17];
	size_t size;
	struct perf_data_reader *reader;
};

static void add_bytes(struct file *file, const void *bytes, size_t size)
{
	assert_true(file->size + size <= sizeof(file->bytes));
	memcpy(file->bytes + file->size, bytes, size);
	file->size += size;
}

static void add_record(struct file *file, uint32_t type, uint16_t misc, const uint64_t *words,
		       size_t num_words)
{
	struct perf_abi_header header = {type, misc, (uint16_t)(sizeof(header) + num_words * 8)};
	add_bytes(file, &header, sizeof(header));
	add_bytes(file, words, num_words * 8);
}

static uint64_t halves(uint32_t low, uint32_t high)
{
	return low | (uint64_t)high << 32;
}

static int set_up(void **state)
{
	struct file *file = calloc(1, sizeof(*file));
	uint8_t attr[ATTR_SIZE + sizeof(struct perf_abi_section)] = {PMU_TYPE};
	uint64_t words[][2] = {
		{PERF_ABI_ATTR_CONFIG, 1},
		{PERF_ABI_ATTR_PERIOD, PERIOD},
		{PERF_ABI_ATTR_SAMPLE_TYPE, SAMPLE_TYPE},
		{PERF_ABI_ATTR_FLAGS, PERF_ABI_ATTR_SAMPLE_ID_ALL},
	};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		memcpy(attr + words[i][0], &words[i][1], 8);
	struct perf_abi_file_header header = {
		.magic = PERF_ABI_MAGIC,
		.size = sizeof(header),
		.attr_size = sizeof(attr),
		.attrs = {sizeof(header), sizeof(attr)},
		.data = {sizeof(header) + sizeof(attr), 0},
	};
	add_bytes(file, &header, sizeof(header));
	add_bytes(file, attr, sizeof(attr));
	*state = file;
	return 0;
}

static int tear_down(void **state)
{
	struct file *file = *state;
	perf_data_reader_destroy(file->reader);
	free(file);
	return 0;
}

static void add_first_info(struct file *file)
{
	uint64_t words[] = {PERF_ABI_AUXTRACE_ARM_SPE, PMU_TYPE, 1};
	add_record(file, PERF_ABI_AUXTRACE_INFO, 0, words, ARRAY_SIZE(words));
}

// Of two cores of different kinds, as newer ones are.
static void add_second_info(struct file *file)
{
	uint64_t words[] = {
		PERF_ABI_AUXTRACE_ARM_SPE,
		2,
		4,
		PMU_TYPE,
		2,
		MARK,
		1,
		4,
		SPE_CORE_NEOVERSE_V2 | 1,
		PMU_TYPE,
		256,
		0,
		MARK,
		0,
		3,
		SPE_CORE_NEOVERSE_N1,
		PMU_TYPE,
		1024,
	};
	add_record(file, PERF_ABI_AUXTRACE_INFO, 0, words, ARRAY_SIZE(words));
}

// A tick is 2 ns, and tick 0 at 1,000 ns.
static void add_conversion(struct file *file)
{
	uint64_t words[] = {1, 4, 1000, 0, 0, 1};
	add_record(file, PERF_ABI_TIME_CONV, 0, words, ARRAY_SIZE(words));
}

static void add_piece(struct file *file, uint32_t index, uint32_t cpu, uint32_t tid,
		      uint64_t position, const void *bytes, size_t size)
{
	uint64_t words[] = {size, position, 0, halves(index, tid), halves(cpu, 0)};
	add_record(file, PERF_ABI_AUXTRACE, 0, words, ARRAY_SIZE(words));
	add_bytes(file, bytes, size);
}

static void add_aux(struct file *file, uint64_t position, uint64_t size, uint64_t flags,
		    uint32_t cpu, uint32_t tid, uint64_t time_ns)
{
	uint64_t words[] = {position, size, flags, halves(tid, tid), time_ns, halves(cpu, 0)};
	add_record(file, PERF_ABI_AUX, 0, words, ARRAY_SIZE(words));
}

static void add_comm(struct file *file, uint32_t pid, uint32_t tid, uint64_t time_ns)
{
	uint64_t words[] = {halves(pid, tid), 'x', halves(pid, tid), time_ns, halves(0, 0)};
	add_record(file, PERF_ABI_COMM, 0, words, ARRAY_SIZE(words));
}

// @next: 0: the thread comes; else it goes, and this one comes.
static void add_switch(struct file *file, uint32_t cpu, uint32_t pid, uint32_t tid, uint32_t next,
		       uint64_t time_ns)
{
	uint64_t words[] = {halves(next, next), halves(pid, tid), time_ns, halves(cpu, 0)};
	add_record(file, PERF_ABI_SWITCH_CPU_WIDE, next ? PERF_ABI_MISC_SWITCH_OUT : 0, words,
		   ARRAY_SIZE(words));
}

static void put_context(struct spe_bytes *to, uint32_t tid)
{
	put(to, 0x64, tid, 4);
}

// 64 bytes; with @ticks 0, without timestamp.
static void put_store(struct spe_bytes *to, uint64_t pc, uint32_t tid, uint64_t ticks)
{
	size_t start = to->size;
	put_address(to, SPE_ADDRESS_PC, pc);
	if (tid)
		put_context(to, tid);
	put_operation(to, 1, 1);
	put_address(to, SPE_ADDRESS_VIRTUAL, pc * 2);
	while (to->size < start + (ticks ? 55 : 63))
		put(to, 0, 0, 0);
	if (ticks)
		put_timestamp(to, ticks);
	else
		put_end(to);
}

static void open_file(struct file *file)
{
	struct perf_abi_file_header header;
	memcpy(&header, file->bytes, sizeof(header));
	header.data.size = file->size - header.data.offset;
	memcpy(file->bytes, &header, sizeof(header));
	assert_no_error(
		perf_data_reader_open_memory("file", file->bytes, file->size, &file->reader));
}

static struct record take(struct file *file)
{
	struct record record;
	bool more = false;
	assert_no_error(perf_data_reader_next(file->reader, &record, &more));
	assert_true(more);
	return record;
}

static struct record take_sample(struct file *file)
{
	struct record record;
	do
		record = take(file);
	while (record.kind != RECORD_SAMPLE);
	assert_non_null(record.sample.spe);
	return record;
}

static void assert_sample(struct file *file, uint64_t ip, uint64_t time_ns)
{
	struct record record = take_sample(file);
	assert_int_equal(record.sample.ip, ip);
	assert_int_equal(record.time_ns, time_ns);
}

static struct spe_trace_totals assert_end(struct file *file)
{
	struct record record;
	bool more = true;
	for (int i = 0; i < 2; i++) {
		do
			assert_no_error(perf_data_reader_next(file->reader, &record, &more));
		while (more && record.kind != RECORD_SAMPLE);
		assert_false(more);
	}
	return perf_data_reader_damage(file->reader).spe;
}

static void test_a_sample_says_all(void **state)
{
	struct file *file = *state;
	struct spe_bytes spe = {};
	put_store(&spe, 0x401000, 7, 500);
	put_store(&spe, UINT64_C(0xa0) << 56 | 0xffff0000000000, 0, 600);
	put_store(&spe, UINT64_C(0xc0) << 56 | 0x3000, 8, 700);
	add_first_info(file);
	add_comm(file, 6, 7, 0);
	add_piece(file, 0, 0, NO_ONE, 0, spe.bytes, spe.size);
	add_conversion(file); // behind the piece on purpose
	open_file(file);

	struct record record = take_sample(file);
	assert_int_equal(record.mode, RECORD_MODE_USER);
	assert_int_equal(record.pid, 6);
	assert_int_equal(record.tid, 7);
	assert_int_equal(record.cpu, 0);
	assert_int_equal(record.event, 0);
	assert_int_equal(record.time_ns, 2000);
	assert_int_equal(record.sample.ip, 0x401000);
	assert_int_equal(record.sample.address, 0x802000);
	assert_int_equal(record.sample.period, PERIOD);
	assert_int_equal(spe_record_class(record.sample.spe), 1);
	record = take_sample(file);
	assert_int_equal(record.mode, RECORD_MODE_KERNEL);
	assert_int_equal(record.tid, NO_ONE);
	assert_int_equal(record.sample.ip, UINT64_C(0xffffff) << 40);
	record = take_sample(file);
	assert_int_equal(record.mode, RECORD_MODE_HYPERVISOR);
	assert_int_equal(record.pid, 8); // nobody said of which process it is
	struct spe_trace_totals totals = assert_end(file);
	assert_int_equal(totals.num_records, 3);
	assert_int_equal(totals.num_bad_bytes + totals.num_damages + totals.num_truncations +
				 totals.num_gaps + totals.num_collisions + totals.num_unplaced,
			 0);
}

// Buffers, pieces and other records, all mixed: what comes out is in order.
static void test_order_of_time(void **state)
{
	struct file *file = *state;
	enum { NUM_BUFFERS = 5, NUM_SAMPLES = 40, NUM_RECORDS = 20 };
	struct spe_bytes *spe = calloc(NUM_BUFFERS, sizeof(*spe));
	for (uint32_t i = 0; i < NUM_BUFFERS * NUM_SAMPLES; i++)
		put_store(&spe[i * 7 % NUM_BUFFERS], i, 7, 100 + i * 10 + i * i % 7);
	add_first_info(file);
	add_conversion(file);
	for (uint32_t i = 0; i < NUM_RECORDS; i++)
		add_comm(file, 6, 7, 1000 + 2 * 107 * i);
	for (uint32_t i = 0; i < NUM_BUFFERS; i++)
		for (size_t at = 0, size; at < spe[i].size; at += size) {
			// Records are cut anywhere.
			size = spe[i].size - at < 8 * (50 + i) ? spe[i].size - at : 8 * (50 + i);
			add_piece(file, i, i, NO_ONE, at, spe[i].bytes + at, size);
		}
	free(spe);
	open_file(file);

	uint64_t last_ns = 0;
	size_t num_samples = 0;
	for (uint32_t i = 0; i < NUM_BUFFERS * NUM_SAMPLES + NUM_RECORDS;) {
		struct record record = take(file);
		if (record.kind == RECORD_OTHER)
			continue;
		i++;
		assert_true(record.time_ns >= last_ns);
		last_ns = record.time_ns;
		if (record.kind == RECORD_SAMPLE)
			assert_int_equal(record.sample.ip, num_samples++);
	}
	assert_int_equal(assert_end(file).num_damages, 0);
	assert_int_equal(num_samples, NUM_BUFFERS * NUM_SAMPLES);
}

static void test_cores_of_two_kinds(void **state)
{
	struct file *file = *state;
	add_second_info(file);
	add_conversion(file);
	for (uint32_t cpu = 0; cpu < 3; cpu++) {
		struct spe_bytes spe = {};
		put_store(&spe, cpu, 7, 10 + cpu);
		add_piece(file, cpu, cpu, NO_ONE, 0, spe.bytes, spe.size);
	}
	open_file(file);
	assert_int_equal(take_sample(file).sample.spe_midr, SPE_CORE_NEOVERSE_N1);
	assert_int_equal(take_sample(file).sample.spe_midr, SPE_CORE_NEOVERSE_V2 | 1);
	assert_int_equal(take_sample(file).sample.spe_midr, 0);
	assert_end(file);
}

// Without context packets, the switches of a core say who was there; of a thread's buffer, it does.
static void test_threads_by_switches(void **state)
{
	struct file *file = *state;
	struct spe_bytes of_core = {}, of_thread = {};
	put_store(&of_core, 1, 0, 1000);
	put_store(&of_core, 2, 0, 2000);
	put_store(&of_core, 3, 0, 3000);
	put_store(&of_core, 4, 0, 4000);
	put_store(&of_thread, 5, 0, 5000);
	add_first_info(file);
	add_conversion(file);
	add_comm(file, 60, 61, 0);
	add_switch(file, 0, 70, 71, 0, 1000 + 2 * 1500);
	add_switch(file, 0, 70, 71, 80, 1000 + 2 * 2500);
	add_switch(file, 1, 90, 91, 0, 1000 + 2 * 2600);
	uint64_t start[] = {halves(60, 61), halves(60, 61), 1000 + 2 * 3500, halves(0, 0)};
	add_record(file, PERF_ABI_ITRACE_START, 0, start, ARRAY_SIZE(start));
	add_piece(file, 0, 0, 61, 0, of_core.bytes, of_core.size);
	add_piece(file, 1, NO_ONE, 61, 0, of_thread.bytes, of_thread.size);
	open_file(file);
	static const uint32_t expected[][2] = {{60, 61}, {70, 71}, {80, 80}, {60, 61}, {60, 61}};
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		struct record record = take_sample(file);
		assert_int_equal(record.sample.ip, i + 1);
		assert_int_equal(record.pid, expected[i][0]);
		assert_int_equal(record.tid, expected[i][1]);
		assert_int_equal(record.cpu, i < 4 ? 0 : NO_ONE);
	}
	assert_end(file);
}

// Samples without time come when the kernel says that they are there, the others at the end.
static void test_without_timestamps(void **state)
{
	struct file *file = *state;
	struct spe_bytes spe = {};
	for (uint64_t i = 1; i < 5; i++)
		put_store(&spe, i, 7, 0);
	add_first_info(file);
	add_piece(file, 0, 0, NO_ONE, 0x10000, spe.bytes, spe.size);
	add_comm(file, 6, 7, 100);
	add_aux(file, 0x10000, 2 * 64, 0, 0, 7, 200);
	add_comm(file, 8, 8, 300);
	open_file(file);
	assert_int_equal(take(file).kind, RECORD_OTHER); // the piece
	assert_int_equal(take(file).kind, RECORD_COMM);
	assert_int_equal(take(file).kind, RECORD_OTHER); // that it is there
	assert_sample(file, 1, 0);
	assert_sample(file, 2, 0);
	assert_int_equal(take(file).kind, RECORD_COMM);
	assert_sample(file, 3, 0);
	assert_sample(file, 4, 0);
	assert_int_equal(assert_end(file).num_unplaced, 0);
}

static void test_ticks_that_nothing_converts(void **state)
{
	struct file *file = *state;
	struct spe_bytes spe = {};
	put_store(&spe, 1, 7, 500);
	add_first_info(file);
	uint64_t nonsense[] = {64, 4, 1000, 0, 0, 1};
	add_record(file, PERF_ABI_TIME_CONV, 0, nonsense, ARRAY_SIZE(nonsense));
	add_piece(file, 0, 0, NO_ONE, 0, spe.bytes, spe.size);
	open_file(file);
	assert_sample(file, 1, 0);
	assert_int_equal(assert_end(file).num_unplaced, 1);
}

// perf fills a piece up to 8 bytes and goes on where it was: that is no gap.
static void test_pieces_that_were_filled_up(void **state)
{
	struct file *file = *state;
	struct spe_bytes spe = {};
	for (uint64_t i = 1; i < 4; i++)
		put_store(&spe, i, 7, i);
	uint8_t piece[104] = {};
	memcpy(piece, spe.bytes, 99);
	add_first_info(file);
	add_conversion(file);
	add_piece(file, 0, 0, NO_ONE, 0, piece, sizeof(piece));
	add_piece(file, 0, 0, NO_ONE, 99, spe.bytes + 99, spe.size - 99);
	open_file(file);
	for (uint64_t i = 1; i < 4; i++)
		assert_sample(file, i, 1000 + 2 * i);
	struct spe_trace_totals totals = assert_end(file);
	assert_int_equal(totals.num_damages, 0);
	assert_int_equal(totals.num_bad_bytes, 0);
}

static void test_what_lacks_is_counted(void **state)
{
	struct file *file = *state;
	struct spe_bytes spe = {};
	for (uint64_t i = 1; i < 4; i++)
		put_store(&spe, i, 7, i);
	add_first_info(file);
	add_conversion(file);
	// The second is cut, and the third is somewhere else.
	add_piece(file, 0, 0, NO_ONE, 0, spe.bytes, 96);
	add_piece(file, 0, 0, NO_ONE, 4096, spe.bytes + 128, 64);
	add_aux(file, 0, 96, PERF_ABI_AUX_TRUNCATED | PERF_ABI_AUX_COLLISION, 0, 7, 9000);
	add_aux(file, 4096, 64, PERF_ABI_AUX_PARTIAL | PERF_ABI_AUX_COLLISION, 0, 7, 9001);
	open_file(file);
	assert_sample(file, 1, 1002);
	assert_sample(file, 3, 1006);
	struct spe_trace_totals totals = assert_end(file);
	assert_int_equal(totals.num_records, 2);
	assert_int_equal(totals.num_bad_bytes, 32);
	assert_int_equal(totals.num_damages, 1);
	assert_int_equal(totals.num_truncations, 1);
	assert_int_equal(totals.num_gaps, 1);
	assert_int_equal(totals.num_collisions, 2);
}

static void test_a_file_that_ends_in_a_piece(void **state)
{
	struct file *file = *state;
	struct spe_bytes spe = {};
	for (uint64_t i = 1; i < 4; i++)
		put_store(&spe, i, 7, i);
	add_first_info(file);
	add_conversion(file);
	add_piece(file, 0, 0, NO_ONE, 0, spe.bytes, spe.size);
	file->size -= 70;
	open_file(file);
	assert_sample(file, 1, 1002);
	assert_int_equal(assert_end(file).num_records, 1);
	assert_int_equal(perf_data_reader_damage(file->reader).truncated_bytes, spe.size - 70);
}

static void test_traces_of_others_are_passed_over(void **state)
{
	struct file *file = *state;
	uint64_t info[] = {3, PMU_TYPE, 1};
	uint8_t bytes[64] = {0xb0};
	add_record(file, PERF_ABI_AUXTRACE_INFO, 0, info, ARRAY_SIZE(info));
	add_piece(file, 0, 0, NO_ONE, 0, bytes, sizeof(bytes));
	open_file(file);
	assert_int_equal(assert_end(file).num_records, 0);
}

static void test_descriptions_that_make_no_sense(void **state)
{
	static const uint64_t descriptions[][8] = {
		{PERF_ABI_AUXTRACE_ARM_SPE, 1, 4, PMU_TYPE, 0, 0, 0, 0},    // of no such version
		{PERF_ABI_AUXTRACE_ARM_SPE, 2, 8, PMU_TYPE, 0, 0, 0, 0},    // longer than it is
		{PERF_ABI_AUXTRACE_ARM_SPE, 2, 4, PMU_TYPE, 2, MARK, 0, 0}, // two cores
		{PERF_ABI_AUXTRACE_ARM_SPE, 2, 4, PMU_TYPE, 1, MARK, 0, 2}, // more words
		{PERF_ABI_AUXTRACE_ARM_SPE, 2, 4, PMU_TYPE, 1, MARK, 0, 0}, // too few
		{PERF_ABI_AUXTRACE_ARM_SPE, 2, UINT64_MAX / 8 + 1, PMU_TYPE, 1, MARK, 0, 0},
	};
	struct file *file = *state;
	size_t size = file->size;
	for (size_t i = 0; i < ARRAY_SIZE(descriptions); i++) {
		file->size = size;
		add_record(file, PERF_ABI_AUXTRACE_INFO, 0, descriptions[i], 8);
		open_file(file);
		struct record record;
		bool more;
		assert_error(perf_data_reader_next(file->reader, &record, &more), ERROR_FAILED,
			     "cannot read 'file': its SPE description is damaged");
		perf_data_reader_destroy(file->reader);
		file->reader = NULL;
	}
}

int spe_trace_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_a_sample_says_all, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_order_of_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_cores_of_two_kinds, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_threads_by_switches, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_without_timestamps, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_ticks_that_nothing_converts, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_pieces_that_were_filled_up, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_what_lacks_is_counted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_a_file_that_ends_in_a_piece, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_traces_of_others_are_passed_over, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_descriptions_that_make_no_sense, set_up,
						tear_down),
	};
	return cmocka_run_group_tests_name("spe_trace", tests, NULL, NULL);
}
