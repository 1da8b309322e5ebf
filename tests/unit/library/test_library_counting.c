// SPDX-License-Identifier: Apache-2.0

#include "library/wperf.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MS = 1000000 };

/** On simulated cores. */
struct fixture {
	struct wperf_session *session;
	struct wperf_count *count;
};

static void assert_works(struct wperf_error *error)
{
	if (error)
		fail_msg("%s", wperf_error_message(error));
}

/** Also ends the error. */
static void assert_fails(struct wperf_error *error, enum wperf_error_kind kind, const char *message)
{
	assert_non_null(error);
	assert_string_equal(wperf_error_message(error), message);
	assert_int_equal(wperf_error_kind_of(error), kind);
	wperf_error_free(error);
}

static int open_session(void **state)
{
	static struct fixture fixture;
	struct wperf_session_config config = WPERF_SESSION_CONFIG_INIT;
	config.source = "sim,cores=4,counters=4,dsu=2,dmc=2";
	fixture = (struct fixture){.count = NULL};
	assert_works(wperf_session_open(&config, &fixture.session));
	*state = &fixture;
	return 0;
}

static int close_session(void **state)
{
	struct fixture *fixture = *state;
	wperf_count_close(fixture->count);
	wperf_session_close(fixture->session);
	return 0;
}

static struct wperf_count *open_count(void **state, const char *events, const char *metrics,
				      const char *cores)
{
	struct fixture *fixture = *state;
	struct wperf_count_config config = WPERF_COUNT_CONFIG_INIT;
	config.events = events;
	config.metrics = metrics;
	config.cores = cores;
	wperf_count_close(fixture->count);
	fixture->count = NULL;
	assert_works(wperf_count_open(fixture->session, &config, &fixture->count));
	return fixture->count;
}

static void count_for(struct wperf_count *count, uint64_t duration_ns)
{
	assert_works(wperf_count_start(count));
	assert_works(wperf_count_wait(count, duration_ns, NULL));
	assert_works(wperf_count_stop(count));
	assert_works(wperf_count_read(count));
}

static double value_of(const struct wperf_count *count, const char *event)
{
	double value = NAN;
	assert_true(wperf_count_value(count, event, &value));
	return value;
}

static void values_are_those_of_cores_and_then_sums(void **state)
{
	struct wperf_count *count = open_count(state, "{st_spec,vfp_spec},ld_spec", NULL, "1-2");
	assert_int_equal(wperf_count_num_values(count), 0);
	count_for(count, 100 * MS);
	static const char *const events[] = {"cycle", "st_spec", "vfp_spec", "ld_spec"};
	double sums[4] = {0};
	size_t number = 0;
	struct wperf_value value;
	for (uint32_t core = 1; core <= 2; core++)
		for (size_t i = 0; i < 4; i++) {
			assert_true(wperf_count_value_at(count, number++, &value));
			assert_string_equal(value.event, events[i]);
			assert_int_equal(value.core, core);
			assert_int_equal(value.pid, WPERF_NONE);
			assert_int_equal(value.group, i == 1 || i == 2 ? 0 : WPERF_NONE);
			assert_null(value.metric);
			assert_null(value.unit);
			assert_true(value.is_counted);
			assert_true(value.value > 0);
			assert_true((uint64_t)value.value == value.raw);
			assert_int_equal(value.running, value.enabled);
			sums[i] += value.value;
		}
	for (size_t i = 0; i < 4; i++) {
		assert_true(wperf_count_value_at(count, number++, &value));
		assert_int_equal(value.core, WPERF_NONE);
		assert_true(value.value == sums[i]);
		assert_true(value_of(count, events[i]) == sums[i]);
	}
	assert_false(wperf_count_value_at(count, number, &value));
	assert_int_equal(wperf_count_num_values(count), number);
	double none;
	assert_false(wperf_count_value(count, "inst_spec", &none));
	assert_int_equal(wperf_count_elapsed_ns(count), 100 * MS);
	assert_int_equal(wperf_count_exit_code(count), -1);
}

static void clusters_and_channels_have_numbers_of_their_own(void **state)
{
	struct wperf_count *count =
		open_count(state, "ld_spec,/dsu/l3d_cache,/dmc_clkdiv2/rdwr", NULL, "0");
	count_for(count, 100 * MS);
	bool has_cluster = false, has_channel = false;
	struct wperf_value value;
	for (size_t i = 0; wperf_count_value_at(count, i, &value); i++) {
		has_cluster |= value.cluster == 0 && strcmp(value.event, "l3d_cache") == 0 &&
			       value.core == WPERF_NONE;
		has_channel |= value.channel == 1 && strcmp(value.event, "rdwr") == 0 &&
			       value.cluster == WPERF_NONE;
	}
	assert_true(has_cluster && has_channel);
}

