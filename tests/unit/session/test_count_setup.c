// SPDX-License-Identifier: Apache-2.0

#include "session/setup/count_setup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

/** On simulated cores: up to the plan. */
static struct error *set_up(const struct count_request *asked, struct session *session,
			    struct count_setup *setup)
{
	const struct session_config config = {.source = "sim,counters=4", .with_catalog = true};
	*session = (struct session)SESSION_INIT;
	*setup = (struct count_setup){.session = session};
	struct error *err = session_open(session, &config);
	if (!err)
		err = count_setup_find_events(setup, asked);
	return err ? err : count_setup_finish(setup);
}

static void command_is_bound_to_its_core(void **state)
{
	static char name[] = "sleep", duration[] = "1";
	static char *const command[] = {name, duration, NULL};
	static const struct counted_word word = {.spec = "ld_spec"};
	const struct count_request asked = {
		.words = {.counted = &word, .num_counted = 1, .cores = "1"},
		.command = command,
		.counts_on = true,
		.is_endless = true,
	};
	_cleanup_(session_close) struct session session;
	_cleanup_(count_setup_deinit) struct count_setup setup;
	assert_no_error(set_up(&asked, &session, &setup));
	assert_string_equal(setup.target_name, "'sleep 1'");
	assert_ptr_equal(setup.config.command, command);
	assert_true(setup.config.counts_cores);
	assert_true(setup.config.counts_on);
	assert_true(setup.config.is_endless);
	assert_int_equal(setup.config.plan.num_cores, 1);
	assert_int_equal(setup.config.plan.cores[0], 1);
	assert_int_equal(setup.config.plan.placements[EVENT_CORE].num_events, 1);
}

static void targets_that_the_source_cannot_count_are_refused(void **state)
{
	static char name[] = "sleep";
	static char *const command[] = {name, NULL};
	static const struct counted_word word = {.spec = "ld_spec"};
	static const struct {
		struct count_request asked;
		const char *message;
	} cases[] = {
		{{.words = {.counted = &word, .num_counted = 1}, .pids = "1"},
		 "this source counts whole cores, not processes"},
		{{.words = {.counted = &word, .num_counted = 1}, .command = command},
		 "you can specify only one core for process spawn"},
		{{.words = {.counted = &word, .num_counted = 1}, .command = command, .pids = "1"},
		 "a command and -p cannot be combined"},
		{{.words = {.counted = &word, .num_counted = 1}, .with_caches = true},
		 "source 'sim' has no generic cache events for -d"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		_cleanup_(session_close) struct session session;
		_cleanup_(count_setup_deinit) struct count_setup setup;
		_cleanup_(error_destroyp) struct error *err =
			set_up(&cases[i].asked, &session, &setup);
		assert_non_null(err);
		assert_string_equal(err->message, cases[i].message);
	}
}

int count_setup_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(command_is_bound_to_its_core),
		cmocka_unit_test(targets_that_the_source_cannot_count_are_refused),
	};
	return cmocka_run_group_tests_name("count_setup", tests, NULL, NULL);
}
