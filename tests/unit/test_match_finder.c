// SPDX-License-Identifier: Apache-2.0

#include "view/match_finder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct match_finder finder;

static struct match find_last(const char *text, size_t last)
{
	memset(&finder, 0, sizeof(finder));
	struct match_window window = {(const uint8_t *)text, strlen(text), 0};
	for (size_t i = 0; i < last; i++)
		match_finder_pass(&finder, &window, i);
	return match_finder_find(&finder, &window, last);
}

static void test_the_longest_is_found(void **state)
{
	struct match match = find_last("abcdefgh abcdxxxx abcdefgz", 18);
	assert_int_equal(match.length, 7);
	assert_int_equal(match.distance, 18);
	match = find_last("abcd abcd abcd", 10);
	assert_int_equal(match.length, 4);
	assert_int_equal(match.distance, 5);
	assert_int_equal(find_last("abcdefgh", 4).length, 0);
	assert_int_equal(find_last("abcx abc", 5).length, 0);
}

static void test_a_match_may_overlap_itself(void **state)
{
	struct match match = find_last("aaaaaaaaaa", 1);
	assert_int_equal(match.length, 9);
	assert_int_equal(match.distance, 1);
}

static void put_word(char *at, const char *word)
{
	while (*word)
		*at++ = *word++;
}

static void test_limits(void **state)
{
	enum { GAP = MATCH_MAX_DISTANCE, SIZE = 3 * MATCH_MAX_DISTANCE };
	static char text[SIZE + 1];
	memset(text, 'a', 1000);
	struct match match = find_last(text, 1);
	assert_int_equal(match.length, MATCH_MAX_LENGTH);
	for (size_t i = 0; i < SIZE; i++)
		text[i] = (char)(' ' + i % 61);
	put_word(text, "first");
	put_word(text + GAP, "first");
	match = find_last(text, GAP);
	assert_int_equal(match.distance, MATCH_MAX_DISTANCE);
	put_word(text + GAP, "other");
	put_word(text + GAP + 1, "first");
	assert_int_equal(find_last(text, GAP + 1).length, 0);
}

static void test_places_wrap_around(void **state)
{
	memset(&finder, 0, sizeof(finder));
	struct match_window window = {(const uint8_t *)"abcdefgh abcdefgh", 17, UINT32_MAX - 3};
	for (size_t i = 0; i < 9; i++)
		match_finder_pass(&finder, &window, i);
	struct match match = match_finder_find(&finder, &window, 9);
	assert_int_equal(match.length, 8);
	assert_int_equal(match.distance, 9);
}

int match_finder_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_longest_is_found),
		cmocka_unit_test(test_a_match_may_overlap_itself),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_places_wrap_around),
	};
	return cmocka_run_group_tests_name("match_finder", tests, NULL, NULL);
}