static void starts_begin_anew_and_resumes_go_on(void **state)
{
	struct wperf_count *count = open_count(state, "ld_spec", NULL, "0");
	count_for(count, 100 * MS);
	double once = value_of(count, "cycle");
	count_for(count, 100 * MS);
	double again = value_of(count, "cycle");
	assert_true(again > 0.9 * once && again < 1.1 * once);
	// What passes in between is not counted.
	assert_works(wperf_count_wait(count, 100 * MS, NULL));
	assert_works(wperf_count_resume(count));
	assert_works(wperf_count_wait(count, 100 * MS, NULL));
	assert_works(wperf_count_stop(count));
	assert_works(wperf_count_stop(count));
	assert_works(wperf_count_read(count));
	double both = value_of(count, "cycle");
	assert_true(both > 1.8 * once && both < 2.2 * once);
	assert_int_equal(wperf_count_elapsed_ns(count), 200 * MS);
}

static void events_that_take_turns_are_scaled(void **state)
{
	struct wperf_count *count =
		open_count(state,
			   "inst_retired,ld_spec,st_spec,vfp_spec,ase_spec,dp_spec,br_retired",
			   NULL, "0");
	count_for(count, 1000 * UINT64_C(1000000));
	struct wperf_value value;
	bool is_scaled = false;
	for (size_t i = 0; wperf_count_value_at(count, i, &value); i++) {
		is_scaled |= value.running < value.enabled;
		if (value.running && value.running < value.enabled)
			assert_true(value.value > (double)value.raw);
	}
	assert_true(is_scaled);
}

static void metrics_have_a_value_for_each_core_and_for_all(void **state)
{
	struct wperf_count *count = open_count(state, NULL, "ipc", "0-1");
	assert_int_equal(wperf_count_num_metrics(count), 0);
	count_for(count, 100 * MS);
	assert_int_equal(wperf_count_num_metrics(count), 3);
	struct wperf_metric_value metric;
	for (uint32_t i = 0; i < 3; i++) {
		assert_true(wperf_count_metric_at(count, i, &metric));
		assert_string_equal(metric.name, "ipc");
		assert_true(metric.is_known);
		assert_int_equal(metric.core, i < 2 ? i : WPERF_NONE);
		assert_true(metric.value > 0);
	}
	double whole = value_of(count, "inst_retired") / value_of(count, "cpu_cycles");
	assert_true(fabs(metric.value - whole) < 1e-9);
	assert_false(wperf_count_metric_at(count, 3, &metric));
	struct wperf_value value;
	assert_true(wperf_count_value_at(count, 1, &value));
	assert_string_equal(value.metric, "ipc");
}

static void a_cancel_ends_the_wait_or_the_next_one(void **state)
{
	struct wperf_count *count = open_count(state, "ld_spec", NULL, "0");
	assert_works(wperf_count_start(count));
	wperf_count_cancel(count);
	wperf_count_cancel(count);
	assert_fails(wperf_count_wait(count, 100 * MS, NULL), WPERF_ERROR_CANCELLED,
		     "the caller has cancelled it");
	// Only that one, and the count goes on.
	assert_works(wperf_count_wait(count, 100 * MS, NULL));
	assert_works(wperf_count_read(count));
	assert_int_equal(wperf_count_elapsed_ns(count), 100 * MS);
	// Without an end, simulated time passes as real time does.
	wperf_count_cancel(count);
	assert_fails(wperf_count_wait(count, 0, NULL), WPERF_ERROR_CANCELLED,
		     "the caller has cancelled it");
}

/** As often as the data says. */
static bool count_calls(void *data, const struct wperf_progress *progress)
{
	int *left = data;
	return --*left > 0;
}

static void progress_may_end_a_wait(void **state)
{
	struct wperf_count *count = open_count(state, "ld_spec", NULL, "0");
	int left = 2;
	const struct wperf_watch watch = {.progress = count_calls, .data = &left};
	assert_works(wperf_count_start(count));
	assert_fails(wperf_count_wait(count, 0, &watch), WPERF_ERROR_CANCELLED,
		     "the caller has cancelled it");
	assert_int_equal(left, 0);
	assert_works(wperf_count_stop(count));
	assert_true(wperf_count_elapsed_ns(count) > 100 * MS);
	// At the end of a wait there is nothing to cancel.
	left = 1;
	assert_works(wperf_count_wait(count, 100 * MS, &watch));
	assert_int_equal(left, 0);
}

