// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_parser.h"

#include "base/container/array.h"
#include "cli/option/option.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { MAX_WORDS = 40 };

/** The words of a line, split at blanks. */
static struct error *parse(const char *line, struct options *options)
{
	static char copy[512];
	static char *words[MAX_WORDS];
	size_t num_words = 0;
	snprintf(copy, sizeof(copy), "%s", line);
	char *rest = copy;
	for (char *word; num_words < MAX_WORDS && (word = strsep(&rest, " "));)
		if (*word)
			words[num_words++] = word;
	return option_parser_run(num_words, words, options);
}

static void values_arrive(void **state)
{
	_cleanup_(options_deinit) struct options options = OPTIONS_INIT;
	assert_no_error(parse("stat -e a,b -m imix -e c -c 0,3 --timeout 1.5 -t -i 250ms -n 7 -k "
			      "--dmc 2 --json -o out.json --cwd dir -- prog -e x",
			      &options));
	assert_int_equal(options.command, COMMAND_STAT);
	assert_int_equal(options.num_counted, 3);
	assert_string_equal(options.counted[0].spec, "a,b");
	assert_true(options.counted[1].is_metric);
	assert_string_equal(options.counted[2].spec, "c");
	assert_string_equal(options.cores, "0,3");
	assert_int_equal(options.timeout_ns, 1500000000);
	assert_int_equal(options.interval_ns, 250000000);
	assert_int_equal(options.count, 7);
	assert_int_equal(options.dmc, 2);
	assert_true(options.timeline && options.kernel && options.json);
	assert_string_equal(options.output, "out.json");
	assert_string_equal(options.output_prefix, "dir");
	assert_int_equal(options.num_spawn, 3);
	assert_string_equal(options.spawn[1], "-e");
}

static void defaults_are_the_peers(void **state)
{
	_cleanup_(options_deinit) struct options options = OPTIONS_INIT;
	assert_no_error(parse("record", &options));
	assert_int_equal(options.display_rows, NUMBER_NONE);
	assert_int_equal(options_rows(&options, 10), 10);
	assert_int_equal(options.spawn_delay_ms, 0);
	assert_int_equal(options.timeout_ns, DURATION_NONE);
	assert_int_equal(options.dmc, NUMBER_NONE);
}

static void spellings_mean_the_same(void **state)
{
	static const char *const lines[] = {
		"stat -e x --timeout 2", "stat -e x sleep 2",
		"sleep 2 -e x stat",     "--timeout=2 stat -e x",
		"stat --timeo 2 -e x",   "stat --timeo=2 -e x",
		"-e x --timeout 2 stat", "stat --timeout 9 -e x sleep 2",
	};
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		_cleanup_(options_deinit) struct options options = OPTIONS_INIT;
		assert_no_error(parse(lines[i], &options));
		assert_int_equal(options.command, COMMAND_STAT);
		assert_int_equal(options.timeout_ns, 2000000000);
		assert_string_equal(options.counted[0].spec, "x");
	}
}

