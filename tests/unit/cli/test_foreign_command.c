// SPDX-License-Identifier: Apache-2.0

#include "cli/option/foreign/foreign_command.h"

#include "base/container/array.h"
#include "cli/option/option_parser.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { MAX_WORDS = FOREIGN_MAX_WORDS + 4 };

/** Words of a command line, in turn. */
struct line {
	const char *words[MAX_WORDS];
	size_t num_words;
};

static void add(struct line *line, const char *word)
{
	assert_true(line->num_words < MAX_WORDS);
	if (word)
		line->words[line->num_words++] = word;
}

static struct error *parse(const struct line *line, struct options *options)
{
	return option_parser_run(line->num_words, (char *const *)line->words, options);
}

static void assert_same_text(const char *text, const char *expected)
{
	assert_int_equal(text != NULL, expected != NULL);
	if (text)
		assert_string_equal(text, expected);
}

/** What any row sets. */
static void assert_same(const struct options *options, const struct options *expected)
{
	assert_int_equal(options->command, expected->command);
	assert_same_text(options->spe, expected->spe);
	assert_same_text(options->event, expected->event);
	assert_same_text(options->sort, expected->sort);
	assert_same_text(options->fields, expected->fields);
	assert_same_text(options->output, expected->output);
	assert_int_equal(options->off_cpu, expected->off_cpu);
	assert_int_equal(options->callers, expected->callers);
	assert_int_equal(options->num_spawn, expected->num_spawn);
	assert_int_equal(options->num_counted, expected->num_counted);
	for (size_t i = 0; i < options->num_counted; i++)
		assert_string_equal(options->counted[i].spec, expected->counted[i].spec);
}

/** @ours: of the row; both lines end with the same words. */
static void check_words(const struct foreign_command *row, const char *const *ours,
			const char *const *rest)
{
	_cleanup_(options_deinit) struct options options = OPTIONS_INIT;
	_cleanup_(options_deinit) struct options expected = OPTIONS_INIT;
	struct line typed = {0}, meant = {0};
	add(&typed, row->word);
	add(&typed, row->second);
	for (size_t i = 0; i < FOREIGN_MAX_WORDS && ours[i]; i++)
		add(&meant, ours[i]);
	for (; *rest; rest++) {
		add(&typed, *rest);
		add(&meant, *rest);
	}
	assert_no_error(parse(&typed, &options));
	assert_no_error(parse(&meant, &expected));
	assert_same(&options, &expected);
	bool is_silent = row->is_same && ours == row->reads;
	assert_int_equal(!strstr(string_builder_peek(&options.warnings), "runs: wperf"), is_silent);
}

static void check_refusal(const struct foreign_command *row)
{
	_cleanup_(options_deinit) struct options options = OPTIONS_INIT;
	const struct line line = {.words = {row->word}, .num_words = 1};
	_cleanup_(error_destroyp) struct error *err = parse(&line, &options);
	char message[128];
	snprintf(message, sizeof(message),
		 foreign_command_needs_second(row->word) ? "'%s' needs a second word"
							 : "wperf has no command '%s'",
		 row->word);
	assert_non_null(err);
	assert_string_equal(err->message, message);
	assert_string_equal(err->hint, row->hint);
}

static void each_row_is_what_it_says(void **state)
{
	static const char *const nothing[] = {NULL};
	static const char *const program[] = {"-k", "--", "prog", "-e", NULL};
	for (const struct foreign_command *row = NULL; (row = foreign_command_next(row));) {
		if (row->reads[0] && !row->take_arguments)
			check_words(row, row->reads, nothing);
		if (row->records[0])
			check_words(row, row->records, program);
		if (!row->reads[0] && !row->records[0])
			check_refusal(row);
		bool is_whole = row->reads[0] || row->records[0];
		assert_true(is_whole != (row->hint != NULL));
	}
}

/** One of our own would hide it, unless it begins with the same words. */
static void no_row_is_one_of_our_commands(void **state)
{
	for (const struct foreign_command *row = NULL; (row = foreign_command_next(row));)
		if (command_find(row->word) != COMMAND_NONE)
			assert_string_equal(row->reads[0], row->word);
}

/** A word with second words ends with what is said to others; no row stands twice. */
static void rows_of_a_word_stand_together(void **state)
{
	const struct foreign_command *next;
	for (const struct foreign_command *row = NULL; (row = foreign_command_next(row));) {
		next = foreign_command_next(row);
		if (row->second)
			assert_true(next && !strcmp(next->word, row->word));
		assert_ptr_equal(foreign_command_find_second(row->word, row->second),
				 row->second || !foreign_command_needs_second(row->word) ? row
											 : NULL);
	}
}

static void other_second_words_are_refused(void **state)
{
	_cleanup_(options_deinit) struct options options = OPTIONS_INIT;
	const struct line line = {.words = {"sched", "-v", "map"}, .num_words = 3};
	_cleanup_(error_destroyp) struct error *err = parse(&line, &options);
	assert_non_null(err);
	assert_string_equal(err->message, "wperf has no command 'sched map'");
	assert_non_null(strstr(err->hint, "sched timehist"));
}

/** Options before the second word stay where they were. */
static void other_words_are_kept(void **state)
{
	_cleanup_(options_deinit) struct options options = OPTIONS_INIT;
	const struct line line = {.words = {"-v", "c2c", "-i", "x.data", "report", "--json"},
				  .num_words = 6};
	assert_no_error(parse(&line, &options));
	assert_int_equal(options.command, COMMAND_REPORT);
	assert_string_equal(options.spe, "sharing");
	assert_string_equal(options.input, "x.data");
	assert_true(options.json && options.verbose);
}

static void diff_names_two_recordings(void **state)
{
	_cleanup_(options_deinit) struct options options = OPTIONS_INIT;
	const struct line line = {.words = {"diff", "a", "b"}, .num_words = 3};
	assert_no_error(parse(&line, &options));
	assert_int_equal(options.command, COMMAND_REPORT);
	assert_string_equal(options.input, "a");
	assert_string_equal(options.diff, "b");
	assert_string_equal(string_builder_peek(&options.warnings), "");
}

int foreign_command_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_row_is_what_it_says),
		cmocka_unit_test(no_row_is_one_of_our_commands),
		cmocka_unit_test(rows_of_a_word_stand_together),
		cmocka_unit_test(other_second_words_are_refused),
		cmocka_unit_test(other_words_are_kept),
		cmocka_unit_test(diff_names_two_recordings),
	};
	return cmocka_run_group_tests_name("foreign_command", tests, NULL, NULL);
}
