// SPDX-License-Identifier: Apache-2.0
// Help says what the tables say, in the lines that tools of the peer look for.

#include "cli/help.h"

#include "cli/option.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/capture.h"

static char *whole_help(void)
{
	FILE *stream = capture_begin();
	help_print_text(COMMAND_NONE, true, stream);
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
	_cleanup_free_ char *text = whole_help();
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
	_cleanup_free_ char *text = whole_help();
	const char *place = text;
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		place = strstr(place, sections[i]);
		assert_non_null(place);
	}
}

static void lines_fit_a_terminal(void **state)
{
	_cleanup_free_ char *text = whole_help();
	char *rest =
		strchr(text, '\n'); // behind the version, which grows with the build's features
	assert_non_null(rest);
	for (char *line; (line = strsep(&rest, "\n"));)
		if (strlen(line) > 100)
			fail_msg("long line: %s", line);
}

static void every_option_of_a_command_is_in_its_help(void **state)
{
	for (unsigned id = 0; id < NUM_COMMANDS; id++) {
		FILE *stream = capture_begin();
		help_print_text(id, false, stream);
		_cleanup_free_ char *page = capture_end(stream);
		for (const struct option *option = NULL; (option = option_next(option));) {
			if (!option->help || !help_command_takes(id, option))
				continue;
			char heading[128], line[160];
			help_option_heading(option, true, heading, sizeof(heading));
			snprintf(line, sizeof(line), "\n    %s\n", heading);
			if (!strstr(page, line))
				fail_msg("help %s lacks '%s'", commands[id].name, heading);
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
		cmocka_unit_test(lines_fit_a_terminal),
		cmocka_unit_test(every_option_of_a_command_is_in_its_help),
		cmocka_unit_test(every_command_is_in_the_order_once),
	};
	return cmocka_run_group_tests_name("help", tests, NULL, NULL);
}
