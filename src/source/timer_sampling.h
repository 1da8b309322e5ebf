/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_TIMER_SAMPLING_H
#define WPERF_SOURCE_TIMER_SAMPLING_H

/**
 * Samples without events: from time to time each thread that runs is one. What a thread has spent
 * on cores, as the system tells a little later, is shared out to the samples of this time; so sums
 * are CPU time, also where threads wait for a core, or run between two looks only.
 */

#include "process/running.h"
#include "record/perf_data.h"
#include "record/record.h"
#include "source/sample_notice.h"
#include "source/sample_plan.h"
#include "source/timed_samples.h"
#include "source/timer_look.h"
#include "source/watched_tasks.h"

enum {
	TIMER_MOST_HZ = 1000,
	TIMER_MAX_LOOKS = 64,     /* threads at one time; if there are more, by turns */
	TIMER_MAX_THREADS = 4096, /* that files are kept of */
};

struct timer_sampling {
	struct watched_tasks tasks;
	size_t next_thread; /* whose turn it is */
	size_t num_looks;   /* that are due now */
	struct timer_look *look;

	uint64_t period_ns, next_ns; /* when it is time to look again */
	uint64_t random;
	uint64_t scan_due_ns, alert_until_ns;
	bool has_started, has_stopped, is_late;
	bool wakes; /* each sample is noticed at once */

	struct timed_samples samples;

	struct running *running; /* what is told of a process now */
	char name[32];
	struct sample_totals totals;

	const struct user_regs_layout *layout; /* of samples' registers; NULL: they have none */
	uint64_t regs[USER_REGS_MAX];          /* of the sample that was told last */

	struct perf_data_event event;
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
bool timer_sampling_notice(struct timer_sampling *sampling, size_t n, struct sample_notice *ret);
struct sample_totals timer_sampling_totals(const struct timer_sampling *sampling);

/** For looks: what the thread has run since the last one goes to its samples that wait. */
void timer_sampling_take_time(struct timer_sampling *sampling, struct watched_thread *thread,
			      const struct task_clock *clock);

#endif
