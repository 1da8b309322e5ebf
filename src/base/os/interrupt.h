/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_OS_INTERRUPT_H
#define WPERF_BASE_OS_INTERRUPT_H

/**
 * Requests to stop: Ctrl-C, SIGTERM or SIGHUP; on Windows also Ctrl-Break and a closed console. A
 * request is remembered until interrupt_uninstall(), and no wait misses it. On Linux a second
 * Ctrl-C ends the process at once. The flag is global, because a signal handler gets no argument of
 * ours.
 *
 * The handlers belong to the whole process, so only the command line installs them
 * (tests/lint/check_globals.py). Everything else works without them: there is never a request then,
 * and waits end by their descriptor or in time.
 */

#include "base/error.h"
#include "base/thread/wake_event.h"

#include <stdbool.h>
#include <stdint.h>

/** From now on, these requests only set a flag. A second call does nothing. */
struct error *interrupt_install(void);

/** From now on, SIGHUP only sets @event: settings are to be read anew. NULL: it is a request again.
 *  After interrupt_install(). Linux only. */
void interrupt_use_hangup(const struct wake_event *event);

/** From now on, SIGUSR2 only marks a moment. After interrupt_install(). Linux only. */
void interrupt_use_moments(void);

/** Was one marked since the last call? */
bool interrupt_take_moment(void);

/** Restore the handlers from before, and forget the request. */
void interrupt_uninstall(void);

/** In a forked child: it does with signals what we would do without our handlers. Linux only. */
void interrupt_forked(void);

bool interrupt_requested(void);

/** The process that a second Ctrl-C asks to end as well, by SIGTERM; 0: none. Does nothing without
 *  the handlers. Linux only. */
void interrupt_set_program(int pid);

/** What a second Ctrl-C does before it ends the process; NULL: nothing. It may only call what is
 *  safe in a signal handler. Linux only. */
void interrupt_set_last_act(void (*act)(void));

/** What ended a wait; if several things did, the first of these. */
enum interrupt_wake {
	INTERRUPT_WAKE_REQUESTED,
	INTERRUPT_WAKE_READY,
	INTERRUPT_WAKE_TIMEOUT,
};

#define INTERRUPT_NO_TIMEOUT UINT64_MAX

/**
 * Wait until @fd is readable, there is a request to stop, or the time is up.
 * @fd: -1: none. On Windows a handle (base/os/handle_number.h), until it is signalled.
 */
struct error *interrupt_wait(int fd, uint64_t timeout_ns, enum interrupt_wake *ret);

/** The same, but @stop_fd being readable is a request to stop, too. -1: none. */
struct error *interrupt_wait_with(int fd, int stop_fd, uint64_t timeout_ns,
				  enum interrupt_wake *ret);

#endif
