// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/record_encoder.h"

#include "base/container/array.h"
#include "record/perf_data/event_attr.h"
#include "record/perf_data/perf_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#include <string.h>

static const uint64_t chain[] = {0x1000, 0x2000};
static const struct record_branch branches[] = {{0x1100, 0x1200, 1}, {0x1300, 0x1400, 2}};
static const struct record access_record = {
	.kind = RECORD_SAMPLE,
	.mode = RECORD_MODE_USER,
	.pid = 7,
	.tid = 8,
	.time_ns = 9,
	.cpu = 3,
	.sample = {.ip = 0x1000,
		   .period = 30,
		   .address = 0x7fff12345678,
		   .data_source = 0x68100142,
		   .latency = 44,
		   .chain = chain,
		   .chain_length = ARRAY_SIZE(chain),
		   .branches = branches,
		   .num_branches = ARRAY_SIZE(branches)},
};

/** What is written with these fields, as a reader of them has it. @words: keeps the record. */
static struct record write_and_read(const struct record *record, uint64_t more, uint64_t *words)
{
	size_t num_words;
	struct record read = {0};
	assert_no_error(record_encode(record, 5, more, words, &num_words));
	const struct perf_format format = {.sample_type = RECORD_ENCODER_SAMPLE_TYPE | more,
					   .sample_id_all = true};
	const struct perf_formats formats = {.events = &format, .num_events = 1};
	assert_no_error(perf_format_decode(&formats, words, num_words * sizeof(*words), &read));
	return read;
}

static uint64_t words[RECORD_ENCODER_MAX_WORDS];

static void test_accesses_and_branches_are_kept(void **state)
{
	struct record read = write_and_read(&access_record, RECORD_ENCODER_MORE_FIELDS, words);
	const struct record_sample *sample = &read.sample, *wanted = &access_record.sample;
	assert_int_equal(sample->ip, wanted->ip);
	assert_int_equal(sample->address, wanted->address);
	assert_int_equal(sample->data_source, wanted->data_source);
	assert_int_equal(sample->latency, wanted->latency);
	assert_int_equal(sample->period, wanted->period);
	assert_int_equal(read.cpu, 3);
	assert_int_equal(sample->chain_length, ARRAY_SIZE(chain));
	assert_memory_equal(sample->chain, chain, sizeof(chain));
	assert_int_equal(sample->num_branches, ARRAY_SIZE(branches));
	assert_memory_equal(sample->branches, branches, sizeof(branches));
}

static void test_each_field_alone(void **state)
{
	static const uint64_t fields[] = {0, PERF_ABI_ADDR, PERF_ABI_BRANCH_STACK, PERF_ABI_WEIGHT,
					  PERF_ABI_DATA_SOURCE};
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		struct record read = write_and_read(&access_record, fields[i], words);
		bool has_address = fields[i] == PERF_ABI_ADDR;
		assert_int_equal(read.sample.address,
				 has_address ? access_record.sample.address : 0);
		assert_int_equal(read.sample.num_branches,
				 fields[i] == PERF_ABI_BRANCH_STACK ? ARRAY_SIZE(branches) : 0);
		assert_int_equal(read.sample.chain_length, ARRAY_SIZE(chain));
	}
}

/** More than fits: the record stays within its limit, and reads back. */
static void test_the_largest_fit(void **state)
{
	static uint64_t long_chain[RECORD_ENCODER_MAX_WORDS];
	static struct record_branch many[RECORD_ENCODER_MAX_WORDS];
	static const uint8_t payload[RECORD_ENCODER_MAX_PAYLOAD];
	struct record record = access_record;
	record.sample.payload = payload;
	record.sample.payload_size = sizeof(payload);
	record.sample.chain = long_chain;
	record.sample.chain_length = ARRAY_SIZE(long_chain);
	record.sample.branches = many;
	record.sample.num_branches = ARRAY_SIZE(many);
	struct record read = write_and_read(&record, RECORD_ENCODER_MORE_FIELDS, words);
	assert_in_range(read.raw_size, PERF_ABI_MAX_RECORD - 64, PERF_ABI_MAX_RECORD);
	assert_true(read.sample.num_branches > 64 && read.sample.chain_length > 1000);
	record.sample.num_branches = 0;
	read = write_and_read(&record, 0, words);
	assert_in_range(read.raw_size, PERF_ABI_MAX_RECORD - 64, PERF_ABI_MAX_RECORD);
}

/** Whoever dropped the bytes may have left their number. */
static void test_no_payload_is_an_empty_one(void **state)
{
	struct record record = access_record;
	record.sample.payload_size = 28;
	struct record read = write_and_read(&record, PERF_ABI_RAW, words);
	assert_int_equal(read.sample.payload_size, 4); // up to the end of the word
	assert_memory_equal(read.sample.payload, "\0\0\0\0", 4);
}

static void store64(uint8_t *attr, size_t offset, uint64_t value)
{
	memcpy(attr + offset, &value, sizeof(value));
}

/** What the attribute promises is what is written: calls by LBR became a chain. */
static void test_attributes_keep_these_fields(void **state)
{
	static const struct {
		uint64_t given, branch_type, more, branch_type_kept;
	} rows[] = {
		{PERF_ABI_ADDR | PERF_ABI_DATA_SOURCE | PERF_ABI_WEIGHTS | PERF_ABI_REGS_USER, 0,
		 PERF_ABI_ADDR | PERF_ABI_DATA_SOURCE | PERF_ABI_WEIGHT, 0},
		{PERF_ABI_BRANCH_STACK, 8 | PERF_ABI_BRANCH_HW_INDEX, PERF_ABI_BRANCH_STACK, 8},
		{PERF_ABI_BRANCH_STACK, PERF_ABI_BRANCH_CALL_STACK, 0, 0},
		{PERF_ABI_STACK_USER, 0, 0, 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint8_t attr[128] = {0};
		store64(attr, PERF_ABI_ATTR_SAMPLE_TYPE, rows[i].given);
		store64(attr, PERF_ABI_ATTR_BRANCH_TYPE, rows[i].branch_type);
		event_attr_set_written(attr, RECORD_ENCODER_SAMPLE_TYPE);
		struct perf_format format = event_attr_format(attr, sizeof(attr));
		assert_int_equal(format.sample_type, RECORD_ENCODER_SAMPLE_TYPE | rows[i].more);
		assert_int_equal(format.branch_sample_type, rows[i].branch_type_kept);
		assert_int_equal(event_attr_more_fields(attr), rows[i].more);
	}
}

int record_encoder_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accesses_and_branches_are_kept),
		cmocka_unit_test(test_each_field_alone),
		cmocka_unit_test(test_the_largest_fit),
		cmocka_unit_test(test_no_payload_is_an_empty_one),
		cmocka_unit_test(test_attributes_keep_these_fields),
	};
	return cmocka_run_group_tests_name("record_encoder", tests, NULL, NULL);
}
