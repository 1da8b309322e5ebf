// SPDX-License-Identifier: Apache-2.0

#include "process/thread_activity.h"

#include "base/cleanup.h"

#include <stddef.h>
#include <stdlib.h>
#include <windows.h>
#include <winternl.h>

/** What the system tells of each thread (SYSTEM_THREAD_INFORMATION). */
struct thread_facts {
	int64_t kernel_time, user_time, create_time;
	uint32_t wait_time;
	uint64_t start_address;
	uint64_t process_id, thread_id;
	int32_t priority, base_priority;
	uint32_t num_switches;
	uint32_t state, wait_reason;
};

/** ... and of each process, its threads behind it (SYSTEM_PROCESS_INFORMATION). */
struct process_facts {
	uint32_t to_next, num_threads;
	uint8_t others[72];
	uint64_t process_id;
	uint8_t more[168];
	struct thread_facts threads[];
};
_Static_assert(offsetof(struct process_facts, process_id) == 0x50, "as the system has it");
_Static_assert(offsetof(struct process_facts, threads) == 0x100, "as the system has it");
_Static_assert(sizeof(struct thread_facts) == 0x50, "as the system has it");

enum {
	FIRST_SIZE = 1 << 19,
	MOST_SIZE = 1 << 28,
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

static const NTSTATUS too_small = (NTSTATUS)0xc0000004;

/** Everything that runs, or NULL. */
static struct process_facts *read_facts(size_t *ret_size)
{
	for (ULONG size = FIRST_SIZE; size <= MOST_SIZE; size *= 2) {
		_cleanup_free_ struct process_facts *facts = malloc(size);
		ULONG used = 0;
		if (!facts)
			return NULL;
		NTSTATUS status =
			NtQuerySystemInformation(SystemProcessInformation, facts, size, &used);
		if (status == 0) {
			*ret_size = used < size ? used : size;
			return take_ptr(facts);
		}
		if (status != too_small)
			return NULL;
	}
	return NULL;
}

static const struct thread_facts *find_thread(const struct process_facts *process, size_t room,
					      uint32_t tid)
{
	size_t fit = (room - sizeof(*process)) / sizeof(process->threads[0]);
	size_t num = process->num_threads < fit ? process->num_threads : fit;
	for (size_t i = 0; i < num; i++)
		if (process->threads[i].thread_id == tid)
			return &process->threads[i];
	return NULL;
}

static const struct thread_facts *find_facts(const struct process_facts *all, size_t size,
					     uint32_t pid, uint32_t tid)
{
	size_t place = 0;
	while (size - place >= sizeof(*all)) {
		const struct process_facts *process = (const void *)((const char *)all + place);
		if (process->process_id == pid)
			return find_thread(process, size - place, tid);
		if (!process->to_next || process->to_next > size - place)
			break;
		place += process->to_next;
	}
	return NULL;
}

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
	size_t size = 0;
	_cleanup_free_ struct process_facts *all = read_facts(&size);
	const struct thread_facts *thread = all ? find_facts(all, size, pid, tid) : NULL;
	if (thread)
		activity.state = state_of(thread);
	return activity;
}
