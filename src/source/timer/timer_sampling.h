/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_TIMER_TIMER_SAMPLING_H
#define WPERF_SOURCE_TIMER_TIMER_SAMPLING_H

/**
 * Samples threads on a timer, without events. Each running thread is sampled at regular times, and
 * the CPU time that the system reports a little later is distributed to its samples. So the sums
 * are CPU time, even if threads wait for a CPU or run only between two samples.
 */

#include "process/thread/running.h"
#include "record/perf_data/perf_data.h"
#include "record/record.h"
#include "source/prompt_thread.h"
#include "source/sample_plan.h"
#include "source/sample_wakeup.h"
#include "source/timer/timed_samples.h"
#include "source/timer/timer_look.h"
#include "source/timer/watched_tasks.h"

enum {
	TIMER_MOST_HZ = 1000,
	TIMER_MAX_LOOKS = 64,     /* threads per sample time; if there are more, in turns */
	TIMER_MAX_THREADS = 4096, /* with open files */
};

struct timer_sampling {
	struct watched_tasks tasks;
	size_t next_thread; /* the next one to sample */
	size_t num_looks;   /* due now */
	struct timer_look *look;

	uint64_t period_ns, next_ns; /* next_ns: the next sample time */
	uint64_t random;
	uint64_t scan_due_ns, alert_until_ns;
	bool has_started, has_stopped, is_late;
	bool wakes; /* see sample_plan */
	struct prompt_thread prompt;

	struct timed_samples samples;

	struct running *running; /* the process whose events are reported now */
	char name[32];
	struct sample_totals totals;

	const struct user_regs_layout *layout; /* of samples' registers; or NULL */
	uint64_t regs[USER_REGS_MAX];          /* of the last sample */

	struct perf_data_event event;
	uint64_t id;
};

/** @plan: with processes, and one event, which is time. */
struct error *timer_sampling_open(struct timer_sampling *sampling, const struct sample_plan *plan);
void timer_sampling_close(struct timer_sampling *sampling); /* accepts a zeroed struct */

void timer_sampling_start(struct timer_sampling *sampling);
void timer_sampling_stop(struct timer_sampling *sampling);

/** See struct source_ops. */
struct error *timer_sampling_wait(struct timer_sampling *sampling, uint64_t timeout_ns, int fd);
struct error *timer_sampling_next(struct timer_sampling *sampling, struct record *ret,
				  bool *ret_more);
bool timer_sampling_wakeup(struct timer_sampling *sampling, size_t n, struct sample_wakeup *ret);
struct sample_totals timer_sampling_totals(const struct timer_sampling *sampling);

/** For timer_look.h: distribute the CPU time since the last look to the waiting samples. */
void timer_sampling_take_time(struct timer_sampling *sampling, struct watched_thread *thread,
			      const struct task_clock *clock);

#endif
