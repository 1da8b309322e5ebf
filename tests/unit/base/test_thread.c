// SPDX-License-Identifier: Apache-2.0

#include "base/thread/thread.h"

#include "base/os/interrupt.h"
#include "base/thread/wake_event.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

/** Two threads that take turns. */
struct game {
	struct wake_event ball, answer;
	uint32_t number, process;
	atomic_int num_hits;
};

static enum interrupt_wake thread_wait(const struct wake_event *event, uint64_t timeout_ns)
{
	enum interrupt_wake wake = INTERRUPT_WAKE_REQUESTED;
	assert_no_error(interrupt_wait(event->fd, timeout_ns, &wake));
	return wake;
}

static void thread_play(void *data)
{
	struct game *game = data;
	game->number = thread_own_number();
	game->process = thread_own_process();
	for (int i = 0; i < 3; i++) {
		thread_wait(&game->ball, INTERRUPT_NO_TIMEOUT);
		wake_event_clear(&game->ball);
		atomic_fetch_add(&game->num_hits, 1);
		wake_event_set(&game->answer);
	}
}

static void two_threads_wake_each_other(void **state)
{
	struct game game = {.ball = WAKE_EVENT_INIT, .answer = WAKE_EVENT_INIT};
	assert_no_error(wake_event_init(&game.ball));
	assert_no_error(wake_event_init(&game.answer));
	struct thread *thread = NULL;
	assert_no_error(thread_start("game", thread_play, &game, &thread));
	for (int i = 0; i < 3; i++) {
		wake_event_set(&game.ball);
		assert_int_equal(thread_wait(&game.answer, INTERRUPT_NO_TIMEOUT),
				 INTERRUPT_WAKE_READY);
		wake_event_clear(&game.answer);
		assert_int_equal(atomic_load(&game.num_hits), i + 1);
	}
	uint32_t number = thread_number(thread);
	thread_join(thread);
	assert_int_equal(game.number, number);
	assert_int_not_equal(number, thread_own_number());
	assert_int_equal(game.process, thread_own_process());
	wake_event_deinit(&game.ball);
	wake_event_deinit(&game.answer);
}

static void an_event_stays_until_it_is_cleared(void **state)
{
	struct wake_event event = WAKE_EVENT_INIT;
	wake_event_deinit(&event);
	assert_no_error(wake_event_init(&event));
	assert_int_equal(thread_wait(&event, 0), INTERRUPT_WAKE_TIMEOUT);
	wake_event_set(&event);
	wake_event_set(&event);
	assert_int_equal(thread_wait(&event, 0), INTERRUPT_WAKE_READY);
	assert_int_equal(thread_wait(&event, 0), INTERRUPT_WAKE_READY);
	wake_event_clear(&event);
	assert_int_equal(thread_wait(&event, 0), INTERRUPT_WAKE_TIMEOUT);
	wake_event_clear(&event);
	wake_event_deinit(&event);
	assert_int_equal(event.fd, -1);
}

#ifndef _WIN32
static void *signalled_in;

static void note_signal(int signal)
{
	signalled_in = &signalled_in;
}

static void ask_for_signal(void *data)
{
	// It is not delivered here, and nobody else gets it, as it is this thread's.
	raise(SIGUSR1);
}

static void signals_of_the_program_are_not_delivered_to_it(void **state)
{
	signal(SIGUSR1, note_signal);
	struct thread *thread = NULL;
	assert_no_error(thread_start("quiet", ask_for_signal, NULL, &thread));
	thread_join(thread);
	assert_null(signalled_in);
	raise(SIGUSR1); // those of the caller are as they were
	assert_non_null(signalled_in);
	signal(SIGUSR1, SIG_DFL);
}
#endif

int thread_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_threads_wake_each_other),
		cmocka_unit_test(an_event_stays_until_it_is_cleared),
#ifndef _WIN32
		cmocka_unit_test(signals_of_the_program_are_not_delivered_to_it),
#endif
	};
	return cmocka_run_group_tests_name("thread", tests, NULL, NULL);
}
