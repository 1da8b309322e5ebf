/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_TIMER_SAMPLING_H
#define WPERF_SOURCE_TIMER_SAMPLING_H

/**
 * Samples without events: from time to time each thread that runs is one. What a thread has spent
 * on cores, as the kernel tells a little later, is shared out to the samples of this time; so sums
 * are CPU time, also where threads wait for a core, or run between two looks only.
 */

#include "process/running.h"
#include "record/perf_data.h"
#include "record/record.h"
#include "source/sample_notice.h"
#include "source/sample_plan.h"
#include "source/watched_tasks.h"

#include <linux/perf_event.h>

enum {
	TIMER_MOST_HZ = 1000,
	TIMER_MAX_WAITING = 256, /* samples whose weight is not known yet */
	TIMER_MAX_LOOKS = 64,    /* threads at one time; if there are more, by turns */
};

enum timed_state {
	TIMED_COUNTS,
	TIMED_IN_DOUBT, /* it had no core any more: since when? */
	TIMED_VOID,     /* for long */
};

/** A thread that ran when it was looked at. */
struct timed_sample {
	struct sample_notice who;
	enum timed_state state;
	uint64_t weight_ns; /* 0: not known yet */
};

struct timer_sampling {
	struct watched_tasks tasks;
	size_t next_thread; /* whose turn it is */

	uint64_t period_ns, next_ns; /* when it is time to look again */
	uint64_t random;
	uint64_t scan_due_ns, alert_until_ns;
	bool has_started, has_stopped, is_late;

	struct timed_sample waiting[TIMER_MAX_WAITING]; /* a ring, in the order of time */
	size_t first, num_waiting;
	struct sample_notice noticed[TIMER_MAX_LOOKS];
	size_t num_noticed;

	struct running *running; /* what is told of a process now */
	char name[32];
	struct sample_totals totals;

	struct perf_data_event event;
	struct perf_event_attr attr;
	uint64_t id;
};

/** The plan has one event, which is time, and processes. */
struct error *timer_sampling_open(struct timer_sampling *sampling, const struct sample_plan *plan);
void timer_sampling_close(struct timer_sampling *sampling); /* all 0 is fine */

void timer_sampling_start(struct timer_sampling *sampling);
void timer_sampling_stop(struct timer_sampling *sampling);

/** See struct source_ops. */
struct error *timer_sampling_wait(struct timer_sampling *sampling, uint64_t timeout_ns, int fd);
struct error *timer_sampling_next(struct timer_sampling *sampling, struct record *ret,
				  bool *ret_more);
bool timer_sampling_notice(const struct timer_sampling *sampling, size_t n,
			   struct sample_notice *ret);

#endif
