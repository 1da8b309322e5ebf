// SPDX-License-Identifier: Apache-2.0

#include "process/thread/task_number.h"

#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void ours_have_one_number(void **state)
{
	uint32_t pid = (uint32_t)getpid();
	assert_false(task_number_is_hidden(pid));
	assert_int_equal(task_number_inside(pid, pid), pid);
}

static void what_is_gone_keeps_its_number(void **state)
{
	assert_false(task_number_is_hidden(0x7ffffff0));
	assert_int_equal(task_number_inside(0x7ffffff0, 0x7ffffff1), 0x7ffffff1);
}

static void the_first_of_a_namespace_is_1(void **state)
{
	long pid = syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWPID | SIGCHLD, NULL, NULL, NULL, 0);
	if (pid < 0)
		skip(); // not for this user
	if (pid == 0) {
		for (;;)
			pause();
	}
	bool is_hidden = task_number_is_hidden((uint32_t)pid);
	uint32_t inside = task_number_inside((uint32_t)pid, (uint32_t)pid);
	kill((pid_t)pid, SIGKILL);
	waitpid((pid_t)pid, NULL, 0);
	assert_true(is_hidden);
	assert_int_equal(inside, 1);
}

int task_number_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ours_have_one_number),
		cmocka_unit_test(what_is_gone_keeps_its_number),
		cmocka_unit_test(the_first_of_a_namespace_is_1),
	};
	return cmocka_run_group_tests_name("task_number", tests, NULL, NULL);
}
