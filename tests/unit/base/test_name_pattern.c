// SPDX-License-Identifier: Apache-2.0

#include "base/text/name_pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

#include <string.h>
#include <time.h>

struct pattern_case {
	const char *pattern;
	const char *name;
	bool matches;
};

static void check(const struct pattern_case *cases, size_t num_cases,
		  bool (*match)(const char *pattern, const char *name))
{
	for (size_t i = 0; i < num_cases; i++) {
		if (match(cases[i].pattern, cases[i].name) != cases[i].matches)
			fail_msg("'%s' and '%s'", cases[i].pattern, cases[i].name);
	}
}

static const struct pattern_case symbol_cases[] = {
	{"x_mul", "x_mul", true},
	{"x_mul", "X_MUL", true},
	{"X_Mul", "x_mUL", true},
	{"x_mul", "x_mul2", false},
	{"x_mul", "ax_mul", false},
	{"x_mul", "x_mu", false},
	{"^x_mul", "x_mul", true},
	{"^x_mul", "x_mul2", true},
	{"^X_", "x_mul", true},
	{"^x_mul", "ax_mul", false},
	{"^x_mul", "x_mu", false},
	{"x_mul$", "x_mul", true},
	{"_mul$", "x_mul", true},
	{"_MUL$", "x_mul", true},
	{"x_mul$", "x_mul2", false},
	{"x_mul$", "mul", false},
	{"^x_mul$", "x_mul", true},
	{"^x_mul$", "x_mul2", false},
	{"^x_mul$", "ax_mul", false},
	{"^x_mul$", "X_MUL", true},
	{"", "", true},
	{"", "x", false},
	{"^", "", true},
	{"^", "x", true},
	{"$", "", true},
	{"$", "x", true},
	{"^$", "", true},
	{"^$", "x", false},
	{"$^", "$^", true},
	{"$^", "x", false},
	{"^^", "^x", true},
	{"^^", "x", false},
	{"$$", "x$", true},
	{"a.c", "abc", false},
	{"a*", "abc", false},
	{"a[", "A[", true},
	{"@", "`", false},
	{"^\xc3\xa4", "\xc3\xa4x", true},
};

static void test_symbol_patterns(void **state)
{
	check(symbol_cases, ARRAY_SIZE(symbol_cases), name_pattern_match_symbol);
}

static const struct pattern_case glob_cases[] = {
	// Without wildcards: a part of the name.
	{"", "", true},
	{"", "cycles", true},
	{"cyc", "cpu_cycles", true},
	{"CYC", "cpu_cycles", true},
	{"cpu_cycles_x", "cpu_cycles", false},
	{"cycles", "", false},
	{"]", "a]b", true},
	{"a-z", "xa-zx", true},
	{"!", "a!", true},
	// Stars.
	{"*", "", true},
	{"*", "cycles", true},
	{"**", "", true},
	{"l1*", "l1d_cache", true},
	{"l1*", "ll1d_cache", false},
	{"*cache", "l1d_cache", true},
	{"*cache", "l1d_cache_refill", false},
	{"*CACHE*", "l1d_cache_refill", true},
	{"l1*refill", "l1d_cache_refill", true},
	{"l1*refill", "l1d_cache", false},
	{"*ab", "aab", true},
	{"*a*b", "ab", true},
	{"*aab*", "aaab", true},
	{"a*a", "a", false},
	{"a**c", "abc", true},
	{"a*b*c", "abxbxc", true},
	{"a*b*c", "acb", false},
	// Question marks.
	{"l?d_cache", "l1d_cache", true},
	{"l?d_cache", "ld_cache", false},
	{"?", "", false},
	{"?", "a", true},
	{"?", "ab", false},
	{"??*", "a", false},
	{"*?", "a", true},
	{"*?", "", false},
	// Sets.
	{"l[12]d", "l1d", true},
	{"l[12]d", "l3d", false},
	{"l[1-3]d", "l2d", true},
	{"l[1-3]d", "l4d", false},
	{"[a-c]x", "BX", true},
	{"[A-C]x", "bx", true},
	{"[!a-c]x", "dx", true},
	{"[!a-c]x", "bx", false},
	{"[!a-c]x", "Bx", false},
	{"[!a]", "", false},
	{"[]]", "]", true},
	{"[]a]", "a", true},
	{"[!]]", "]", false},
	{"[!]]", "a", true},
	{"[a-]", "-", true},
	{"[-a]", "-", true},
	{"[a-]", "b", false},
	{"[c-a]", "b", false},
	{"[a-c-e]", "-", true},
	{"[a-c-e]", "d", false},
	{"[*]", "*", true},
	{"[*]", "a", false},
	{"[?]", "a", false},
	{"*[0-9]", "l1d_2", true},
	{"*[0-9]", "l1d", false},
	{"[\x80-\xff]", "\xc3", true},
	{"[\x80-\xff]", "a", false},
	// A '[' that is never closed.
	{"[", "[", true},
	{"[", "a", false},
	{"[a", "[a", true},
	{"[a", "a", false},
	{"[]", "[]", true},
	{"[]", "]", false},
	{"[!", "[!", true},
	{"[!]", "[!]", true},
	{"*[", "a[", true},
};

