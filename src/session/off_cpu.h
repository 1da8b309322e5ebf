/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_OFF_CPU_H
#define WPERF_SESSION_OFF_CPU_H

/**
 * Threads that are off the CPU. The sample that was taken when a thread left its CPU gets its
 * weight, the time off the CPU, when the thread returns.
 */

#include "base/container/hash_table.h"
#include "base/error.h"
#include "profile/named_profile.h"
#include "record/wake.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OFF_CPU_MAX_LINKS = 4 };

/** Who woke a thread. */
struct off_cpu_link {
	enum wake_cause cause;
	uint32_t thread, stack; /* of the waker, with WAKE_BY_THREAD */
};

/** What ended a time off the CPU: the waker first, then who woke that one, if the waker waited
 *  meanwhile, and so on. Of several waits of the waker the longest counts. */
struct off_cpu_wake {
	uint64_t left_ns, time_ns; /* the wait */
	size_t num_links;          /* 0: not known */
	bool is_cut;               /* there are more */
	struct off_cpu_link links[OFF_CPU_MAX_LINKS];
};

/** One time of a thread off the CPU. */
struct off_cpu_absence {
	struct named_sample sample; /* taken when it left; its weight is 0 */
	uint64_t read_ns; /* when the read of its interpreted stack ended; 0: the sample has the
			     stack */
	bool is_preempted;
	bool is_unsampled; /* there is no sample of it */
	bool never_ended;  /* for the caller */
	struct off_cpu_wake wake;
};

struct off_cpu_thread; /* private */

struct off_cpu {
	struct off_cpu_thread *threads;
	size_t num_threads, cap_threads;
	struct hash_table index;
	size_t num_taken; /* private */
};

#define OFF_CPU_INIT \
	{            \
	}

void off_cpu_deinit(struct off_cpu *off_cpu);

/** The sample of a thread that is about to leave its CPU. */
struct error *off_cpu_sample(struct off_cpu *off_cpu, uint32_t tid,
			     const struct off_cpu_absence *absence);

/** The thread leaves. @absence: used if its sample is missing. */
struct error *off_cpu_leave(struct off_cpu *off_cpu, uint32_t tid,
			    const struct off_cpu_absence *absence);

/** The thread ends: that it leaves the CPU afterwards is not an absence. */
struct error *off_cpu_end(struct off_cpu *off_cpu, uint32_t tid);

/** A new thread has this ID. */
void off_cpu_begin(struct off_cpu *off_cpu, uint32_t tid);

/**
 * The thread is woken; of several times while it is away, the first counts. False: it is not away.
 * @waker: its ID; only with WAKE_BY_THREAD of the link.
 */
bool off_cpu_wake(struct off_cpu *off_cpu, uint32_t tid, uint32_t waker, uint64_t time_ns,
		  const struct off_cpu_link *link);

/** The thread is back. False, and @ret is not set: it was not known to be away. */
bool off_cpu_return(struct off_cpu *off_cpu, uint32_t tid, struct off_cpu_absence *ret);

/** At the end of the recording: the next thread that is still away; false: there are no more. */
bool off_cpu_take(struct off_cpu *off_cpu, struct off_cpu_absence *ret);

#endif
