// SPDX-License-Identifier: Apache-2.0

#include "base/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/container/array.h"

#include <string.h>

static const uint8_t one_to_fifteen[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static void test_little_endian_numbers(void **state)
{
	struct reader reader = reader_create(one_to_fifteen, sizeof(one_to_fifteen));
	assert_int_equal(reader_u8(&reader), 1);
	assert_int_equal(reader_u16(&reader), 0x0302);
	assert_int_equal(reader_u32(&reader), 0x07060504);
	assert_int_equal(reader_u64(&reader), UINT64_C(0x0f0e0d0c0b0a0908));
	assert_int_equal(reader_left(&reader), 0);
	assert_false(reader.failed);
}

static void test_big_endian_numbers(void **state)
{
	struct reader reader = reader_create(one_to_fifteen, sizeof(one_to_fifteen));
	reader.big_endian = true;
	assert_int_equal(reader_u8(&reader), 1);
	assert_int_equal(reader_u16(&reader), 0x0203);
	assert_int_equal(reader_u32(&reader), 0x04050607);
	assert_int_equal(reader_u64(&reader), UINT64_C(0x08090a0b0c0d0e0f));
	assert_false(reader.failed);
}

static void test_a_failed_reader_gives_nothing_more(void **state)
{
	struct reader reader = reader_create(one_to_fifteen, 3);
	assert_int_equal(reader_u32(&reader), 0);
	assert_true(reader.failed);
	assert_int_equal(reader.offset, 0);
	assert_int_equal(reader_left(&reader), 0);
	assert_int_equal(reader_u8(&reader), 0);
	assert_int_equal(reader_u16(&reader), 0);
	assert_int_equal(reader_u64(&reader), 0);
	assert_int_equal(reader_uleb128(&reader), 0);
	assert_int_equal(reader_sleb128(&reader), 0);
	assert_null(reader_bytes(&reader, 0));
	assert_null(reader_string(&reader));
	assert_true(reader_sub(&reader, 0).failed);
	reader_seek(&reader, 1);
	reader_align(&reader, 4);
	reader_skip(&reader, 1);
	assert_int_equal(reader.offset, 0);
	assert_true(reader.failed);
}

static void test_an_empty_buffer_may_be_null(void **state)
{
	struct reader reader = reader_create(NULL, 0);
	reader_seek(&reader, 0);
	reader_align(&reader, 8);
	assert_non_null(reader_bytes(&reader, 0));
	assert_false(reader_sub(&reader, 0).failed);
	assert_false(reader.failed);
	assert_null(reader_string(&reader));
	assert_true(reader.failed);
}

static void test_lengths_near_the_top_do_not_wrap(void **state)
{
	static const size_t lengths[] = {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2, 15};
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		struct reader reader = reader_create(one_to_fifteen, sizeof(one_to_fifteen));
		reader_u8(&reader);
		struct reader copy = reader;
		assert_null(reader_bytes(&reader, lengths[i]));
		assert_int_equal(reader.offset, 1);
		reader_skip(&copy, lengths[i]);
		assert_true(copy.failed);
	}
}

static void test_strings_need_their_nul(void **state)
{
	static const char text[] = {'a', 'b', 0, 0, 'c'};
	struct reader reader = reader_create(text, sizeof(text));
	assert_ptr_equal(reader_string(&reader), text);
	assert_string_equal(reader_string(&reader), "");
	assert_int_equal(reader.offset, 4);
	assert_null(reader_string(&reader));
	assert_true(reader.failed);
	assert_int_equal(reader.offset, 4);
}

static void test_seek_reaches_the_end_but_not_beyond(void **state)
{
	struct reader reader = reader_create(one_to_fifteen, sizeof(one_to_fifteen));
	reader_seek(&reader, sizeof(one_to_fifteen));
	assert_false(reader.failed);
	assert_int_equal(reader_left(&reader), 0);
	reader_seek(&reader, 4);
	assert_int_equal(reader_u8(&reader), 5);
	reader_seek(&reader, sizeof(one_to_fifteen) + 1);
	assert_true(reader.failed);
	assert_int_equal(reader.offset, 5);
}

static void test_align_counts_from_the_start(void **state)
{
	struct reader reader = reader_create(one_to_fifteen, sizeof(one_to_fifteen));
	reader_align(&reader, 8);
	assert_int_equal(reader.offset, 0);
	reader_u8(&reader);
	reader_align(&reader, 1);
	assert_int_equal(reader.offset, 1);
	reader_align(&reader, 8);
	assert_int_equal(reader.offset, 8);
	reader_align(&reader, 8);
	assert_int_equal(reader.offset, 8);
	reader_u8(&reader);
	reader_align(&reader, 16);
	assert_true(reader.failed);
	assert_int_equal(reader.offset, 9);
}

static void test_sub_readers_end_where_they_should(void **state)
{
	struct reader reader = reader_create(one_to_fifteen, sizeof(one_to_fifteen));
	reader.big_endian = true;
	struct reader sub = reader_sub(&reader, 3);
	assert_int_equal(reader.offset, 3);
	assert_int_equal(reader_u16(&sub), 0x0102);
	assert_int_equal(reader_u16(&sub), 0);
	assert_true(sub.failed);
	assert_false(reader.failed);
	sub = reader_sub(&reader, 13);
	assert_true(sub.failed);
	assert_true(reader.failed);
	assert_int_equal(sub.size, 0);
}

struct leb128_case {
	const char *bytes;
	size_t size;
	uint64_t value;
};

#define LEB128(bytes, value)                                  \
	{                                                     \
		(bytes), sizeof(bytes) - 1, (uint64_t)(value) \
	}

