/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_INTERRUPT_H
#define WPERF_BASE_INTERRUPT_H

/**
 * The wish to stop: Ctrl-C, or a polite request to end (SIGINT, SIGTERM; on Windows Ctrl-Break as
 * well, and a console that is closed). It is remembered until interrupt_uninstall(), and no wait
 * misses it. A signal has no other way to say so than by state of the whole program: this is it.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/** From now on these only set the flag. Once more is the same as once. */
struct error *interrupt_install(void);

/** They do what they did before, and the wish is forgotten. Also for a forked child. */
void interrupt_uninstall(void);

bool interrupt_requested(void);

/** What ended a wait. If it was several things, the first of these. */
enum interrupt_wake {
	INTERRUPT_WAKE_REQUESTED,
	INTERRUPT_WAKE_READY,
	INTERRUPT_WAKE_TIMEOUT,
};

#define INTERRUPT_NO_TIMEOUT UINT64_MAX

/**
 * Until @fd is readable (as that of a process is when it ended; -1: never), or time is up.
 * @fd: on Windows a HANDLE, of which 32 bits are all that counts, and "readable" is signalled.
 */
struct error *interrupt_wait(int fd, uint64_t timeout_ns, enum interrupt_wake *ret);

#endif
