// SPDX-License-Identifier: Apache-2.0

#include "base/thread/thread.h"
#include "library/library_error.h"
#include "library/library_profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { SECOND_NS = 1000000000 };

#define assert_fine(expression) assert_no_error((struct error *)(expression))

/** What failed has the kind, the message has these words, and there is a hint. */
static void assert_fails(struct wperf_error *error, enum wperf_error_kind kind, const char *words)
{
	assert_non_null(error);
	if (!strstr(wperf_error_message(error), words))
		fail_msg("'%s' without '%s'", wperf_error_message(error), words);
	assert_int_equal(wperf_error_kind_of(error), kind);
	wperf_error_free(error);
}

static struct wperf_session *open_simulated(void)
{
	struct wperf_session_config config = WPERF_SESSION_CONFIG_INIT;
	config.source = "sim";
	struct wperf_session *session = NULL;
	assert_fine(wperf_session_open(&config, &session));
	return session;
}

static struct wperf_sampling_config config_of_sim(void)
{
	struct wperf_sampling_config config = WPERF_SAMPLING_CONFIG_INIT;
	config.events = "ld_spec:100000";
	config.cores = "1";
	return config;
}

/** A sampling of a simulated second: how many samples there are. */
static uint64_t sample_second(void)
{
	struct wperf_session *session = open_simulated();
	const struct wperf_sampling_config config = config_of_sim();
	struct wperf_sampling *sampling = NULL;
	struct wperf_profile *profile = NULL;
	assert_fine(wperf_sampling_open(session, &config, &sampling));
	assert_fine(wperf_sampling_start(sampling));
	assert_fine(wperf_sampling_wait(sampling, SECOND_NS, NULL));
	assert_fine(wperf_sampling_stop(sampling, &profile));
	assert_int_equal(wperf_sampling_exit_code(sampling), -1);
	wperf_sampling_close(sampling);
	wperf_session_close(session);
	struct wperf_profile_facts facts;
	wperf_profile_describe(profile, &facts); // it outlives both
	struct wperf_sampled_event event;
	assert_true(wperf_profile_event_at(profile, 0, &event));
	assert_string_equal(event.name, "ld_spec");
	assert_int_equal(event.period, 100000);
	uint64_t num = 0;
	for (size_t i = 0; i < facts.num_samples; i++)
		num += profile->profile.samples[i].count;
	wperf_profile_close(profile);
	return num;
}

static void simulated_time_passes_in_the_wait(void **state)
{
	uint64_t num = sample_second();
	assert_true(num > 100);
	assert_int_equal(sample_second(), num); // simulated machines are all the same
}

static void sample_into(void *ret)
{
	*(uint64_t *)ret = sample_second();
}

static void two_threads_have_a_session_each(void **state)
{
	uint64_t alone = sample_second(), nums[2] = {0};
	struct thread *threads[2] = {NULL};
	for (size_t i = 0; i < 2; i++)
		assert_no_error(thread_start("sampler", sample_into, &nums[i], &threads[i]));
	for (size_t i = 0; i < 2; i++)
		thread_join(threads[i]);
	assert_int_equal(nums[0], alone);
	assert_int_equal(nums[1], alone);
}

static bool is_enough(void *data, const struct wperf_progress *progress)
{
	int *num_calls = data;
	assert_int_equal(progress->whole, 0);
	return ++*num_calls < 3;
}

static void cancel_later(void *sampling)
{
	wperf_sampling_cancel(sampling);
}

static void a_wait_is_cancelled(void **state)
{
	struct wperf_session *session = open_simulated();
	const struct wperf_sampling_config config = config_of_sim();
	struct wperf_sampling *sampling = NULL;
	assert_fine(wperf_sampling_open(session, &config, &sampling));
	assert_fine(wperf_sampling_start(sampling));
	int num_calls = 0;
	const struct wperf_watch watch = {.progress = is_enough, .data = &num_calls};
	assert_fails(wperf_sampling_wait(sampling, 0, &watch), WPERF_ERROR_CANCELLED, "cancelled");
	assert_int_equal(num_calls, 3);
	// Before the wait, it ends the next one, and only that; it goes on then.
	wperf_sampling_cancel(sampling);
	assert_fails(wperf_sampling_wait(sampling, 0, NULL), WPERF_ERROR_CANCELLED, "cancelled");
	assert_fine(wperf_sampling_wait(sampling, SECOND_NS, NULL));
	struct thread *thread = NULL;
	assert_no_error(thread_start("cancel", cancel_later, sampling, &thread));
	assert_fails(wperf_sampling_wait(sampling, 0, NULL), WPERF_ERROR_CANCELLED, "cancelled");
	thread_join(thread);
	struct wperf_profile *profile = NULL;
	assert_fine(wperf_sampling_stop(sampling, &profile));
	assert_true(wperf_profile_notes(profile) != NULL);
	wperf_profile_close(profile);
	wperf_sampling_close(sampling);
	wperf_session_close(session);
}

