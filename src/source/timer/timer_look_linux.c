// SPDX-License-Identifier: Apache-2.0

#include "source/timer/timer_look.h"

#include "base/os/clock.h"
#include "source/perf/perf_file.h"
#include "source/perf/source_perf.h"
#include "source/source.h"
#include "source/timer/timer_sampling.h"

#include <unistd.h>

// The state 'R' of /proc/PID/task/TID/stat means running or waiting for a core; wperf counts only
// the former. has_core (task_look_linux.c) is exact while the kernel's counts of switches agree.
// Otherwise the thread is on the run queue, perhaps because wperf took its core to look at it. If
// its CPU time went on since the last look, the sample is added in doubt, and timer_look_doubt()
// decides at a later look: it counts if the thread had waited for less than half a millisecond when
// it got its next core. A thread that had waited longer stood where the scheduler took it off the
// core, often at the end of a system call, which would be no random place.

enum { FILES_PER_THREAD = 3 };

/** Nothing is kept but the files of threads. */
struct error *timer_look_create(const struct sample_plan *plan, struct timer_look **ret)
{
	if (plan->raises_limits)
		perf_file_raise_limit(FILES_PER_THREAD * (size_t)TIMER_MAX_THREADS);
	*ret = NULL;
	return NULL;
}

void timer_look_destroy(struct timer_look *look)
{
}

// Whoever looks often takes a core for it, perhaps that of the thread. But a thread that had lost
// it long before stands where the system took it: at the end of a call, say, not anywhere.
static void timer_look_doubt(struct timer_sampling *sampling, struct watched_thread *thread,
			     const struct task_clock *clock)
{
	enum { MOST_DELAY_NS = 500000 };
	if (!thread->is_in_doubt || clock->num_given == thread->doubt.num_given)
		return;
	bool was_short = clock->delay_ns - thread->doubt.delay_ns < MOST_DELAY_NS;
	timed_samples_settle(&sampling->samples, thread->tid,
			     was_short ? TIMED_COUNTS : TIMED_VOID);
	thread->is_in_doubt = false;
}

/** The time of a thread that has a core goes on at the kernel's ticks. */
static bool look_at_running(struct timer_sampling *sampling, struct watched_thread *thread,
			    struct timed_sample *sample)
{
	if (thread->clock.has_core) {
		sample->state = TIMED_COUNTS;
		return true;
	}
	// A look that is late took its core from somebody, perhaps from this thread.
	if (!thread->has_gone_on || sampling->is_late)
		return false;
	sample->state = TIMED_IN_DOUBT;
	thread->is_in_doubt = true;
	thread->doubt = thread->clock;
	return true;
}

bool timer_look_at(struct timer_sampling *sampling, struct watched_thread *thread,
		   struct sample_wakeup *ret)
{
	struct task_look look;
	struct task_clock clock;
	if (!task_files_look(&thread->files, &look) || (!look.is_running && !thread->was_running) ||
	    !task_files_clock(&thread->files, &clock))
		return false;
	thread->was_running = look.is_running;
	timer_look_doubt(sampling, thread, &clock);
	timer_sampling_take_time(sampling, thread, &clock);
	struct timed_sample sample = {.who = {.pid = thread->pid, .tid = thread->tid}};
	if (!look.is_running || !look_at_running(sampling, thread, &sample))
		return false;
	sample.who.time_ns = clock_ns(CLOCK_MONOTONIC);
	*ret = timed_samples_add(&sampling->samples, &sample)->who;
	return true;
}

void timer_look_end(struct timer_look *look)
{
}

bool timer_look_holds_threads(void)
{
	return false;
}

uint64_t timer_look_spent_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

struct error *timer_look_above(void)
{
	return source_perf_ops.sample->check();
}

struct error *timer_look_probe(struct probe *probe)
{
	if (access("/proc/thread-self/schedstat", R_OK))
		return probe_add_finding(probe, "CPU time of threads", PROBE_NO,
					 "/proc/thread-self/schedstat is missing",
					 "mount /proc, or use a kernel with CONFIG_SCHED_INFO");
	struct error *err = probe_add_finding(probe, "CPU time of threads", PROBE_YES,
					      "cpu-clock, of this user's processes", NULL);
	if (err || !access("/proc/thread-self/children", R_OK))
		return err;
	return probe_add_finding(probe, "what programs start", PROBE_NO,
				 "/proc/thread-self/children is missing",
				 "use a kernel with CONFIG_PROC_CHILDREN");
}
