// SPDX-License-Identifier: Apache-2.0
// Runs the unit tests of a room: test_ROOM [MODULE [TEST]]. Both are names or patterns: 'event*'.
// Each module runs in a child process, so that neither its environment nor a crash affects the
// next.

#include "tests/unit/unit_module.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_USAGE = 2 };

static int usage(const char *pattern)
{
	fprintf(stderr, "no module here is called '%s'; there are:", pattern);
	for (const struct unit_module *module = unit_modules; module->name; module++)
		fprintf(stderr, " %s", module->name);
	fprintf(stderr, "\n");
	return EXIT_USAGE;
}

static bool has_passed(const struct unit_module *module)
{
	fflush(NULL);
	pid_t pid = fork();
	if (pid < 0)
		return false;
	if (pid == 0)
		exit(module->run() ? EXIT_FAILURE : EXIT_SUCCESS);
	int status;
	if (waitpid(pid, &status, 0) != pid)
		return false;
	if (WIFSIGNALED(status))
		fprintf(stderr, "killed by signal %d: ", WTERMSIG(status));
	return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	const char *pattern = argc > 1 ? argv[1] : "*";
	if (argc > 2)
		cmocka_set_test_filter(argv[2]);
	int num_found = 0, num_failed = 0;
	for (const struct unit_module *module = unit_modules; module->name; module++) {
		if (fnmatch(pattern, module->name, 0))
			continue;
		num_found++;
		if (has_passed(module))
			continue;
		num_failed++;
		fprintf(stderr, "FAILED: module %s\n", module->name);
	}
	if (!num_found)
		return usage(pattern);
	return num_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
