// SPDX-License-Identifier: Apache-2.0

#include "record/build_id.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_digits(void **state)
{
	static const struct {
		const char *text, *wanted;
	} rows[] = {
		{"", ""},
		{"0123abCD", "0123abcd"},
		{"00", "00"},
		{"012", ""},
		{"0x12", ""},
		{"01 2", ""},
		{"../etc", ""},
		{"000102030405060708090a0b0c0d0e0f10111213",
		 "000102030405060708090a0b0c0d0e0f10111213"},
		{"000102030405060708090a0b0c0d0e0f1011121314",
		 "000102030405060708090a0b0c0d0e0f10111213"},
		{"000102030405060708090a0b0c0d0e0f10111213xx", ""},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char text[BUILD_ID_DIGITS + 1];
		struct record_build_id id = build_id_parse(rows[i].text);
		build_id_format(&id, text);
		assert_string_equal(text, rows[i].wanted);
	}
}

int build_id_tests(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_digits)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
