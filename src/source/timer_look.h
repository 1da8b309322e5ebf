/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_TIMER_LOOK_H
#define WPERF_SOURCE_TIMER_LOOK_H

/**
 * A look at one thread that may run just now: what it has run since the last one goes to the
 * samples that wait, and if it runs, it is a sample.
 *
 * On Linux whoever runs is known, and goes on running: where it is, only its Python can tell. On
 * Windows a thread that has run lately is held, so that its registers and its stack can be had, and
 * so that its memory holds still until timer_look_end(): a look is short. Whether it runs nobody
 * says; but time that the system counts for its own code goes to samples within that, and time in
 * the kernel to those that stand in a call of the system. Who only waits gets none.
 */

#include "base/error.h"
#include "source/probe.h"
#include "source/sample_notice.h"
#include "source/sample_plan.h"

#include <stdbool.h>

struct timer_look;
struct timer_sampling;
struct watched_thread;

struct error *timer_look_create(const struct sample_plan *plan, struct timer_look **ret);
void timer_look_destroy(struct timer_look *look); /* NULL is fine; no thread stays held */

/** @ret: of whom the sample is, if there is one. */
bool timer_look_at(struct timer_sampling *sampling, struct watched_thread *thread,
		   struct sample_notice *ret);

/** The thread that was looked at goes on. */
void timer_look_end(struct timer_look *look);

/** Are threads held? Then samples have addresses and callers, and frames of Python are exact. */
bool timer_look_holds_threads(void);

/** Where they are not: why another source is not better, and what would help; NULL: it is. */
struct error *timer_look_above(void);

/** What there is of looks here. */
struct error *timer_look_probe(struct probe *probe);

#endif
