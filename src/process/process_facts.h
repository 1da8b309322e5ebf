/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROCESS_FACTS_H
#define WPERF_PROCESS_PROCESS_FACTS_H

/** Windows only: the system's list of all processes and threads. */

#include <stddef.h>
#include <stdint.h>

/** SYSTEM_THREAD_INFORMATION */
struct thread_facts {
	int64_t kernel_time, user_time, create_time;
	uint32_t wait_time;
	uint64_t start_address;
	uint64_t process_id, thread_id;
	int32_t priority, base_priority;
	uint32_t num_switches;
	uint32_t state, wait_reason;
};

/** SYSTEM_PROCESS_INFORMATION */
struct process_facts {
	uint32_t to_next, num_threads;
	uint8_t others[24];
	int64_t create_time; /* as a FILETIME */
	uint8_t more[40];
	uint64_t process_id, parent_id;
	uint8_t rest[160];
	struct thread_facts threads[];
};
_Static_assert(offsetof(struct process_facts, create_time) == 0x20, "as the system has it");
_Static_assert(offsetof(struct process_facts, process_id) == 0x50, "as the system has it");
_Static_assert(offsetof(struct process_facts, threads) == 0x100, "as the system has it");
_Static_assert(sizeof(struct thread_facts) == 0x50, "as the system has it");

/** All processes, to be freed; NULL: the system refuses. */
struct process_facts *process_facts_read(size_t *ret_size);

/** The next process; @place must be 0 for the first one. NULL after the last. */
const struct process_facts *process_facts_next(const struct process_facts *all, size_t size,
					       size_t *place);

#endif
