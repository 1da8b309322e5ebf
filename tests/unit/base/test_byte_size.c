// SPDX-License-Identifier: Apache-2.0

#include "base/text/byte_size.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_units(void **state)
{
	static const struct {
		const char *text;
		uint64_t size;
	} rows[] = {
		{"0", 0},           {"4096", 4096},
		{"64k", 65536},     {"64K", 65536},
		{"16M", 16777216},  {"1g", 1073741824},
		{"1G", 1073741824}, {"17179869183G", UINT64_C(17179869183) << 30},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t size = 1;
		assert_true(byte_size_parse(rows[i].text, &size));
		assert_int_equal(size, rows[i].size);
	}
}

static void test_what_is_no_size(void **state)
{
	static const char *const texts[] = {"",     "M",    "-1",   "1.5M",         "16 M",
					    "16Mb", "0x10", "16MM", "17179869184G", "k1"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		uint64_t size = 7;
		assert_false(byte_size_parse(texts[i], &size));
		assert_int_equal(size, 7);
	}
}

int byte_size_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_what_is_no_size),
	};
	return cmocka_run_group_tests_name("byte_size", tests, NULL, NULL);
}
