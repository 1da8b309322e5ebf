// SPDX-License-Identifier: Apache-2.0

#include "base/text/character_width.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <gnu/libc-version.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static void test_characters_whose_width_is_known(void **state)
{
	static const struct {
		uint32_t code_point;
		unsigned width;
	} cases[] = {
		{'a', 1},     {0xe4, 1},     {0x20ac, 1},   /* Euro */
		{0x65e5, 2},  {0xd55c, 2},   {0xff21, 2},   /* Han, Hangul, full-width A */
		{0x0301, 0},  {0x200d, 0},   {0xfe0f, 0},   /* accent, joiner, variation selector */
		{0x1f600, 2}, {0x1f1e9, 1},  {0x1f3fb, 2},  /* face, half a flag, colour of skin */
		{0xe0067, 0}, {0x10ffff, 1}, {0x110000, 1}, /* tag; no character */
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(character_width(cases[i].code_point), cases[i].width);
}

/** Every character that the C library knows. */
static void test_all_are_as_wide_as_for_the_c_library(void **state)
{
	if (strcmp(gnu_get_libc_version(), "2.36") != 0)
		skip(); // of another version of Unicode
	const char *set = setlocale(LC_CTYPE, NULL);
	char *before = strdup(set);
	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	size_t num_known = 0;
	for (uint32_t c = 0x20; c <= 0x10ffff; c++) {
		int width = wcwidth((wchar_t)c);
		if (width < 0)
			continue;
		num_known++;
		if ((unsigned)width != character_width(c))
			fail_msg("U+%04X: %u, not %d", c, character_width(c), width);
	}
	assert_true(num_known > 280000);
	setlocale(LC_CTYPE, before);
	free(before);
}

int character_width_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_characters_whose_width_is_known),
		cmocka_unit_test(test_all_are_as_wide_as_for_the_c_library),
	};
	return cmocka_run_group_tests_name("character_width", tests, NULL, NULL);
}