static void test_glob_patterns(void **state)
{
	check(glob_cases, ARRAY_SIZE(glob_cases), name_pattern_match_glob);
}

static void test_many_stars_take_no_time(void **state)
{
	enum { NUM_STARS = 100, LENGTH = 20000 };
	char pattern[2 * NUM_STARS + 2];
	for (size_t i = 0; i < NUM_STARS; i++)
		memcpy(pattern + 2 * i, "*a", 2);
	strcpy(pattern + 2 * NUM_STARS, "b");
	static char name[LENGTH + 1];
	memset(name, 'a', LENGTH);
	clock_t start = clock();
	assert_false(name_pattern_match_glob(pattern, name));
	assert_true(clock() - start < 2 * CLOCKS_PER_SEC);
	name[LENGTH - 1] = 'b';
	assert_true(name_pattern_match_glob("*a*a*a*b", name));
}

// The obvious recursion, to compare with.
static bool match_slowly(const char *pattern, const char *name)
{
	if (!*pattern)
		return !*name;
	if (*pattern == '*')
		return match_slowly(pattern + 1, name) ||
		       (*name && match_slowly(pattern, name + 1));
	return *name && (*pattern == '?' || *pattern == *name) &&
	       match_slowly(pattern + 1, name + 1);
}

static void write_random(char *text, size_t max_length, const char *letters)
{
	size_t length = (size_t)rand() % (max_length + 1);
	for (size_t i = 0; i < length; i++)
		text[i] = letters[(size_t)rand() % strlen(letters)];
	text[length] = '\0';
}

static void test_stars_agree_with_the_obvious_recursion(void **state)
{
	srand(3);
	for (int i = 0; i < 200000; i++) {
		char pattern[9] = "*";
		char name[11];
		write_random(pattern + 1, 7, "ab*?");
		write_random(name, 10, "ab");
		if (name_pattern_match_glob(pattern, name) != match_slowly(pattern, name))
			fail_msg("'%s' and '%s'", pattern, name);
	}
}

// Exact allocations: the sanitizer sees each step beyond them.
static void test_patterns_of_junk_stay_in_bounds(void **state)
{
	srand(4);
	for (int i = 0; i < 100000; i++) {
		char pattern[9];
		char name[9];
		write_random(pattern, 8, "[]!-*?a^$");
		write_random(name, 8, "[]!-a");
		_cleanup_free_ char *exact_pattern = strdup(pattern);
		_cleanup_free_ char *exact_name = strdup(name);
		name_pattern_match_glob(exact_pattern, exact_name);
		name_pattern_match_symbol(exact_pattern, exact_name);
	}
}

int name_pattern_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_symbol_patterns),
		cmocka_unit_test(test_glob_patterns),
		cmocka_unit_test(test_many_stars_take_no_time),
		cmocka_unit_test(test_stars_agree_with_the_obvious_recursion),
		cmocka_unit_test(test_patterns_of_junk_stay_in_bounds),
	};
	return cmocka_run_group_tests_name("name_pattern", tests, NULL, NULL);
}
