// SPDX-License-Identifier: Apache-2.0

#include "base/inflater.h"

#include "base/array.h"
#include "base/cleanup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

enum { SIZE = 300000 };

/** From what repeats itself to what nobody can pack. */
static void fill(uint8_t *bytes, unsigned kind)
{
	uint32_t state = 1;
	for (size_t i = 0; i < SIZE; i++) {
		state = state * 1664525 + 1013904223;
		uint32_t number = state >> 16;
		if (kind == 0)
			bytes[i] = 7;
		else if (kind == 1)
			bytes[i] = (uint8_t) "debug_info"[number % 16 ? i % 10 : number % 10];
		else if (kind == 2)
			bytes[i] = (uint8_t)(number & number >> 3 & number >> 6);
		else
			bytes[i] = (uint8_t)number;
	}
}

/** @return: how many packed bytes there are. */
static size_t pack(const uint8_t *bytes, uint8_t *packed, size_t room, int level, int strategy)
{
	z_stream stream = {0};
	assert_int_equal(deflateInit2(&stream, level, Z_DEFLATED, 15, 8, strategy), Z_OK);
	stream.next_in = (uint8_t *)bytes;
	stream.avail_in = SIZE;
	stream.next_out = packed;
	stream.avail_out = (uInt)room;
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	assert_int_equal(deflateEnd(&stream), Z_OK);
	return stream.total_out;
}

static void it_unpacks_what_zlib_packs(void **state)
{
	(void)state;
	static const struct {
		int level, strategy;
	} ways[] = {{0, Z_DEFAULT_STRATEGY},
		    {1, Z_DEFAULT_STRATEGY},
		    {6, Z_DEFAULT_STRATEGY},
		    {9, Z_DEFAULT_STRATEGY},
		    {6, Z_FIXED},
		    {6, Z_HUFFMAN_ONLY},
		    {6, Z_RLE}};
	size_t room = compressBound(SIZE) + 1000;
	_cleanup_free_ uint8_t *bytes = malloc(SIZE);
	_cleanup_free_ uint8_t *packed = malloc(room);
	_cleanup_free_ uint8_t *unpacked = malloc(SIZE);
	for (unsigned kind = 0; kind < 4; kind++) {
		fill(bytes, kind);
		for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
			size_t size = pack(bytes, packed, room, ways[i].level, ways[i].strategy);
			assert_true(inflater_unpack(packed, size, unpacked, SIZE));
			assert_memory_equal(unpacked, bytes, SIZE);
			assert_false(inflater_unpack(packed, size - 1, unpacked, SIZE));
			assert_false(inflater_unpack(packed, size, unpacked, SIZE - 1));
			packed[size - 1] ^= 1;
			assert_false(inflater_unpack(packed, size, unpacked, SIZE));
		}
	}
}

static void it_unpacks_nothing(void **state)
{
	(void)state;
	uint8_t packed[64], unpacked[1] = {0};
	uLongf size = sizeof(packed);
	assert_int_equal(compress(packed, &size, unpacked, 0), Z_OK);
	assert_true(inflater_unpack(packed, size, unpacked, 0));
	assert_false(inflater_unpack(packed, size, unpacked, 1));
	assert_false(inflater_unpack(packed, 0, unpacked, 0));
}

static void it_refuses_other_formats(void **state)
{
	(void)state;
	uint8_t unpacked[1];
	static const uint8_t others[][4] = {
		{0x1f, 0x8b, 8, 0}, {0x28, 0xb5, 0x2f, 0xfd}, {0x78, 0x9d}};
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		assert_false(inflater_unpack(others[i], sizeof(others[i]), unpacked, 1));
}

int inflater_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_unpacks_what_zlib_packs),
		cmocka_unit_test(it_unpacks_nothing),
		cmocka_unit_test(it_refuses_other_formats),
	};
	return cmocka_run_group_tests_name("inflater", tests, NULL, NULL);
}
