/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_TIMER_TIMER_LOOK_H
#define WPERF_SOURCE_TIMER_TIMER_LOOK_H

/**
 * Samples one thread: its CPU time since the last look is distributed to its waiting samples, and
 * if it runs, there is a new sample.
 *
 * On Linux it is known which threads run, and they are not stopped; samples have only interpreted
 * frames. On Windows a thread that has run recently is stopped for a short time, until
 * timer_look_end(), so that its registers, stack and memory can be read. Windows does not report
 * whether a thread runs. Instead, user time goes to samples in user code and kernel time to samples
 * in a system call, so that threads which only wait get none.
 */

#include "base/error.h"
#include "source/probe.h"
#include "source/sample_plan.h"
#include "source/sample_wakeup.h"

#include <stdbool.h>

struct timer_look;
struct timer_sampling;
struct watched_thread;

struct error *timer_look_create(const struct sample_plan *plan, struct timer_look **ret);
void timer_look_destroy(struct timer_look *look); /* accepts NULL; resumes a stopped thread */

/** True: there is a sample, which is that of @ret. */
bool timer_look_at(struct timer_sampling *sampling, struct watched_thread *thread,
		   struct sample_wakeup *ret);

/** Resume the thread. */
void timer_look_end(struct timer_look *look);

/** Are threads stopped? Then samples have addresses and callers, and interpreted frames are exact.
 */
bool timer_look_holds_threads(void);

/** What wperf's own thread has spent so far, as exactly as the system counts it; on Windows, where
 *  it counts in steps of 16 ms, with what the thread waited for a core. */
uint64_t timer_look_spent_ns(void);

/** If they are not: why a better source does not work, with a hint; NULL: it works. */
struct error *timer_look_above(void);

/** Adds to `detect` what this can do here. */
struct error *timer_look_probe(struct probe *probe);

#endif