static void commands_have_other_spellings(void **state)
{
	static const struct {
		const char *line;
		enum command_id command;
		const char *argument;
	} cases[] = {
		{"", COMMAND_NONE, NULL},
		{"-l", COMMAND_LIST, NULL},
		{"-h", COMMAND_HELP, NULL},
		{"--help stat", COMMAND_HELP, "stat"},
		{"stat --help", COMMAND_HELP, "stat"},
		{"help stat", COMMAND_HELP, "stat"},
		{"--version", COMMAND_VERSION, NULL},
		{"man stat", COMMAND_MAN, "stat"},
		{"list list", COMMAND_LIST, "list"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(options_deinit) struct options options = OPTIONS_INIT;
		assert_no_error(parse(cases[i].line, &options));
		assert_int_equal(options.command, cases[i].command);
		assert_int_equal(options.arguments.num_items, cases[i].argument != NULL);
		if (cases[i].argument)
			assert_string_equal(options.arguments.items[0], cases[i].argument);
	}
}

static void wrong_words_are_usage_errors(void **state)
{
	static const struct {
		const char *line, *message;
	} cases[] = {
		{"stat -e", "-e needs a value"},
		{"lits", "unknown command 'lits'"},
		{"list --verbos=1", "option '-v' takes no value"},
		{"list --jsn", "unknown option '--jsn'"},
		{"stat --out x", "option '--out' is ambiguous"},
		{"stat --timeout 1.234", "input: \"1.234\" to argument '--timeout' is invalid"},
		{"stat -n -1", "input: \"-1\" to argument '-n' is invalid"},
		{"record --sample-display-row 1x",
		 "input: \"1x\" to argument '--sample-display-row' is invalid"},
		{"stat list", "'list' and 'stat' are two commands"},
		{"list --version", "'--version' and 'list' are two commands"},
		{"list --annotate", "'list' has no option '--annotate'"},
		{"list -- prog", "warning: only `stat` and `record` support process spawn!"},
		{"stat -e x --", "missing command after '--'"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(options_deinit) struct options options = OPTIONS_INIT;
		assert_error(parse(cases[i].line, &options), ERROR_USAGE, cases[i].message);
	}
}

static void the_peers_tolerance_is_kept(void **state)
{
	_cleanup_(options_deinit) struct options options = OPTIONS_INIT;
	assert_no_error(parse("--compat list stat -bogus --annotate --timeo 3 -e", &options));
	assert_int_equal(options.command, COMMAND_LIST);
	assert_string_equal(string_builder_peek(&options.warnings),
			    "warning: unexpected arg '-bogus' ignored\n"
			    "warning: unexpected arg '--timeo' ignored\n"
			    "warning: unexpected arg '3' ignored\n");
}

static void the_environment_counts_less(void **state)
{
	setenv("WPERF_SOURCE", "sim", 1);
	setenv("WPERF_COMPAT", "0", 1);
	_cleanup_(options_deinit) struct options said = OPTIONS_INIT, unsaid = OPTIONS_INIT;
	assert_no_error(parse("list --source perf", &said));
	assert_string_equal(said.source, "perf");
	assert_no_error(parse("list", &unsaid));
	assert_string_equal(unsaid.source, "sim");
	assert_false(unsaid.compat);

	setenv("WPERF_COMPAT", "1", 1);
	_cleanup_(options_deinit) struct options compat = OPTIONS_INIT;
	assert_no_error(parse("list", &compat));
	assert_true(compat.compat);
	unsetenv("WPERF_SOURCE");
	unsetenv("WPERF_COMPAT");
}

/** For each command that takes the option, its spellings mean it and no other. */
static void no_spelling_stands_twice(void **state)
{
	for (const struct option *option = NULL; (option = option_next(option));) {
		for (size_t k = 0; k < OPTION_MAX_SPELLINGS * NUM_COMMANDS; k++) {
			const char *spelling = option->spellings[k / NUM_COMMANDS];
			enum command_id command = k % NUM_COMMANDS;
			if (spelling && option->commands & 1U << command)
				assert_ptr_equal(option_find(spelling, strlen(spelling),
							     1U << command),
						 option);
		}
	}
}

/** Else the words could not be told apart before the command is known. */
static void options_that_are_spelt_alike_agree_in_having_a_value(void **state)
{
	for (const struct option *option = NULL; (option = option_next(option));)
		for (size_t k = 0; k < OPTION_MAX_SPELLINGS; k++) {
			const char *spelling = option->spellings[k];
			if (!spelling)
				continue;
			const struct option *first = option_find(spelling, strlen(spelling), 0);
			assert_int_equal(!first->value, !option->value);
		}
}

/** What -i, -n and abbreviations mean hangs on the command, wherever that stands. */
static void a_command_behind_its_options_gives_them_their_meaning(void **state)
{
	_cleanup_(options_deinit) struct options report = OPTIONS_INIT;
	assert_no_error(parse("-i 5.data --js report", &report));
	assert_string_equal(report.input, "5.data");
	assert_true(report.json);
	_cleanup_(options_deinit) struct options stat = OPTIONS_INIT;
	assert_no_error(parse("-i 5 stat -e x", &stat));
	assert_int_equal(stat.interval_ns, 5000000000);
	_cleanup_(options_deinit) struct options top = OPTIONS_INIT;
	assert_no_error(parse("--all -n 3 top", &top));
	assert_int_equal(top.count, 3);
	assert_true(top.system_wide);
	// "sim" is a value, although --s alone could stand for options that have none.
	_cleanup_(options_deinit) struct options list = OPTIONS_INIT;
	assert_no_error(parse("--s sim list", &list));
	assert_string_equal(list.source, "sim");
	// Names of commands as values, as arguments and behind "--" are none.
	_cleanup_(options_deinit) struct options man = OPTIONS_INIT;
	assert_no_error(parse("--output stat man report --js", &man));
	assert_int_equal(man.command, COMMAND_MAN);
	assert_true(man.json);
}

static void a_program_needs_no_dashes(void **state)
{
	static const struct {
		const char *line;
		enum command_id command;
		size_t num_spawn;
		const char *last;
	} cases[] = {
		{"record sh -g --json", COMMAND_RECORD, 3, "--json"},
		{"record -gF99 sh -F", COMMAND_RECORD, 2, "-F"},
		{"record -F 99 -e a,b sh", COMMAND_RECORD, 1, "sh"},
		{"-F 99 record sh", COMMAND_RECORD, 1, "sh"},
		{"record sh -- x", COMMAND_RECORD, 3, "x"},
		{"record -- sh x", COMMAND_RECORD, 2, "x"},
		{"record sh --compat", COMMAND_RECORD, 2, "--compat"},
		{"record sleep 1", COMMAND_RECORD, 2, "1"},
		{"record sleep 1 -- sh", COMMAND_RECORD, 1, "sh"},
		{"record -p 1 sleep 1", COMMAND_RECORD, 0, NULL},
		{"record -ag sleep 1", COMMAND_RECORD, 0, NULL},
		{"stat -e x sh list", COMMAND_STAT, 2, "list"},
		{"stat -e x sleep 1", COMMAND_STAT, 0, NULL},
		{"stat -e x sleep 1 sh", COMMAND_STAT, 1, "sh"},
		{"stat help sh", COMMAND_HELP, 1, "sh"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(options_deinit) struct options options = OPTIONS_INIT;
		assert_no_error(parse(cases[i].line, &options));
		assert_int_equal(options.command, cases[i].command);
		assert_int_equal(options.num_spawn, cases[i].num_spawn);
		assert_false(options.compat);
		if (cases[i].last)
			assert_string_equal(options.spawn[options.num_spawn - 1], cases[i].last);
	}
}

static void a_command_beside_a_target_is_a_clock(void **state)
{
	static const char *const lines[] = {"record -p 1 -- sh", "record -a sh", "stat sh"};
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		_cleanup_(options_deinit) struct options options = OPTIONS_INIT;
		assert_no_error(parse(lines[i], &options));
		const bool is_clock = i < 2;
		assert_int_equal(options.clock != NULL, is_clock);
		assert_int_equal(options.spawn != NULL, !is_clock);
		assert_string_equal((is_clock ? options.clock : options.spawn)[0], "sh");
	}
}

enum { NUM_RANDOM_LINES = 5000, MAX_RANDOM_WORDS = 8, MAX_SPELLINGS = 1024 };

/** Everything that the parser knows, and what it does not. */
static size_t collect_words(const char **words)
{
	static const char *const others[] = {
		"--",           "sh",   "sleep",    "1",   "0,3",   "-",   "",
		"-F9",          "-agx", "-x,",      "--=", "--js=", "./x", "diff",
		"mem",          "-ccc", "-pe_file", "--s", "-\xff", "0x",  "help",
		"-vvvvvvvvvvv",
	};
	size_t num = 0;
	for (const struct option *option = NULL; (option = option_next(option));)
		for (size_t k = 0; k < OPTION_MAX_SPELLINGS && num < MAX_SPELLINGS; k++)
			if (option->spellings[k])
				words[num++] = option->spellings[k];
	for (size_t i = 0; i < NUM_COMMANDS && num < MAX_SPELLINGS; i++)
		words[num++] = commands[i].name;
	for (size_t i = 0; i < ARRAY_SIZE(others) && num < MAX_SPELLINGS; i++)
		words[num++] = others[i];
	return num;
}

/** Whatever the words: they are taken, or an error says why not; a program ends the words. */
static void random_words_are_taken_or_refused(void **state)
{
	static const char *words[MAX_SPELLINGS];
	size_t num_words = collect_words(words), num_taken = 0;
	uint32_t seed = 1;
	for (int i = 0; i < NUM_RANDOM_LINES; i++) {
		char *line[MAX_RANDOM_WORDS + 1] = {0};
		size_t length = (seed >> 8) % (MAX_RANDOM_WORDS + 1);
		for (size_t k = 0; k < length; k++) {
			seed = seed * 1664525 + 1013904223;
			line[k] = (char *)words[(seed >> 8) % num_words];
		}
		seed = seed * 1664525 + 1013904223;
		_cleanup_(options_deinit) struct options options = OPTIONS_INIT;
		_cleanup_(error_destroyp) struct error *err =
			option_parser_run(length, line, &options);
		if (err)
			assert_true(*err->message);
		else
			num_taken++;
		if (options.spawn)
			assert_null(options.spawn[options.num_spawn]);
		// Where words of ours took the place of another tool's command, they are copies.
		if (options.spawn && !options.own_words)
			assert_ptr_equal(options.spawn + options.num_spawn, line + length);
	}
	assert_in_range(num_taken, NUM_RANDOM_LINES / 100, NUM_RANDOM_LINES);
}

int options_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_arrive),
		cmocka_unit_test(defaults_are_the_peers),
		cmocka_unit_test(spellings_mean_the_same),
		cmocka_unit_test(commands_have_other_spellings),
		cmocka_unit_test(wrong_words_are_usage_errors),
		cmocka_unit_test(the_peers_tolerance_is_kept),
		cmocka_unit_test(the_environment_counts_less),
		cmocka_unit_test(no_spelling_stands_twice),
		cmocka_unit_test(options_that_are_spelt_alike_agree_in_having_a_value),
		cmocka_unit_test(a_command_behind_its_options_gives_them_their_meaning),
		cmocka_unit_test(a_program_needs_no_dashes),
		cmocka_unit_test(a_command_beside_a_target_is_a_clock),
		cmocka_unit_test(random_words_are_taken_or_refused),
	};
	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
