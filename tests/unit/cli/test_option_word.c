// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_word.h"

#include "base/container/array.h"
#include "cli/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

struct word_case {
	enum command_id command;
	const char *word;
	const char *flags;  // the letters before the last one
	const char *option; // NULL: it is none
	const char *value;
};

static void check(const struct word_case *expected)
{
	struct option_word read;
	assert_no_error(option_word_read(expected->word, 1U << expected->command, &read));
	if (!expected->option) {
		assert_false(option_word_is_known(&read));
		return;
	}
	assert_non_null(read.option);
	assert_ptr_equal(read.option, option_find(expected->option, strlen(expected->option),
						  1U << expected->command));
	assert_int_equal(read.num_flags, strlen(expected->flags));
	for (size_t i = 0; i < read.num_flags; i++)
		assert_int_equal(read.flags[i]->spellings[0][1], expected->flags[i]);
	assert_int_equal(read.value != NULL, expected->value != NULL);
	if (expected->value)
		assert_string_equal(read.value, expected->value);
}

static void words_are_options_in_many_ways(void **state)
{
	static const struct word_case cases[] = {
		{COMMAND_RECORD, "-F", "", "-F", NULL},
		{COMMAND_RECORD, "-F99", "", "-F", "99"},
		{COMMAND_RECORD, "-Fx", "", NULL, NULL},
		{COMMAND_RECORD, "-ag", "a", "-g", NULL},
		{COMMAND_RECORD, "-agF99", "ag", "-F", "99"},
		{COMMAND_RECORD, "-agF", "ag", "-F", NULL},
		{COMMAND_RECORD, "-agX", "", NULL, NULL},
		{COMMAND_RECORD, "-ggggggggggg", "", NULL, NULL},
		{COMMAND_RECORD, "-p1,2", "", "-p", "1,2"},
		{COMMAND_RECORD, "-ecycles:u", "", "-e", "cycles:u"},
		{COMMAND_RECORD, "-c0-3", "", "-c", "0-3"},
		{COMMAND_RECORD, "-pe_file", "", "--pe_file", NULL},
		{COMMAND_RECORD, "-pe_file=x", "", "--pe_file", "x"},
		{COMMAND_RECORD, "-pid", "", "--pid", NULL},
		{COMMAND_RECORD, "-sorce", "", NULL, NULL},
		{COMMAND_RECORD, "--freq", "", "-F", NULL},
		{COMMAND_RECORD, "--rate=5", "", "-F", "5"},
		{COMMAND_RECORD, "-r5", "", "-F", "5"},
		{COMMAND_RECORD, "--call-graph=dwarf", "", "--call-graph", "dwarf"},
		{COMMAND_STAT, "-r3", "", "-r", "3"},
		{COMMAND_STAT, "-vvv", "vv", "-v", NULL},
		{COMMAND_STAT, "--timeo", "", "--timeout", NULL},
		{COMMAND_STAT, "--timeo=", "", "--timeout", ""},
		{COMMAND_STAT, "--topdown", "", "-m", "topdown"},
		{COMMAND_STAT, "-", "", NULL, NULL},
		{COMMAND_STAT, "--", "", NULL, NULL},
		{COMMAND_STAT, "-1", "", NULL, NULL},
		{COMMAND_STAT, "", "", NULL, NULL},
		{COMMAND_STAT, "prog", "", NULL, NULL},
		{COMMAND_STAT, "sleep", "", "--timeout", NULL},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check(&cases[i]);
}

static void what_is_ambiguous_is_an_error(void **state)
{
	struct option_word read;
	assert_error(option_word_read("--out", 1U << COMMAND_STAT, &read), ERROR_USAGE,
		     "option '--out' is ambiguous");
}

static void a_value_is_wanted_once(void **state)
{
	static const struct {
		const char *word;
		bool wants;
	} cases[] = {
		{"-F", true},  {"-F99", false},     {"-gF", true},   {"-g", false},
		{"-t", true},  {"-t5", false},      {"-b", false},   {"--rate", true},
		{"-P", false}, {"--clockid", true}, {"prog", false},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct option_word read;
		assert_no_error(option_word_read(cases[i].word, 1U << COMMAND_RECORD, &read));
		assert_int_equal(option_word_wants_value(&read), cases[i].wants);
	}
}

int option_word_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_options_in_many_ways),
		cmocka_unit_test(what_is_ambiguous_is_an_error),
		cmocka_unit_test(a_value_is_wanted_once),
	};
	return cmocka_run_group_tests_name("option_word", tests, NULL, NULL);
}
