// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_host.h"
#include "source/perf/perf_round.h"
#include "source/perf/perf_sampling.h"
#include "source/perf/perf_spe_pmu.h"

#include "base/os/clock.h"
#include "base/os/interrupt.h"
#include "base/text/string_builder.h"
#include "catalog/event_spec.h"
#include "catalog/linux/system_events.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

/** Software events sample themselves on every machine. */
struct fixture {
	struct catalog catalog;
	struct event_list events;
	struct perf_sampling sampling;
	uint32_t pid;
	/* what the records said */
	unsigned num_samples, num_comms, num_returns;
	uint64_t last_time_ns;
	uint64_t period_sum;
};

static void open_pausing(struct fixture *fixture, const char *spec, uint32_t frequency,
			 bool can_pause)
{
	static const struct pmu_counters counters;
	_cleanup_(string_builder_deinit) struct string_builder notes = STRING_BUILDER_INIT;
	*fixture = (struct fixture){.pid = getpid(), .sampling = PERF_SAMPLING_INIT};
	catalog_init(&fixture->catalog, NULL, &counters);
	assert_no_error(system_events_load(&fixture->catalog, SYSTEM_EVENTS_SOFTWARE, "", &notes));
	assert_no_error(event_spec_parse(&fixture->catalog, spec, EVENT_SPEC_SAMPLE, NULL,
					 &fixture->events));
	const struct sample_plan plan = {
		.events = &fixture->events,
		.frequency_hz = frequency,
		.pids = &fixture->pid,
		.num_pids = 1,
		.can_pause = can_pause,
		.off_cpu = fixture->events.num_items > 1,
		.off_cpu_event = 1,
	};
	assert_no_error(interrupt_install());
	assert_no_error(perf_sampling_open(&fixture->sampling, &plan, NULL, NULL));
	assert_no_error(perf_sampling_start(&fixture->sampling));
}

static void open_sampling(struct fixture *fixture, const char *spec, uint32_t frequency)
{
	open_pausing(fixture, spec, frequency, false);
}

static void fixture_deinit(struct fixture *fixture)
{
	perf_sampling_close(&fixture->sampling);
	interrupt_uninstall();
	event_list_deinit(&fixture->events);
	catalog_deinit(&fixture->catalog);
}

static void take_round(struct fixture *fixture)
{
	assert_no_error(perf_round_wait(&fixture->sampling, 0, -1));
	for (bool more = true; more;) {
		struct record record;
		assert_no_error(perf_round_next(&fixture->sampling, &record, &more));
		if (!more)
			break;
		assert_true(record.time_ns >= fixture->last_time_ns);
		fixture->last_time_ns = record.time_ns;
		fixture->num_comms += record.kind == RECORD_COMM;
		fixture->num_returns += record.kind == RECORD_SWITCH && !record.change.is_out;
		if (record.kind != RECORD_SAMPLE)
			continue;
		assert_int_equal(record.pid, fixture->pid);
		fixture->num_samples++;
		fixture->period_sum += record.sample.period;
	}
}

static void stop(struct fixture *fixture)
{
	assert_no_error(perf_sampling_stop(&fixture->sampling));
	take_round(fixture);
}

static void work(unsigned milliseconds)
{
	for (clock_t end = clock() + (clock_t)milliseconds * CLOCKS_PER_SEC / 1000; clock() < end;)
		continue;
}

static void time_is_sampled_as_often_as_asked(void **state)
{
	_cleanup_(fixture_deinit) struct fixture fixture;
	// The kernel lowers its limit where interrupts once took long.
	uint32_t most = perf_host_max_frequency();
	uint32_t frequency = most < 1000 ? most : 1000;
	open_sampling(&fixture, "cpu-clock", frequency);
	for (int i = 0; i < 5; i++) {
		work(60);
		take_round(&fixture);
	}
	stop(&fixture);
	// 300 ms on the CPU, and what the rounds take; timers may come late, but not twice.
	assert_in_range(fixture.num_samples, frequency / 5, frequency * 2 / 5);
	assert_in_range(fixture.period_sum, 200000000, 400000000);
	assert_int_equal(fixture.sampling.totals.num_generated, fixture.num_samples);
	assert_int_equal(fixture.sampling.totals.num_lost, 0);
}

static void every_event_is_a_sample_with_period_1(void **state)
{
	enum { NUM_PAGES = 500, PAGE = 4096 };
	_cleanup_(fixture_deinit) struct fixture fixture;
	open_sampling(&fixture, "minor-faults:1", 1000);
	volatile char *pages = aligned_alloc(PAGE, (size_t)NUM_PAGES * PAGE);
	for (size_t i = 0; i < NUM_PAGES; i++)
		pages[i * PAGE] = 1;
	stop(&fixture);
	free((void *)pages);
	assert_in_range(fixture.num_samples, NUM_PAGES, NUM_PAGES + 200);
	assert_int_equal(fixture.period_sum, fixture.num_samples);
}

static void new_names_are_told(void **state)
{
	_cleanup_(fixture_deinit) struct fixture fixture;
	open_sampling(&fixture, "cpu-clock", 100);
	prctl(PR_SET_NAME, "renamed");
	stop(&fixture);
	assert_int_equal(fixture.num_comms, 1);
}

