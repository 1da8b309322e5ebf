// SPDX-License-Identifier: Apache-2.0

#include "process/thread/thread_activity.h"

#include "base/cleanup.h"
#include "process/process_facts.h"

#include <stdlib.h>

// Follows SYSTEM_PROCESS_INFORMATION, whose thread entries have a state and, for waiting threads, a
// reason (KTHREAD_STATE and KWAIT_REASON). There is no query for one thread: all processes are
// listed for each answer.

// KTHREAD_STATE, and of KWAIT_REASON Suspended, WrSuspended, PageIn and WrPageIn.
enum {
	STATE_READY = 1,
	STATE_RUNNING = 2,
	STATE_STANDBY = 3, // the next on its core
	STATE_WAITS = 5,
	STATE_READY_SOON = 7,
	REASON_SUSPENDED = 5,
	REASON_WR_SUSPENDED = 12,
	REASON_PAGE_IN = 2,
	REASON_WR_PAGE_IN = 9,
};

static enum thread_state state_of(const struct thread_facts *thread)
{
	switch (thread->state) {
	case STATE_READY:
	case STATE_RUNNING:
	case STATE_STANDBY:
	case STATE_READY_SOON:
		return THREAD_RUNS;
	case STATE_WAITS:
		break;
	default:
		return THREAD_UNKNOWN;
	}
	switch (thread->wait_reason) {
	case REASON_SUSPENDED:
	case REASON_WR_SUSPENDED:
		return THREAD_IS_STOPPED;
	case REASON_PAGE_IN:
	case REASON_WR_PAGE_IN:
		return THREAD_WAITS_FOR_DISK;
	default:
		return THREAD_SLEEPS;
	}
}

// What a thread waits for is not told: its lock is not known.
struct thread_activity thread_activity_read(uint32_t pid, uint32_t tid)
{
	struct thread_activity activity = {.state = THREAD_UNKNOWN};
	size_t size = 0, place = 0;
	_cleanup_free_ struct process_facts *all = process_facts_read(&size);
	const struct process_facts *process = NULL;
	do {
		process = all ? process_facts_next(all, size, &place) : NULL;
	} while (process && process->process_id != pid);
	if (!process)
		return activity;
	size_t room = size - (size_t)((const char *)process - (const char *)all);
	size_t fit = (room - sizeof(*process)) / sizeof(process->threads[0]);
	size_t num = process->num_threads < fit ? process->num_threads : fit;
	size_t i = 0;
	while (i < num && process->threads[i].thread_id != tid)
		i++;
	if (i < num)
		activity.state = state_of(&process->threads[i]);
	return activity;
}
