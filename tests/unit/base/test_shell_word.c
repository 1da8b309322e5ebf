// SPDX-License-Identifier: Apache-2.0

#include "base/text/shell_word.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

static const struct {
	const char *word, *quoted;
} cases[] = {
	{"/usr/local/bin/wperf", "/usr/local/bin/wperf"},
	{"wperf-0.1.0+a_b", "wperf-0.1.0+a_b"},
	{"", "''"},
	{"two words", "'two words'"},
	{"$(reboot);x", "'$(reboot);x'"},
	{"it's", "'it'\\''s'"},
	{"~root", "'~root'"},
	{"a\nb", "'a\nb'"},
};

static void test_words_are_one_word(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
		shell_word_append(&text, cases[i].word);
		assert_string_equal(string_builder_peek(&text), cases[i].quoted);
	}
}

int shell_word_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_are_one_word),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
