// SPDX-License-Identifier: Apache-2.0

#include "session/setup/run_request.h"

#include "session/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static int open_sim(void **state)
{
	static struct session session;
	struct session_config config = {.source = "sim,counters=4", .with_catalog = true};
	session = (struct session)SESSION_INIT;
	*state = &session;
	return session_open(&session, &config) != NULL;
}

static int close_sim(void **state)
{
	session_close(*state);
	return 0;
}

/** Make a request of these -e and -m. */
static struct error *create(struct session *session, const struct counted_word *words,
			    size_t num_words, struct run_request *request)
{
	const struct run_words asked = {.counted = words, .num_counted = num_words};
	return run_request_create(&asked, session, EVENT_SPEC_COUNT, request, &session->warnings);
}

static void events_and_metrics_share_the_counters(void **state)
{
	static const struct counted_word words[] = {
		{false, "{ld_spec,st_spec}"},
		{true, "ipc"},
		{false, "l1d_cache,/dsu/l3d_cache"},
	};
	_cleanup_(run_request_deinit) struct run_request request = {0};
	assert_no_error(create(*state, words, 3, &request));

	const struct placement *core = &request.placements[EVENT_CORE];
	static const char *const notes[] = {"g0", "g0", "e", "p", "g1,ipc", "g1,ipc", "p", "p"};
	assert_int_equal(core->num_events, 8);
	for (size_t i = 0; i < core->num_events; i++) {
		char note[PLACEMENT_NOTE_MAX];
		assert_string_equal(placement_note(&core->events[i], note), notes[i]);
	}
	assert_true(core->multiplexed);
	assert_int_equal(request.placements[EVENT_DSU].num_events, 1);
	assert_int_equal(request.placements[EVENT_DMC_CLK].num_events, 0);
}

static void period_is_checked(void **state)
{
	static const struct {
		const char *argument;
		uint32_t period; /* 0: refused */
	} cases[] = {
		{"count.period=10", 10}, {"count.period=100", 100},  {"count.period=9", 0},
		{"count.period=101", 0}, {"count.period=abc", 0},    {"count.period=", 0},
		{"count.period", 0},     {"count.period_max=50", 0}, {"", 0},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct run_words words = {.config = &cases[i].argument, .num_config = 1};
		_cleanup_(run_request_deinit) struct run_request request = {0};
		struct session *session = *state;
		_cleanup_(error_destroyp) struct error *err = run_request_create(
			&words, session, EVENT_SPEC_COUNT, &request, &session->warnings);
		assert_int_equal(err == NULL, cases[i].period != 0);
		if (!err)
			assert_int_equal(request.config.count_period_ms, cases[i].period);
	}
}

int run_request_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(events_and_metrics_share_the_counters, open_sim,
						close_sim),
		cmocka_unit_test_setup_teardown(period_is_checked, open_sim, close_sim),
	};
	return cmocka_run_group_tests_name("run_request", tests, NULL, NULL);
}
