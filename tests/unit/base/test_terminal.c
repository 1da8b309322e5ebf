// SPDX-License-Identifier: Apache-2.0

#include "base/terminal/terminal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

#include <fcntl.h>
#include <stdlib.h>

// One end of a pseudo terminal; the other one stays open until the process ends.
static FILE *open_terminal(void)
{
	int controller = posix_openpt(O_RDWR | O_NOCTTY);
	if (controller < 0 || grantpt(controller) < 0 || unlockpt(controller) < 0)
		return NULL;
	int fd = open(ptsname(controller), O_RDWR | O_NOCTTY);
	return fd < 0 ? NULL : fdopen(fd, "w");
}

static void test_a_file_is_no_terminal(void **state)
{
	FILE *file = tmpfile();
	assert_non_null(file);
	unsetenv("NO_COLOR");
	setenv("TERM", "xterm", 1);
	assert_false(terminal_is_terminal(file));
	assert_false(terminal_has_color(file));
	fclose(file);
}

static const struct {
	const char *no_color;
	const char *term;
	bool has_color;
} color_cases[] = {
	{NULL, "xterm", true}, {"", "xterm", true},    {"1", "xterm", false}, {NULL, "dumb", false},
	{"", "dumb", false},   {NULL, "dumber", true}, {NULL, NULL, true},    {"0", "xterm", false},
};

static void set_variable(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

static void test_colors_of_a_terminal(void **state)
{
	FILE *terminal = open_terminal();
	if (!terminal)
		skip();
	assert_true(terminal_is_terminal(terminal));
	for (size_t i = 0; i < ARRAY_SIZE(color_cases); i++) {
		set_variable("NO_COLOR", color_cases[i].no_color);
		set_variable("TERM", color_cases[i].term);
		assert_int_equal(terminal_has_color(terminal), color_cases[i].has_color);
	}
	fclose(terminal);
}

int terminal_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_file_is_no_terminal),
		cmocka_unit_test(test_colors_of_a_terminal),
	};
	return cmocka_run_group_tests_name("terminal", tests, NULL, NULL);
}
