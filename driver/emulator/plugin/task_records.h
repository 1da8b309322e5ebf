/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_EMULATOR_TASK_RECORDS_H
#define WPERF_EMULATOR_TASK_RECORDS_H

/** What happens in the emulated program besides samples, as records in the ring. */

#include <stdbool.h>
#include <stdint.h>

struct guest_thread;

struct mapped_file {
	uint64_t start, end, offset;
	uint32_t major, minor;
	uint64_t inode;
	const char *path; /* "": memory */
};

/** @thread: the calling one, here and below. */
void task_records_map(struct guest_thread *thread, const struct mapped_file *mapped);

/** The calling thread has a name, or its process is another program. */
void task_records_name(struct guest_thread *thread, const char *name, bool is_exec);

/** The calling thread, or its process, is new. */
void task_records_fork(struct guest_thread *thread, int32_t parent_pid, int32_t parent_tid);

/** The calling thread ends. */
void task_records_exit(struct guest_thread *thread);

#endif
