// SPDX-License-Identifier: Apache-2.0

#include "source/prompt_thread.h"

#include <sched.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// With EEVDF, a thread with a short time slice has an early deadline when it wakes, and runs before
// others with the same weight (sched_setattr(2), sched_runtime; Linux 6.12). That costs nobody any
// CPU time, and needs no privilege. A lower nice value does more, but only for those that may have
// it.

/** struct sched_attr of the kernel, as it was at first. */
struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

void prompt_thread_precede(void)
{
	enum { MOST_NICE = 20, MOST_URGENT = -20, RESET_ON_FORK = 1 }; // SCHED_FLAG_RESET_ON_FORK
	struct attributes now;
	if (syscall(SYS_sched_getattr, 0, &now, sizeof(now), 0) || now.policy != SCHED_OTHER ||
	    now.nice != 0)
		return; // whoever started it chose its place
	now.flags |= RESET_ON_FORK;
	now.nice = MOST_URGENT;
	if (syscall(SYS_sched_setattr, 0, &now, 0) == 0)
		return;
	// The least niceness that this user may have; see can_nice() of the kernel.
	struct rlimit limit = {0};
	getrlimit(RLIMIT_NICE, &limit);
	now.nice = limit.rlim_cur < 2 * MOST_NICE ? MOST_NICE - (int)limit.rlim_cur : -MOST_NICE;
	if (now.nice < 0)
		syscall(SYS_sched_setattr, 0, &now, 0);
}

static void set_slice(uint64_t slice_ns, uint64_t *ret_before_ns)
{
	struct attributes now;
	if (syscall(SYS_sched_getattr, 0, &now, sizeof(now), 0) || now.policy != SCHED_OTHER)
		return;
	*ret_before_ns = now.runtime;
	now.runtime = slice_ns;
	syscall(SYS_sched_setattr, 0, &now, 0);
}

void prompt_thread_begin(struct prompt_thread *prompt)
{
	enum { SHORTEST_SLICE_NS = 100000 };
	prompt->tid = (uint32_t)gettid();
	set_slice(SHORTEST_SLICE_NS, &prompt->slice_before_ns);
}

void prompt_thread_end(struct prompt_thread *prompt)
{
	uint64_t ours_ns;
	if (prompt->tid == (uint32_t)gettid())
		set_slice(prompt->slice_before_ns, &ours_ns);
	prompt->tid = 0;
}
