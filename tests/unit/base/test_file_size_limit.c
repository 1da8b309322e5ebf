// SPDX-License-Identifier: Apache-2.0

#include "base/file/file_size_limit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT = 4096 };

/** A file of the limit's size refuses one more byte. */
static bool has_error(void)
{
	const struct rlimit limit = {LIMIT, LIMIT};
	int fd = memfd_create("file", MFD_CLOEXEC);
	return fd >= 0 && setrlimit(RLIMIT_FSIZE, &limit) == 0 && pwrite(fd, "", 1, LIMIT) < 0 &&
	       errno == EFBIG;
}

/** How a process ended that tries it; @next: a program that it becomes, which gets the signal. */
static int status_after(void (*before)(int), const char *next)
{
	pid_t pid = fork();
	if (pid == 0) {
		signal(SIGXFSZ, before);
		file_size_limit_make_error();
		bool is_error = has_error();
		if (next)
			execl("/bin/sh", "sh", "-c", next, NULL);
		_exit(is_error ? 0 : 1);
	}
	int status = -1;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void too_large_a_file_is_an_error(void **state)
{
	assert_int_equal(status_after(SIG_DFL, NULL), 0);
}

static void programs_are_as_without_us(void **state)
{
	int status = status_after(SIG_DFL, "kill -XFSZ $$");
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGXFSZ);
	assert_int_equal(status_after(SIG_IGN, "kill -XFSZ $$; exit 0"), 0);
}

int file_size_limit_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_large_a_file_is_an_error),
		cmocka_unit_test(programs_are_as_without_us),
	};
	return cmocka_run_group_tests_name("file_size_limit", tests, NULL, NULL);
}
