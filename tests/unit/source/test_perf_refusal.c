// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_refusal.h"

#include "base/container/array.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct perf_target whole_core = {.thread = -1, .core = 0};
static const struct perf_target no_core = {.thread = -1, .core = 1000000};
static const struct perf_target process = {.thread = 12, .core = -1, .process = 12};
static const struct perf_target thread = {.thread = 13, .core = 0, .process = 12};

static void it_says_what_on_what_and_what_to_do(void **state)
{
	static const struct {
		int errnum;
		enum perf_counter counter;
		const struct perf_target *target;
		bool is_member;
		const char *message;
		const char *hint; /* part of it */
	} rows[] = {
		{EACCES, PERF_COUNTER_CPU, &whole_core, false,
		 "cannot open 'cycles' on core 0: permission denied", "perf_event_paranoid is "},
		{EACCES, PERF_COUNTER_CPU, &process, false,
		 "cannot open 'cycles' of process 12: permission denied", "CAP_PERFMON"},
		{EACCES, PERF_COUNTER_CPU, &thread, false,
		 "cannot open 'cycles' of thread 13 of process 12 on core 0: permission denied",
		 "CAP_PERFMON"},
		{EPERM, PERF_COUNTER_KERNEL, &process, false,
		 "cannot open 'cycles' of process 12: perf_event_open is forbidden here, as in "
		 "most containers",
		 "seccomp"},
		{ENOENT, PERF_COUNTER_CPU, &process, false, "this machine cannot count 'cycles'",
		 "count"},
		{EOPNOTSUPP, PERF_COUNTER_OTHER, &process, false,
		 "this machine cannot count 'cycles'", "wperf list"},
		{ENODEV, PERF_COUNTER_CPU, &whole_core, false,
		 "cannot open 'cycles' on core 0: the core is offline or does not exist", "online"},
		{EINVAL, PERF_COUNTER_CPU, &no_core, false,
		 "cannot open 'cycles' on core 1000000: the core is offline or does not exist",
		 "online"},
		{EINVAL, PERF_COUNTER_CPU, &process, true,
		 "cannot open 'cycles' of process 12: it does not fit into its group",
		 "without braces"},
		{EINVAL, PERF_COUNTER_OTHER, &process, false,
		 "cannot open 'cycles' of process 12: this PMU cannot count a single program",
		 "whole cores"},
		{EINVAL, PERF_COUNTER_CPU, &process, false,
		 "cannot open 'cycles' of process 12: the kernel rejects this event", "wperf list"},
		{EMFILE, PERF_COUNTER_CPU, &process, false,
		 "cannot open 'cycles' of process 12: too many open files",
		 "70000 files are needed and "},
		{EBUSY, PERF_COUNTER_CPU, &whole_core, false,
		 "cannot open 'cycles' on core 0: its counter is in use", "nmi_watchdog"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		// Units that know no levels are only asked for one if the user says so.
		struct perf_event_attr attr = {
			.exclude_kernel = rows[i].counter != PERF_COUNTER_OTHER,
		};
		struct perf_refusal refusal = {
			.errnum = rows[i].errnum,
			.event = "cycles",
			.attr = &attr,
			.counter = rows[i].counter,
			.target = rows[i].target,
			.is_member = rows[i].is_member,
			.num_files = 70000,
		};
		_cleanup_(error_destroyp) struct error *err = perf_refusal_error(&refusal);
		assert_string_equal(err->message, rows[i].message);
		assert_non_null(err->hint);
		assert_non_null(strstr(err->hint, rows[i].hint));
	}
}

static void units_without_levels_say_so(void **state)
{
	struct perf_event_attr attr = {.exclude_user = 1};
	struct perf_refusal refusal = {
		.errnum = EINVAL,
		.event = "tsc",
		.attr = &attr,
		.counter = PERF_COUNTER_OTHER,
		.target = &whole_core,
	};
	_cleanup_(error_destroyp) struct error *err = perf_refusal_error(&refusal);
	assert_string_equal(err->hint, "leave out :u and :k");
}

static void what_nobody_foresaw_is_told_in_the_systems_words(void **state)
{
	struct perf_event_attr attr = {.exclude_kernel = 1};
	struct perf_refusal refusal = {
		.errnum = EFBIG,
		.event = "cycles",
		.attr = &attr,
		.target = &process,
	};
	_cleanup_(error_destroyp) struct error *err = perf_refusal_error(&refusal);
	assert_string_equal(err->message, "cannot open 'cycles' of process 12: File too large");
	assert_null(err->hint);
}

int perf_refusal_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_says_what_on_what_and_what_to_do),
		cmocka_unit_test(units_without_levels_say_so),
		cmocka_unit_test(what_nobody_foresaw_is_told_in_the_systems_words),
	};
	return cmocka_run_group_tests_name("perf_refusal", tests, NULL, NULL);
}
