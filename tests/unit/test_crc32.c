// SPDX-License-Identifier: Apache-2.0

#include "base/crc32.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <zlib.h>

static struct crc32 crc;

static void test_the_known_value(void **state)
{
	crc32_init(&crc);
	assert_int_equal(crc.value, 0);
	crc32_add(&crc, "123456789", 9);
	assert_int_equal(crc.value, 0xcbf43926);
}

static void test_pieces_add_up(void **state)
{
	enum { SIZE = 1000 };
	uint8_t bytes[SIZE];
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (uint8_t)(i * i >> 3);
	for (size_t piece = 1; piece < 40; piece++) {
		crc32_init(&crc);
		for (size_t i = 0; i < SIZE; i += piece)
			crc32_add(&crc, bytes + i, SIZE - i < piece ? SIZE - i : piece);
		assert_int_equal(crc.value, (crc32)(0, bytes, SIZE));
	}
}

int crc32_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_known_value),
		cmocka_unit_test(test_pieces_add_up),
	};
	return cmocka_run_group_tests_name("crc32", tests, NULL, NULL);
}
