// SPDX-License-Identifier: Apache-2.0
// Help has all that the tables have, fits the terminal, and keeps the lines that tools of the peer
// look for.

#include "cli/help/help.h"

#include "cli/help/command_text.h"
#include "cli/option/option.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/capture.h"

static char *peers_help(void)
{
	FILE *stream = capture_begin();
	help_print_compat(stream);
	return capture_end(stream);
}

static void the_peers_headings_stand_on_their_own_lines(void **state)
{
	static const char *const headings[] = {
		"-h, --help",
		"--version",
		"-v, --verbose",
		"-q",
		"-e",
		"-m",
		"--timeout",
		"-t",
		"-i",
		"-n",
		"--annotate",
		"--disassemble",
		"--image_name",
		"--pe_file",
		"--pdb_file",
		"--sample-display-long",
		"--sample-display-row",
		"--symbol",
		"--record_spawn_delay",
		"--force-lock",
		"-c, --cpu",
		"-k",
		"--dmc",
		"-C",
		"-E",
		"--json",
		"--output, -o",
		"--output-csv",
		"--output-prefix, --cwd",
		"--config",
		"-l",
		"sleep",
		"-s",
	};
	_cleanup_free_ char *text = peers_help();
	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++) {
		char line[64];
		snprintf(line, sizeof(line), "\n    %s\n", headings[i]);
		if (!strstr(text, line))
			fail_msg("no line '%s'", headings[i]);
	}
}

static void sections_have_the_peers_order(void **state)
{
	static const char *const sections[] = {"\nNAME:\n", "\nSYNOPSIS:\n", "\nOPTIONS:\n",
					       "\nOPTIONS aliases:\n", "\nEXAMPLES:\n"};
	_cleanup_free_ char *text = peers_help();
	const char *place = text;
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		place = strstr(place, sections[i]);
		assert_non_null(place);
	}
}

static size_t count_lines(const char *text, size_t max_width)
{
	size_t num_lines = 0;
	for (const char *line = text; *line; num_lines++) {
		size_t length = strcspn(line, "\n");
		if (length > max_width)
			fail_msg("more than %zu columns: %.*s", max_width, (int)length, line);
		line += length + 1;
	}
	return num_lines;
}

static void the_overview_fits_a_screen_and_has_all_commands(void **state)
{
	FILE *stream = capture_begin();
	help_print_overview(stream);
	_cleanup_free_ char *text = capture_end(stream);
	assert_in_range(count_lines(text, 80), 20, 30);
	for (unsigned id = 0; id < NUM_COMMANDS; id++)
		if (!strstr(text, commands[id].name))
			fail_msg("the overview lacks %s", commands[id].name);
}

static char *help_of(enum command_id id, const struct help_layout *layout)
{
	FILE *stream = capture_begin();
	help_print_command(id, layout, stream);
	return capture_end(stream);
}

static void help_fits_the_terminal(void **state)
{
	static const size_t widths[] = {60, 80, 100};
	_cleanup_free_ char *peers = peers_help();
	count_lines(strchr(peers, '\n') + 1, 100); // behind the header, which is the peer's
	for (unsigned i = 0; i < 3 * NUM_COMMANDS; i++) {
		struct help_layout layout = {.width = widths[i % 3], .verbose = i & 1};
		_cleanup_free_ char *page = help_of(i / 3, &layout);
		// A line of an example, which is to be copied, is not broken.
		count_lines(page, layout.width < 80 ? 80 : layout.width);
	}
}

static void the_help_of_a_command_is_two_screens_at_most(void **state)
{
	for (unsigned id = 0; id < NUM_COMMANDS; id++) {
		struct help_layout layout = {.width = 80};
		_cleanup_free_ char *page = help_of(id, &layout);
		if (count_lines(page, 80) > 66)
			fail_msg("help %s has %zu lines", commands[id].name, count_lines(page, 80));
	}
}

static void check_option(enum command_id id, const struct option *option, const char *page,
			 const char *verbose_page)
{
	char heading[HELP_MAX_HEADING], line[HELP_MAX_HEADING + 8];
	help_option_heading(option, true, heading, sizeof(heading));
	snprintf(line, sizeof(line), "\n  %s", heading);
	if (!strstr(verbose_page, line))
		fail_msg("help %s -v lacks '%s'", commands[id].name, heading);
	if (!strstr(page, option->is_rare ? option->spellings[0] : line))
		fail_msg("help %s lacks '%s'", commands[id].name, heading);
}

static void every_option_of_a_command_is_in_its_help(void **state)
{
	for (unsigned id = 0; id < NUM_COMMANDS; id++) {
		struct help_layout brief = {.width = 80}, whole = {.width = 80, .verbose = true};
		_cleanup_free_ char *page = help_of(id, &brief);
		_cleanup_free_ char *verbose_page = help_of(id, &whole);
		for (const struct option *option = NULL; (option = option_next(option));)
			if (option->help && help_command_takes(id, option))
				check_option(id, option, page, verbose_page);
	}
}

/** The name in the table and that in an example must be one that is understood. */
static void every_example_names_its_command(void **state)
{
	for (unsigned id = 0; id < NUM_COMMANDS; id++) {
		assert_non_null(command_texts[id].examples[0].line);
		for (size_t i = 0; i < COMMAND_MAX_EXAMPLES && command_texts[id].examples[i].line;
		     i++) {
			const char *line = command_texts[id].examples[i].line;
			size_t length = strlen(commands[id].name);
			if (strncmp(line, commands[id].name, length) != 0)
				fail_msg("example '%s' is not of %s", line, commands[id].name);
		}
	}
}

static void every_command_is_in_the_order_once(void **state)
{
	unsigned seen = 0;
	for (size_t i = 0; i < NUM_COMMANDS; i++) {
		assert_false(seen & 1U << help_order[i]);
		seen |= 1U << help_order[i];
	}
}

int help_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_peers_headings_stand_on_their_own_lines),
		cmocka_unit_test(sections_have_the_peers_order),
		cmocka_unit_test(the_overview_fits_a_screen_and_has_all_commands),
		cmocka_unit_test(help_fits_the_terminal),
		cmocka_unit_test(the_help_of_a_command_is_two_screens_at_most),
		cmocka_unit_test(every_example_names_its_command),
		cmocka_unit_test(every_option_of_a_command_is_in_its_help),
		cmocka_unit_test(every_command_is_in_the_order_once),
	};
	return cmocka_run_group_tests_name("help", tests, NULL, NULL);
}
