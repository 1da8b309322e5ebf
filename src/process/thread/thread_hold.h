/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_THREAD_THREAD_HOLD_H
#define WPERF_PROCESS_THREAD_THREAD_HOLD_H

/**
 * Stops a thread of another process for a moment. Its behaviour does not change: signals that
 * arrive meanwhile are delivered afterwards. Ctrl-Z stops wperf only when no thread is stopped, as
 * it would stay so; a process with other threads that take signals must see to that itself. If
 * wperf is killed meanwhile, Linux resumes the thread; Windows does not, so it is stopped as
 * briefly as possible.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	THREAD_HOLD_MAX_LATE = 32,
};

/** A thread that did not stop in time, because it is in the kernel; it is resumed when it stops. */
struct late_thread {
	uint32_t tid;
	bool has_waiter;   /* another process waits for its end */
	uint64_t until_ns; /* then we no longer trace it; UINT64_MAX: we still do */
};

struct thread_hold {
	uint32_t pid, tid; /* tid 0: no thread is stopped */
	bool is_child;     /* of ours: we wait for its end */
	int signal;        /* that stopped the thread, delivered when it is resumed */
	void *thread;      /* Windows: its handle while it is stopped */
	struct late_thread late[THREAD_HOLD_MAX_LATE];
	size_t num_late;
	bool defers_ctrl_z;
	unsigned blocked_before; /* private: signals that were so before; a bit for each */
};

/** @hold: zero-initialized. False: the thread has ended, another process traces it, or it does not
 * stop within milliseconds. */
bool thread_hold_begin(struct thread_hold *hold, uint32_t pid, uint32_t tid);

/** Resume the thread. */
void thread_hold_end(struct thread_hold *hold);

/** Call this regularly: resumes threads that stopped too late. */
void thread_hold_release_late(struct thread_hold *hold);

/** Waits a little for threads that did not stop in time, so that none stays stopped. */
void thread_hold_deinit(struct thread_hold *hold);

/**
 * The same without a wait: threads that did not stop in time are from now on those of @late, with
 * which thread_hold_release_late() is to be called. As long as there are any, Ctrl-Z waits.
 * @late: zero-initialized, or from such a call.
 */
void thread_hold_leave(struct thread_hold *hold, struct thread_hold *late);

/** NULL if the process's threads can be stopped now; else the reason, with a hint. */
struct error *thread_hold_check(uint32_t pid);

#endif
