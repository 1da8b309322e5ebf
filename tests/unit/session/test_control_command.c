// SPDX-License-Identifier: Apache-2.0

#include "session/control/control_command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct control_command parse(const char *line)
{
	struct control_command command;
	control_command_parse(line, strlen(line), &command);
	return command;
}

static void words_of_perf(void **state)
{
	assert_int_equal(parse("enable").verb, CONTROL_ENABLE);
	assert_int_equal(parse("disable").verb, CONTROL_DISABLE);
	assert_int_equal(parse("snapshot").verb, CONTROL_SNAPSHOT);
	assert_int_equal(parse("ping").verb, CONTROL_PING);
	assert_int_equal(parse("stop").verb, CONTROL_STOP);
}

static void what_stands_behind_the_word(void **state)
{
	struct control_command command = parse(" enable  cycles:u \r");
	assert_int_equal(command.verb, CONTROL_ENABLE);
	assert_string_equal(control_command_argument(&command), "cycles:u");
	assert_string_equal(command.line, "enable  cycles:u");
	command = parse("stop");
	assert_string_equal(control_command_argument(&command), "");
}

static void what_is_not_a_command(void **state)
{
	assert_int_equal(parse("").verb, CONTROL_UNKNOWN);
	assert_int_equal(parse("enabled").verb, CONTROL_UNKNOWN);
	assert_int_equal(parse("Stop").verb, CONTROL_UNKNOWN);
	struct control_command command = parse("stop\x1b[2J");
	assert_int_equal(command.verb, CONTROL_UNKNOWN);
	assert_string_equal(command.line, "stop?[2J");
	struct control_command zero;
	control_command_parse("stop\0stop", 9, &zero);
	assert_int_equal(zero.verb, CONTROL_UNKNOWN);
	assert_string_equal(zero.line, "stop?stop");
}

static void a_long_line_is_cut(void **state)
{
	char line[CONTROL_LINE_MAX + 20];
	memset(line, 'x', sizeof(line));
	memcpy(line, "stop ", 5);
	struct control_command command;
	control_command_parse(line, sizeof(line), &command);
	assert_int_equal(command.verb, CONTROL_UNKNOWN);
	assert_int_equal(strlen(command.line), CONTROL_LINE_MAX);
}

int control_command_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_of_perf),
		cmocka_unit_test(what_stands_behind_the_word),
		cmocka_unit_test(what_is_not_a_command),
		cmocka_unit_test(a_long_line_is_cut),
	};
	return cmocka_run_group_tests_name("control_command", tests, NULL, NULL);
}