static void one_count_has_the_session(void **state)
{
	struct fixture *fixture = *state;
	struct wperf_count_config config = WPERF_COUNT_CONFIG_INIT;
	struct wperf_count *other = NULL;
	config.events = "ld_spec";
	open_count(state, "ld_spec", NULL, "0");
	assert_fails(wperf_count_open(fixture->session, &config, &other), WPERF_ERROR_USAGE,
		     "the session is in use by another count or sampling");
	wperf_count_close(fixture->count);
	fixture->count = NULL;
	assert_works(wperf_count_open(fixture->session, &config, &other));
	wperf_count_close(other);
	wperf_count_close(NULL);
}

static void what_makes_no_sense_is_refused(void **state)
{
	static char name[] = "true";
	static char *const command[] = {name, NULL}, *const no_words[] = {NULL};
	static const struct {
		struct wperf_count_config config;
		const char *message;
	} cases[] = {
		{{.size = 0}, "struct wperf_count_config has no size"},
		{{.size = sizeof(struct wperf_count_config)}, "no event specified"},
		{{.size = sizeof(struct wperf_count_config), .events = "ld_spec", .cores = "9"},
		 "core index 9 not allowed. Use 0-3, see option -c <n>"},
		{{.size = sizeof(struct wperf_count_config), .events = "ld_spec", .pids = "1"},
		 "source 'sim' counts whole cores, not processes"},
		{{.size = sizeof(struct wperf_count_config),
		  .events = "ld_spec",
		  .scope = WPERF_SCOPE_THREAD},
		 "source 'sim' counts whole cores, not processes"},
		{{.size = sizeof(struct wperf_count_config),
		  .events = "ld_spec",
		  .command = no_words},
		 "the command has no words"},
		{{.size = sizeof(struct wperf_count_config),
		  .events = "ld_spec",
		  .cores = "0",
		  .command = command},
		 "source 'sim' simulates a machine and cannot run 'true'"},
	};
	struct fixture *fixture = *state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct wperf_count *count = NULL;
		struct wperf_error *error =
			wperf_count_open(fixture->session, &cases[i].config, &count);
		assert_fails(error, WPERF_ERROR_USAGE, cases[i].message);
		assert_null(count);
	}
}

static void an_unknown_event_has_a_hint(void **state)
{
	struct fixture *fixture = *state;
	struct wperf_count_config config = WPERF_COUNT_CONFIG_INIT;
	struct wperf_count *count = NULL;
	config.events = "ld_spek";
	struct wperf_error *error = wperf_count_open(fixture->session, &config, &count);
	assert_non_null(error);
	assert_non_null(strstr(wperf_error_message(error), "ld_spek"));
	assert_non_null(wperf_error_hint(error));
	wperf_error_free(error);
	// NULL is the default, and sim has none.
	assert_fails(wperf_count_open(fixture->session, NULL, &count), WPERF_ERROR_USAGE,
		     "no event specified");
}

static void waits_and_resumes_need_a_start(void **state)
{
	struct wperf_count *count = open_count(state, "ld_spec", NULL, "0");
	assert_fails(wperf_count_wait(count, MS, NULL), WPERF_ERROR_USAGE,
		     "the count has not begun");
	assert_fails(wperf_count_resume(count), WPERF_ERROR_USAGE, "the count has not begun");
	assert_works(wperf_count_stop(count));
	assert_int_equal(wperf_count_elapsed_ns(count), 0);
}

int library_counting_tests(void)
{
	const struct CMUnitTest tests[] = {
#define WITH_SESSION(test) cmocka_unit_test_setup_teardown(test, open_session, close_session)
		WITH_SESSION(values_are_those_of_cores_and_then_sums),
		WITH_SESSION(clusters_and_channels_have_numbers_of_their_own),
		WITH_SESSION(starts_begin_anew_and_resumes_go_on),
		WITH_SESSION(events_that_take_turns_are_scaled),
		WITH_SESSION(metrics_have_a_value_for_each_core_and_for_all),
		WITH_SESSION(a_cancel_ends_the_wait_or_the_next_one),
		WITH_SESSION(progress_may_end_a_wait),
		WITH_SESSION(one_count_has_the_session),
		WITH_SESSION(what_makes_no_sense_is_refused),
		WITH_SESSION(an_unknown_event_has_a_hint),
		WITH_SESSION(waits_and_resumes_need_a_start),
	};
	return cmocka_run_group_tests_name("library_counting", tests, NULL, NULL);
}
