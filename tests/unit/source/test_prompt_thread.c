// SPDX-License-Identifier: Apache-2.0

#include "source/prompt_thread.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

/** struct sched_attr of the kernel, as it was at first. */
struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

static uint64_t slice_ns(void)
{
	struct attributes now;
	assert_int_equal(syscall(SYS_sched_getattr, 0, &now, sizeof(now), 0), 0);
	return now.runtime;
}

// Before Linux 6.12 it is always 0.
static void a_thread_becomes_what_it_was(void **state)
{
	uint64_t before_ns = slice_ns();
	struct prompt_thread prompt = {0};
	prompt_thread_end(&prompt);
	assert_int_equal(slice_ns(), before_ns);
	prompt_thread_begin(&prompt);
	if (before_ns)
		assert_int_equal(slice_ns(), 100000);
	prompt_thread_end(&prompt);
	assert_int_equal(slice_ns(), before_ns);
	prompt_thread_end(&prompt);
	assert_int_equal(slice_ns(), before_ns);
}

static void *end_elsewhere(void *data)
{
	uint64_t before_ns = slice_ns();
	prompt_thread_end(data);
	return slice_ns() == before_ns ? NULL : data;
}

static void another_thread_stays_as_it_is(void **state)
{
	struct prompt_thread prompt = {0};
	uint64_t before_ns = slice_ns();
	pthread_t thread;
	void *failed;
	prompt_thread_begin(&prompt);
	struct prompt_thread copy = prompt;
	assert_int_equal(pthread_create(&thread, NULL, end_elsewhere, &copy), 0);
	assert_int_equal(pthread_join(thread, &failed), 0);
	assert_null(failed);
	prompt_thread_end(&prompt);
	assert_int_equal(slice_ns(), before_ns);
}

int prompt_thread_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_becomes_what_it_was),
		cmocka_unit_test(another_thread_stays_as_it_is),
	};
	return cmocka_run_group_tests_name("prompt_thread", tests, NULL, NULL);
}