static void a_pause_has_no_samples_but_names(void **state)
{
	_cleanup_(fixture_deinit) struct fixture fixture;
	open_pausing(&fixture, "cpu-clock", 100, true);
	assert_no_error(perf_sampling_switch(&fixture.sampling, 0, false));
	work(100);
	prctl(PR_SET_NAME, "paused");
	assert_no_error(perf_sampling_switch(&fixture.sampling, 0, true));
	uint64_t resumed_ns = clock_ns(CLOCK_MONOTONIC);
	work(100);
	assert_no_error(perf_sampling_switch(&fixture.sampling, 0, false));
	uint64_t paused_ns = clock_ns(CLOCK_MONOTONIC);
	work(100);
	stop(&fixture);
	assert_int_equal(fixture.num_comms, 1);
	// One may have been on its way.
	assert_in_range(fixture.num_samples, 2, 22);
	assert_true(fixture.last_time_ns > resumed_ns && fixture.last_time_ns < paused_ns);
}

/** Or a wait that began before would seem to end with the next one's. */
static void threads_are_followed_off_the_cpu_in_a_pause(void **state)
{
	enum { NUM_WAITS = 5 };
	_cleanup_(fixture_deinit) struct fixture fixture;
	open_pausing(&fixture, "cpu-clock,context-switches:1", 100, true);
	for (size_t event = 0; event < 2; event++)
		assert_no_error(perf_sampling_switch(&fixture.sampling, event, false));
	for (int i = 0; i < NUM_WAITS; i++)
		usleep(1000);
	stop(&fixture);
	assert_in_range(fixture.num_returns, NUM_WAITS, 100);
}

static void too_many_a_second_are_refused_with_the_limit(void **state)
{
	static const struct pmu_counters counters;
	_cleanup_(string_builder_deinit) struct string_builder notes = STRING_BUILDER_INIT;
	_cleanup_(fixture_deinit) struct fixture fixture = {.sampling = PERF_SAMPLING_INIT};
	catalog_init(&fixture.catalog, NULL, &counters);
	assert_no_error(system_events_load(&fixture.catalog, SYSTEM_EVENTS_SOFTWARE, "", &notes));
	assert_no_error(event_spec_parse(&fixture.catalog, "cpu-clock", EVENT_SPEC_SAMPLE, NULL,
					 &fixture.events));
	const struct sample_plan plan = {.events = &fixture.events, .frequency_hz = 2000000000};
	assert_error(perf_sampling_open(&fixture.sampling, &plan, NULL, NULL), ERROR_USAGE,
		     "the kernel cannot sample 2000000000 times per second");
}

// A PMU that has no trace: all that is open by then is closed.
static void an_area_that_cannot_be_mapped(void **state)
{
	static const struct pmu_counters counters;
	_cleanup_(fixture_deinit) struct fixture fixture = {.pid = getpid(),
							    .sampling = PERF_SAMPLING_INIT};
	catalog_init(&fixture.catalog, NULL, &counters);
	assert_no_error(interrupt_install());
	const struct perf_spe_pmu pmu = {.type = PERF_TYPE_SOFTWARE};
	const struct spe_filters filters = {.spec = "arm_spe_0//", .configs = {[SPE_PERIOD] = 1}};
	const struct sample_plan plan = {
		.events = &fixture.events,
		.spe = &filters,
		.pids = &fixture.pid,
		.num_pids = 1,
	};
	assert_error(perf_sampling_open(&fixture.sampling, &plan, NULL, &pmu), ERROR_FAILED,
		     "cannot map the SPE buffer of core 0: Operation not supported");
}

static struct error *open_on(struct fixture *fixture, uint32_t pid)
{
	fixture->pid = pid;
	perf_sampling_close(&fixture->sampling);
	const struct sample_plan plan = {
		.events = &fixture->events,
		.frequency_hz = 100,
		.pids = &fixture->pid,
		.num_pids = 1,
	};
	return perf_sampling_open(&fixture->sampling, &plan, NULL, NULL);
}

static void opening_ends_when_the_user_wants_it(void **state)
{
	_cleanup_(fixture_deinit) struct fixture fixture;
	open_sampling(&fixture, "cpu-clock", 100);
	assert_int_equal(raise(SIGINT), 0);
	_cleanup_(error_destroyp) struct error *err = open_on(&fixture, (uint32_t)getpid());
	assert_non_null(err);
	assert_non_null(strstr(err->message, "interrupted before the events of "));
	assert_int_equal(fixture.sampling.num_fds, 0);
}

/** It is in /proc until its parent has collected it. */
static void a_process_that_has_ended_is_refused(void **state)
{
	_cleanup_(fixture_deinit) struct fixture fixture;
	open_sampling(&fixture, "cpu-clock", 100);
	pid_t pid = fork();
	if (pid == 0)
		_exit(0);
	siginfo_t info;
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	_cleanup_(error_destroyp) struct error *err = open_on(&fixture, (uint32_t)pid);
	waitpid(pid, NULL, 0);
	assert_non_null(err);
	assert_non_null(strstr(err->message, "it has ended"));
}

int perf_sampling_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_is_sampled_as_often_as_asked),
		cmocka_unit_test(every_event_is_a_sample_with_period_1),
		cmocka_unit_test(new_names_are_told),
		cmocka_unit_test(a_pause_has_no_samples_but_names),
		cmocka_unit_test(threads_are_followed_off_the_cpu_in_a_pause),
		cmocka_unit_test(too_many_a_second_are_refused_with_the_limit),
		cmocka_unit_test(an_area_that_cannot_be_mapped),
		cmocka_unit_test(opening_ends_when_the_user_wants_it),
		cmocka_unit_test(a_process_that_has_ended_is_refused),
	};
	return cmocka_run_group_tests_name("perf_sampling", tests, NULL, NULL);
}