static void assert_no_sampling(const struct wperf_sampling_config *config, const char *words)
{
	struct wperf_session *session = open_simulated();
	struct wperf_sampling *sampling = NULL;
	assert_fails(wperf_sampling_open(session, config, &sampling), WPERF_ERROR_USAGE, words);
	assert_null(sampling);
	// What failed does not keep the session.
	const struct wperf_sampling_config right = config_of_sim();
	assert_fine(wperf_sampling_open(session, &right, &sampling));
	wperf_sampling_close(sampling);
	wperf_session_close(session);
}

static void bad_words_are_errors(void **state)
{
	char *const no_words[] = {NULL};
	char program[] = "true", *const words[] = {program, NULL};
	struct wperf_sampling_config config = config_of_sim();
	config.size = 0;
	assert_no_sampling(&config, "struct wperf_sampling_config has no size");
	config = config_of_sim();
	config.cores = NULL;
	assert_no_sampling(&config, "samples one core at a time");
	assert_no_sampling(NULL, "samples one core at a time");
	config.cores = "99";
	assert_no_sampling(&config, "99");
	config = config_of_sim();
	config.events = "ld_spek";
	assert_no_sampling(&config, "ld_spek");
	config = config_of_sim();
	config.unwind = "magic";
	assert_no_sampling(&config, "unknown unwind method 'magic'");
	config = config_of_sim();
	config.python = "maybe";
	assert_no_sampling(&config, "maybe");
	config = config_of_sim();
	config.command = no_words;
	assert_no_sampling(&config, "the command has no words");
	config.command = words;
	config.pids = "1";
	assert_no_sampling(&config, "cannot be combined");
	config = config_of_sim();
	config.scope = (enum wperf_scope)7;
	assert_no_sampling(&config, "unknown scope 7");
}

static void calls_out_of_order_are_errors(void **state)
{
	struct wperf_session *session = open_simulated();
	const struct wperf_sampling_config config = config_of_sim();
	struct wperf_sampling *sampling = NULL, *other = NULL;
	assert_fine(wperf_sampling_open(session, &config, &sampling));
	assert_fails(wperf_sampling_open(session, &config, &other), WPERF_ERROR_USAGE,
		     "the session is in use");
	assert_null(other);
	assert_fails(wperf_sampling_wait(sampling, 1, NULL), WPERF_ERROR_USAGE, "does not run");
	assert_fails(wperf_sampling_stop(sampling, NULL), WPERF_ERROR_USAGE, "does not run");
	assert_fine(wperf_sampling_start(sampling));
	assert_fails(wperf_sampling_start(sampling), WPERF_ERROR_USAGE, "started before");
	assert_fine(wperf_sampling_stop(sampling, NULL));
	assert_fails(wperf_sampling_stop(sampling, NULL), WPERF_ERROR_USAGE, "does not run");
	assert_fails(wperf_sampling_wait(sampling, 1, NULL), WPERF_ERROR_USAGE, "does not run");
	wperf_sampling_close(sampling);
	wperf_sampling_close(NULL);
	wperf_session_close(session);
}

/** The caller's texts may be gone after the open. */
static void texts_are_copied(void **state)
{
	struct wperf_session *session = open_simulated();
	char events[] = "ld_spec:100000", cores[] = "1";
	struct wperf_sampling_config config = WPERF_SAMPLING_CONFIG_INIT;
	config.events = events;
	config.cores = cores;
	struct wperf_sampling *sampling = NULL;
	struct wperf_profile *profile = NULL;
	assert_fine(wperf_sampling_open(session, &config, &sampling));
	memset(events, 'x', sizeof(events) - 1);
	memset(cores, 'x', sizeof(cores) - 1);
	assert_fine(wperf_sampling_start(sampling));
	assert_fine(wperf_sampling_stop(sampling, &profile));
	struct wperf_sampled_event event;
	assert_true(wperf_profile_event_at(profile, 0, &event));
	assert_string_equal(event.name, "ld_spec");
	wperf_profile_close(profile);
	wperf_sampling_close(sampling);
	wperf_session_close(session);
}

int library_sampling_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(simulated_time_passes_in_the_wait),
		cmocka_unit_test(two_threads_have_a_session_each),
		cmocka_unit_test(a_wait_is_cancelled),
		cmocka_unit_test(bad_words_are_errors),
		cmocka_unit_test(calls_out_of_order_are_errors),
		cmocka_unit_test(texts_are_copied),
	};
	return cmocka_run_group_tests_name("library_sampling", tests, NULL, NULL);
}
