/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_KNOWN_PROCESSES_H
#define WPERF_SOURCE_MEMORY_KNOWN_PROCESSES_H

/** The processes and threads that samples came from, and what their loaders have loaded. */

#include "base/container/hash_table.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct known_process {
	uint32_t pid;
	uint64_t last_module; /* address of the last entry in the loader's list; 0: not known */
	uint64_t table, last_block; /* memory_head.address and .block of its announcement */
	bool is_searched;           /* for leaks, at its end */
};

struct known_thread {
	uint32_t pid, tid;
};

struct known_processes {
	struct known_process *processes;
	struct known_thread *threads;
	size_t num_processes, cap_processes, num_threads, cap_threads;
	struct hash_table process_index, thread_index;
};

#define KNOWN_PROCESSES_INIT \
	{                    \
	}

void known_processes_deinit(struct known_processes *known);

bool known_processes_has(const struct known_processes *known, uint32_t pid);

/** A process is new, or another program. @ret: valid until the next call. */
struct error *known_processes_add(struct known_processes *known, uint32_t pid,
				  struct known_process **ret);

/** NULL: it is not known. */
struct known_process *known_processes_get(const struct known_processes *known, uint32_t pid);

/** @ret: the thread was not known; now it is. */
struct error *known_processes_add_thread(struct known_processes *known, uint32_t pid, uint32_t tid,
					 bool *ret);

/**
 * Has a process that is known loaded something since the last call? Takes one short read of its
 * memory. If it has unloaded something, that may be seen late.
 * @loader: address of its struct r_debug, as it says; 0: not known, then the answer is no.
 */
bool known_processes_have_loaded(struct known_processes *known, uint32_t pid, uint64_t loader);

#endif
