// SPDX-License-Identifier: Apache-2.0

#include "object/unpack/decompress.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { SIZE = 300000, ROOM = SIZE + 10000 };

static const enum decompress_method methods[] = {DECOMPRESS_ZLIB, DECOMPRESS_ZSTD};

static uint8_t bytes[SIZE], packed[ROOM];

/** From bytes that are all the same to random ones. */
static void fill(unsigned kind)
{
	uint32_t state = 1;
	for (size_t i = 0; i < SIZE; i++) {
		state = state * 1664525 + 1013904223;
		uint32_t number = state >> 16;
		if (kind == 0)
			bytes[i] = 7;
		else if (kind == 1)
			bytes[i] = (uint8_t) "debug_info"[number % 16 ? i % 10 : number % 10];
		else
			bytes[i] = (uint8_t)number;
	}
}

static struct object_bytes pack(enum decompress_method method)
{
	size_t size = sizeof(packed);
	if (method == DECOMPRESS_ZLIB) {
		uLongf zlib_size = size;
		assert_int_equal(compress(packed, &zlib_size, bytes, SIZE), Z_OK);
		size = zlib_size;
	} else {
		size = ZSTD_compress(packed, size, bytes, SIZE, 1);
		assert_false(ZSTD_isError(size));
	}
	return (struct object_bytes){.data = packed, .size = size};
}

static void assert_damaged(enum decompress_method method, struct object_bytes data, size_t size)
{
	uint8_t *unpacked;
	assert_error(decompress(method, data, size, &unpacked), ERROR_FAILED,
		     "compressed bytes are damaged");
}

static void it_unpacks_exactly_what_was_packed(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++) {
		for (unsigned kind = 0; kind < 3; kind++) {
			fill(kind);
			struct object_bytes data = pack(methods[i]);
			_cleanup_free_ uint8_t *unpacked = NULL;
			assert_no_error(decompress(methods[i], data, SIZE, &unpacked));
			assert_memory_equal(unpacked, bytes, SIZE);
			assert_damaged(methods[i], data, SIZE - 1);
			assert_damaged(methods[i], data, SIZE + 1);
			data.size--;
			assert_damaged(methods[i], data, SIZE);
		}
	}
}

// The sanitizers watch for writes beyond the result.
static void it_survives_damage(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++) {
		fill(1);
		struct object_bytes data = pack(methods[i]);
		for (size_t place = 0; place < data.size; place += 1 + place / 8) {
			uint8_t *unpacked = NULL;
			packed[place] ^= 0x55;
			error_destroy(decompress(methods[i], data, SIZE, &unpacked));
			free(unpacked);
			packed[place] ^= 0x55;
		}
	}
}

static void it_checks_the_checksum_of_zlib(void **state)
{
	fill(1);
	struct object_bytes data = pack(DECOMPRESS_ZLIB);
	packed[data.size - 1] ^= 1;
	assert_damaged(DECOMPRESS_ZLIB, data, SIZE);
}

static void it_refuses_other_formats(void **state)
{
	static const uint8_t others[][4] = {
		{0x1f, 0x8b, 8, 0}, {0x28, 0xb5, 0x2f, 0xfd}, {0x78, 0x9d}};
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		struct object_bytes data = {.data = others[i], .size = sizeof(others[i])};
		assert_damaged(DECOMPRESS_ZLIB, data, 1);
		assert_damaged(DECOMPRESS_ZSTD, data, 1);
	}
}

// No memory is taken for a size that a file only claims.
static void it_refuses_sizes_that_cannot_be(void **state)
{
	static const struct {
		enum decompress_method method;
		size_t packed_size;
		uint64_t size;
		const char *message;
	} cases[] = {
		{DECOMPRESS_ZLIB, 4, 0, "4 compressed bytes cannot hold 0"},
		{DECOMPRESS_ZLIB, 4, 6000, "4 compressed bytes cannot hold 6000"},
		{DECOMPRESS_ZLIB, 0, 1033, "0 compressed bytes cannot hold 1033"},
		{DECOMPRESS_ZSTD, 8, 2 << 20, "8 compressed bytes cannot hold 2097152"},
		{DECOMPRESS_ZSTD, ROOM, (1 << 30) + 1,
		 "310000 compressed bytes cannot hold 1073741825"},
		{DECOMPRESS_ZSTD, ROOM, UINT64_MAX,
		 "310000 compressed bytes cannot hold 18446744073709551615"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct object_bytes data = {.data = packed, .size = cases[i].packed_size};
		uint8_t *unpacked;
		assert_error(decompress(cases[i].method, data, cases[i].size, &unpacked),
			     ERROR_FAILED, cases[i].message);
	}
}

int decompress_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_unpacks_exactly_what_was_packed),
		cmocka_unit_test(it_survives_damage),
		cmocka_unit_test(it_checks_the_checksum_of_zlib),
		cmocka_unit_test(it_refuses_other_formats),
		cmocka_unit_test(it_refuses_sizes_that_cannot_be),
	};
	return cmocka_run_group_tests_name("decompress", tests, NULL, NULL);
}