static const struct leb128_case good_uleb128[] = {
	LEB128("\x00", 0),
	LEB128("\x7f", 127),
	LEB128("\x80\x01", 128),
	LEB128("\xe5\x8e\x26", 624485),
	LEB128("\x80\x80\x00", 0),
	LEB128("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", UINT64_MAX),
	LEB128("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00", UINT64_MAX / 2),
};

static const struct leb128_case good_sleb128[] = {
	LEB128("\x00", 0),
	LEB128("\x3f", 63),
	LEB128("\x7f", -1),
	LEB128("\x40", -64),
	LEB128("\xc0\x00", 64),
	LEB128("\x80\x7f", -128),
	LEB128("\xff\xff\x7f", -1),
	LEB128("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00", INT64_MAX),
	LEB128("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f", INT64_MIN),
};

static const struct leb128_case bad_uleb128[] = {
	LEB128("", 0),
	LEB128("\x80", 0),
	LEB128("\xff\xff\xff", 0),
	LEB128("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 0),
	LEB128("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 0),
	LEB128("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 0),
};

static const struct leb128_case bad_sleb128[] = {
	LEB128("", 0),
	LEB128("\x80", 0),
	LEB128("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 0),
	LEB128("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x3f", 0),
	LEB128("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 0),
};

static uint64_t read_sleb128(struct reader *reader)
{
	return (uint64_t)reader_sleb128(reader);
}

static void check_leb128(const struct leb128_case *cases, size_t num_cases, bool good,
			 uint64_t (*read)(struct reader *reader))
{
	for (size_t i = 0; i < num_cases; i++) {
		struct reader reader = reader_create(cases[i].bytes, cases[i].size);
		assert_int_equal(read(&reader), cases[i].value);
		assert_int_equal(reader.failed, !good);
		assert_int_equal(reader.offset, good ? cases[i].size : 0);
	}
}

static void test_leb128(void **state)
{
	check_leb128(good_uleb128, ARRAY_SIZE(good_uleb128), true, reader_uleb128);
	check_leb128(bad_uleb128, ARRAY_SIZE(bad_uleb128), false, reader_uleb128);
	check_leb128(good_sleb128, ARRAY_SIZE(good_sleb128), true, read_sleb128);
	check_leb128(bad_sleb128, ARRAY_SIZE(bad_sleb128), false, read_sleb128);
}

static size_t random_size(void)
{
	static const size_t odd_sizes[] = {0, 1, SIZE_MAX, SIZE_MAX - 7, SIZE_MAX / 2 + 1};
	if (rand() % 8 == 0)
		return odd_sizes[(size_t)rand() % ARRAY_SIZE(odd_sizes)];
	return (size_t)rand() % 12;
}

static void touch(const uint8_t *bytes, size_t size, const struct reader *reader)
{
	if (!bytes)
		return;
	assert_true(bytes >= reader->data && bytes + size <= reader->data + reader->size);
	volatile uint8_t sum = 0;
	for (size_t i = 0; i < size; i++)
		sum = (uint8_t)(sum + bytes[i]);
}

static void do_something(struct reader *reader)
{
	size_t size = random_size();
	switch (rand() % 12) {
	case 0:
		reader_u8(reader);
		break;
	case 1:
		reader_u16(reader);
		break;
	case 2:
		reader_u32(reader);
		break;
	case 3:
		reader_u64(reader);
		break;
	case 4:
		reader_uleb128(reader);
		break;
	case 5:
		reader_sleb128(reader);
		break;
	case 6:
		touch(reader_bytes(reader, size), size, reader);
		break;
	case 7: {
		const char *text = reader_string(reader);
		touch((const uint8_t *)text, text ? strlen(text) + 1 : 0, reader);
		break;
	}
	case 8:
		reader_skip(reader, size);
		break;
	case 9:
		reader_seek(reader, size);
		break;
	case 10:
		reader_align(reader, (size_t)1 << rand() % 64);
		break;
	case 11: {
		struct reader sub = reader_sub(reader, size);
		reader_u32(&sub);
		reader_string(&sub);
		break;
	}
	}
}

// The buffer is exactly as large as it says, so the sanitizer sees each byte read beyond it.
static void test_random_walks_stay_inside(void **state)
{
	srand(5);
	for (int round = 0; round < 20000; round++) {
		size_t size = (size_t)rand() % 40;
		_cleanup_free_ uint8_t *data = malloc(size ? size : 1);
		for (size_t i = 0; i < size; i++)
			data[i] = (uint8_t)(rand() % 3 ? rand() : 0x80 * (rand() % 2));
		struct reader reader = reader_create(data, size);
		reader.big_endian = rand() % 2;
		for (int i = 0; i < 20; i++) {
			bool failed = reader.failed;
			size_t offset = reader.offset;
			do_something(&reader);
			assert_true(reader.offset <= size);
			assert_true(reader.failed || !failed);
			if (reader.failed)
				assert_int_equal(reader.offset, offset);
		}
	}
}

int reader_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_little_endian_numbers),
		cmocka_unit_test(test_big_endian_numbers),
		cmocka_unit_test(test_a_failed_reader_gives_nothing_more),
		cmocka_unit_test(test_an_empty_buffer_may_be_null),
		cmocka_unit_test(test_lengths_near_the_top_do_not_wrap),
		cmocka_unit_test(test_strings_need_their_nul),
		cmocka_unit_test(test_seek_reaches_the_end_but_not_beyond),
		cmocka_unit_test(test_align_counts_from_the_start),
		cmocka_unit_test(test_sub_readers_end_where_they_should),
		cmocka_unit_test(test_leb128),
		cmocka_unit_test(test_random_walks_stay_inside),
	};
	return cmocka_run_group_tests_name("reader", tests, NULL, NULL);
}
