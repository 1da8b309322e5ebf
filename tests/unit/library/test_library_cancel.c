// SPDX-License-Identifier: Apache-2.0

#include "library/wperf.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>

#include <cmocka.h>

static struct wperf_count *waiting;

static void on_alarm(int number)
{
	wperf_count_cancel(waiting);
}

/** On simulated cores; waits without an end. */
static struct wperf_error *wait_for_alarm(struct wperf_session *session)
{
	static const struct itimerval soon = {.it_value = {.tv_usec = 50000}};
	struct wperf_count_config config = WPERF_COUNT_CONFIG_INIT;
	config.events = "ld_spec";
	struct wperf_error *error = wperf_count_open(session, &config, &waiting);
	if (!error)
		error = wperf_count_start(waiting);
	setitimer(ITIMER_REAL, &soon, NULL);
	return error ? error : wperf_count_wait(waiting, 0, NULL);
}

static void a_signal_handler_may_cancel(void **state)
{
	struct sigaction before;
	struct wperf_session_config config = WPERF_SESSION_CONFIG_INIT;
	struct wperf_session *session = NULL;
	sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm}, &before);
	config.source = "sim";
	assert_null(wperf_session_open(&config, &session));
	struct wperf_error *error = wait_for_alarm(session);
	assert_non_null(error);
	assert_int_equal(wperf_error_kind_of(error), WPERF_ERROR_CANCELLED);
	wperf_error_free(error);
	wperf_count_close(waiting);
	wperf_session_close(session);
	sigaction(SIGALRM, &before, NULL);
}

int library_cancel_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_signal_handler_may_cancel),
	};
	return cmocka_run_group_tests_name("library_cancel", tests, NULL, NULL);
}
