// SPDX-License-Identifier: Apache-2.0

#include "base/os/interrupt.h"

#include "base/container/array.h"
#include "base/os/clock.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

// The handler sets a flag and makes an eventfd readable. A wait polls that descriptor together with
// its own, so a signal between the test of the flag and the wait is not missed (the "self-pipe"
// method). Handlers that were there before are saved and restored; SIGHUP stays ignored under
// nohup.

enum {
	NS_PER_S = 1000000000,
	// `timeout -s INT` sends a signal twice at once: to the process and to its group.
	SECOND_PRESS_NS = 100000000,
};

static const struct {
	int signal;
	bool may_stay_ignored; // nohup
} signals[] = {
	{SIGINT, false},
	{SIGTERM, false},
	{SIGHUP, true},
};

static struct {
	volatile sig_atomic_t requested;
	volatile sig_atomic_t was_pressed; /* Ctrl-C */
	volatile sig_atomic_t program;     /* 0: none */
	volatile sig_atomic_t has_moment;  /* SIGUSR2 */
	bool uses_moments;
	const struct wake_event *volatile hangup; /* of SIGHUP; or NULL */
	uint64_t pressed_ns;
	void (*volatile last_act)(void);
	int wake_fd; /* readable since the request */
	bool is_installed;
	struct sigaction before[ARRAY_SIZE(signals)], before_moments;
} interrupt = {.wake_fd = -1};

/** Who presses Ctrl-C again no longer wants the report. */
static void end_if_pressed_again(void)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	if (interrupt.was_pressed && now_ns - interrupt.pressed_ns > SECOND_PRESS_NS) {
		if (interrupt.program)
			kill(interrupt.program, SIGTERM);
		if (interrupt.last_act)
			interrupt.last_act();
		signal(SIGINT, SIG_DFL);
		raise(SIGINT); // delivered when the handler returns
	}
	if (!interrupt.was_pressed)
		interrupt.pressed_ns = now_ns;
	interrupt.was_pressed = 1;
}

static void interrupt_note_moment(int signal)
{
	interrupt.has_moment = 1;
}

static void on_signal(int signal)
{
	int errnum = errno;
	if (signal == SIGHUP && interrupt.hangup) {
		wake_event_set(interrupt.hangup);
		return;
	}
	if (signal == SIGINT)
		end_if_pressed_again();
	interrupt.requested = 1;
	// It can only fail if it was written to already.
	ssize_t written = write(interrupt.wake_fd, &(uint64_t){1}, sizeof(uint64_t));
	(void)written;
	errno = errnum;
}

struct error *interrupt_install(void)
{
	if (interrupt.is_installed)
		return NULL;
	interrupt.wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (interrupt.wake_fd < 0)
		return error_create_errno(errno, "cannot prepare for Ctrl-C");
	interrupt.is_installed = true;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		// SA_RESTART: calls that read and write files need not be repeated by each of their
		// callers. ppoll() ends all the same (signal(7)).
		struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
		sigaction(signals[i].signal, NULL, &interrupt.before[i]);
		if (!signals[i].may_stay_ignored || interrupt.before[i].sa_handler != SIG_IGN)
			sigaction(signals[i].signal, &action, NULL);
	}
	return NULL;
}

void interrupt_use_hangup(const struct wake_event *event)
{
	if (!interrupt.is_installed)
		return;
	interrupt.hangup = event;
	// It may have been ignored: nohup.
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	if (event)
		sigaction(SIGHUP, &action, NULL);
}

void interrupt_use_moments(void)
{
	if (!interrupt.is_installed || interrupt.uses_moments)
		return;
	struct sigaction action = {.sa_handler = interrupt_note_moment, .sa_flags = SA_RESTART};
	interrupt.uses_moments = sigaction(SIGUSR2, &action, &interrupt.before_moments) == 0;
}

bool interrupt_take_moment(void)
{
	// One that is marked from here on is another one, or a part of this one.
	if (!interrupt.has_moment)
		return false;
	interrupt.has_moment = 0;
	return true;
}

void interrupt_uninstall(void)
{
	if (!interrupt.is_installed)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i].signal, &interrupt.before[i], NULL);
	if (interrupt.uses_moments)
		sigaction(SIGUSR2, &interrupt.before_moments, NULL);
	interrupt.uses_moments = false;
	close(interrupt.wake_fd);
	interrupt.wake_fd = -1;
	interrupt.has_moment = interrupt.requested = interrupt.was_pressed = interrupt.program = 0;
	interrupt.hangup = NULL;
	interrupt.is_installed = false;
}

void interrupt_forked(void)
{
	interrupt_uninstall();
}

bool interrupt_requested(void)
{
	return interrupt.requested;
}

void interrupt_set_program(int pid)
{
	if (interrupt.is_installed)
		interrupt.program = pid;
}

void interrupt_set_last_act(void (*act)(void))
{
	interrupt.last_act = act;
}

struct error *interrupt_wait(int fd, uint64_t timeout_ns, enum interrupt_wake *ret)
{
	return interrupt_wait_with(fd, -1, timeout_ns, ret);
}

struct error *interrupt_wait_with(int fd, int stop_fd, uint64_t timeout_ns,
				  enum interrupt_wake *ret)
{
	// The requests first. poll() looks away from what is negative.
	struct pollfd fds[] = {
		{.fd = interrupt.wake_fd, .events = POLLIN},
		{.fd = stop_fd, .events = POLLIN},
		{.fd = fd, .events = POLLIN},
	};
	// An end and not a length, as a signal may end a wait that then begins again.
	uint64_t deadline;
	if (__builtin_add_overflow(clock_ns(CLOCK_MONOTONIC), timeout_ns, &deadline))
		deadline = INTERRUPT_NO_TIMEOUT;
	int num_ready;
	do {
		uint64_t now = clock_ns(CLOCK_MONOTONIC);
		uint64_t left = now < deadline ? deadline - now : 0;
		const struct timespec timeout = {
			.tv_sec = (time_t)(left / NS_PER_S),
			.tv_nsec = (long)(left % NS_PER_S),
		};
		num_ready = ppoll(fds, ARRAY_SIZE(fds),
				  deadline == INTERRUPT_NO_TIMEOUT ? NULL : &timeout, NULL);
	} while (num_ready < 0 && errno == EINTR);
	if (num_ready < 0)
		return error_create_errno(errno, "cannot wait");
	*ret = fds[0].revents || fds[1].revents ? INTERRUPT_WAKE_REQUESTED
	       : fds[2].revents                 ? INTERRUPT_WAKE_READY
						: INTERRUPT_WAKE_TIMEOUT;
	return NULL;
}
