// SPDX-License-Identifier: Apache-2.0

#include "base/text/nearest_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

#include <string.h>

static const char *const names[] = {
	"stat",       "sample",      "record",    "list",      "man",
	"test",       "detect",      "report",    "--timeout", "--time",
	"cpu_cycles", "inst_spec",   "l1d_cache", "l1i_cache", "l1d_cache_refill",
	"cycles",     "br_mis_pred", "br_pred",   "-e",
};

static const struct {
	const char *word;
	const char *name; /* NULL: nothing is near */
} cases[] = {
	// One error of each kind.
	{"lst", "list"},
	{"liist", "list"},
	{"lisd", "list"},
	{"lsit", "list"},
	{"satt", "stat"},
	{"recrod", "record"},
	{"smaple", "sample"},
	{"cycels", "cycles"},
	{"cpu-cycles", "cpu_cycles"},
	// More errors in longer words only.
	{"cpu_cyclse_", "cpu_cycles"},
	{"cpucylces", "cpu_cycles"},
	{"inst_psce", "inst_spec"},
	{"lits", "list"},
	{"tsil", NULL},
	{"lxyt", NULL},
	{"br_miss_predict", NULL},
	{"br_miss_pred", "br_mis_pred"},
	// Case.
	{"STAT", "stat"},
	{"Recrod", "record"},
	{"CPU_CYCLES", "cpu_cycles"},
	// The start of a name wins over a name with an error; the shortest one.
	{"st", "stat"},
	{"re", "record"},
	{"cpu", "cpu_cycles"},
	{"l1d", "l1d_cache"},
	{"l1d_cache_", "l1d_cache_refill"},
	{"--tim", "--time"},
	{"--timeo", "--timeout"},
	{"br_pre", "br_pred"},
	{"tes", "test"},
	// Options.
	{"--tiemout", "--timeout"},
	{"--timout", "--timeout"},
	{"-E", "-e"},
	{"-x", NULL},
	// Nothing near.
	{"", NULL},
	{"s", NULL},
	{"zz", NULL},
	{"zzz", NULL},
	{"frobnicate", NULL},
};

static void test_suggestions(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *name = nearest_name(cases[i].word, names, ARRAY_SIZE(names));
		if (!cases[i].name != !name || (name && strcmp(name, cases[i].name) != 0))
			fail_msg("'%s' gives '%s'", cases[i].word, name ? name : "nothing");
	}
}

static void test_the_first_of_equals(void **state)
{
	static const char *const equals[] = {"xbcd", "axcd", "abcx"};
	assert_string_equal(nearest_name("abcd", equals, ARRAY_SIZE(equals)), "xbcd");
	static const char *const longer[] = {"stat_b", "stat_a"};
	assert_string_equal(nearest_name("stat", longer, ARRAY_SIZE(longer)), "stat_b");
}

static void test_without_names_nothing_is_near(void **state)
{
	assert_null(nearest_name("stat", NULL, 0));
	static const char *const empty[] = {""};
	assert_null(nearest_name("stat", empty, 1));
}

static void fill(char *text, size_t length, char c)
{
	memset(text, c, length);
	text[length] = '\0';
}

static void test_long_words(void **state)
{
	char word[200];
	char name[200];
	const char *const long_names[] = {name};
	fill(word, 64, 'a');
	fill(name, 67, 'a');
	memcpy(name, "bbbb", 4);
	assert_null(nearest_name(word, long_names, 1));
	fill(name, 67, 'a');
	memcpy(name, "bbb", 3);
	assert_string_equal(nearest_name(word, long_names, 1), name);
	fill(name, 150, 'a');
	assert_string_equal(nearest_name(word, long_names, 1), name);
	fill(name, 61, 'a');
	assert_string_equal(nearest_name(word, long_names, 1), name);
	fill(name, 60, 'a');
	assert_null(nearest_name(word, long_names, 1));
	fill(word, 65, 'a');
	fill(name, 65, 'a');
	assert_null(nearest_name(word, long_names, 1));
}

int nearest_name_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_suggestions),
		cmocka_unit_test(test_the_first_of_equals),
		cmocka_unit_test(test_without_names_nothing_is_near),
		cmocka_unit_test(test_long_words),
	};
	return cmocka_run_group_tests_name("nearest_name", tests, NULL, NULL);
}
