// SPDX-License-Identifier: Apache-2.0

#include "cli/option/foreign/foreign_option.h"

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

#include "cli/option/option.h"
#include "tests/unit/assert_error.h"

/** The words of `COMMAND WORD [VALUE]`. */
static struct error *parse(enum command_id command, const struct foreign_option *row,
			   struct options *options)
{
	const struct option *option =
		row->option ? option_find(row->option, strlen(row->option), 1U << command) : NULL;
	bool has_value = option ? option->value && !row->value : row->has_value;
	char *words[] = {(char *)commands[command].name, (char *)row->word, (char *)"100", NULL};
	return option_parser_run(has_value ? 3 : 2, words, options);
}

static void check_row(enum command_id command, const struct foreign_option *row)
{
	_cleanup_(options_deinit) struct options options = OPTIONS_INIT;
	_cleanup_(error_destroyp) struct error *err = parse(command, row, &options);
	char message[128];
	snprintf(message, sizeof(message), "'%s' has no option '%s'", commands[command].name,
		 row->word);
	if (row->hint) {
		assert_non_null(err);
		assert_string_equal(err->message, message);
		assert_string_equal(err->hint, row->hint);
	} else if (err) {
		print_error("%s %s: %s\n", commands[command].name, row->word, err->message);
		assert_null(err);
	}
	assert_int_equal(options.arguments.num_items, 0);
}

/** Aliases are taken with their values, what changes nothing is, too; others give their hints. */
static void each_row_does_what_it_says(void **state)
{
	for (const struct foreign_option *row = NULL; (row = foreign_option_next(row));)
		for (unsigned id = 0; id < NUM_COMMANDS; id++) {
			const struct option *ours =
				option_find(row->word, strlen(row->word), 1U << id);
			bool is_ours = ours && ours->commands & 1U << id;
			if (row->commands & 1U << id && !is_ours)
				check_row(id, row);
		}
}

/** A row that our own option hides would never be read. */
static void no_row_is_spelt_as_an_option_of_its_commands(void **state)
{
	for (const struct foreign_option *row = NULL; (row = foreign_option_next(row));) {
		unsigned hidden = 0;
		for (unsigned id = 0; id < NUM_COMMANDS; id++) {
			const struct option *ours =
				option_find(row->word, strlen(row->word), 1U << id);
			if (ours && ours->commands & 1U << id)
				hidden |= 1U << id;
		}
		if (!(row->commands & ~hidden))
			print_error("%s is one of ours\n", row->word);
		assert_true(row->commands & ~hidden);
	}
}

static void no_row_stands_twice(void **state)
{
	for (const struct foreign_option *row = NULL; (row = foreign_option_next(row));)
		for (const struct foreign_option *other = row;
		     (other = foreign_option_next(other));)
			if (!strcmp(row->word, other->word) && row->commands & other->commands) {
				print_error("%s stands twice\n", row->word);
				fail();
			}
}

static void aliases_give_their_values(void **state)
{
	static const char *const words[] = {"record",     "--duration", "1.5",
					    "--rate=200", "--pid",      "7"};
	_cleanup_(options_deinit) struct options options = OPTIONS_INIT;
	assert_no_error(option_parser_run(ARRAY_SIZE(words), (char *const *)words, &options));
	assert_int_equal(options.timeout_ns, 1500000000);
	assert_int_equal(options.frequency, 200);
	assert_string_equal(options.pids, "7");

	static const char *const topdown[] = {"stat", "--topdown", "-M", "imix"};
	_cleanup_(options_deinit) struct options stat = OPTIONS_INIT;
	assert_no_error(option_parser_run(ARRAY_SIZE(topdown), (char *const *)topdown, &stat));
	assert_int_equal(stat.num_counted, 2);
	assert_string_equal(stat.counted[0].spec, "topdown");
	assert_string_equal(stat.counted[1].spec, "imix");
}

int foreign_option_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_row_does_what_it_says),
		cmocka_unit_test(no_row_is_spelt_as_an_option_of_its_commands),
		cmocka_unit_test(no_row_stands_twice),
		cmocka_unit_test(aliases_give_their_values),
	};
	return cmocka_run_group_tests_name("foreign_option", tests, NULL, NULL);
}
