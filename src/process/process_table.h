/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROCESS_TABLE_H
#define WPERF_PROCESS_PROCESS_TABLE_H

/**
 * Processes, threads, their names and mappings, as of the last record that was applied. Records
 * must be in time order.
 */

#include "base/error.h"
#include "base/hash_table.h"
#include "process/module_table.h"
#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapping {
	uint64_t start, end;
	uint64_t file_offset; /* of start */
	uint32_t module;
};

enum { PROCESS_NAME_SIZE = 16 }; /* TASK_COMM_LEN of the kernel */

struct process {
	uint32_t pid;
	/** Changes with its mappings and those of the kernel; unique in the table. */
	uint32_t generation;
	struct mapping *maps; /* by address, without overlaps */
	size_t num_maps, cap_maps;
};

struct process_thread {
	uint32_t tid, pid;
	uint32_t label; /* for the caller; reset to UINT32_MAX when the name changes */
	char name[PROCESS_NAME_SIZE];
};

struct process_table {
	struct module_table modules;
	struct process *processes;
	struct process_thread *threads;
	size_t num_processes, cap_processes, num_threads, cap_threads;
	struct hash_table process_index, thread_index;
	uint32_t last_generation;
};

#define PROCESS_TABLE_INIT \
	{                  \
	}

/** Map, comm, fork and exit change the table; other records do not. */
struct error *process_table_apply(struct process_table *table, const struct record *record);

/** The process of this pid, which is added if it is missing. Valid until the next call. */
struct error *process_table_process(struct process_table *table, uint32_t pid,
				    struct process **ret);

/** The thread of these IDs, which is added if it is missing. Valid until the next call. */
struct error *process_table_thread(struct process_table *table, uint32_t pid, uint32_t tid,
				   struct process_thread **ret);

/** The name of a thread, else that of its process's first thread; "" if it is not known. */
const char *process_table_thread_name(const struct process_table *table, uint32_t pid,
				      uint32_t tid);

/** The mapping that contains an address, or NULL. */
const struct mapping *process_find_mapping(const struct process *process, uint64_t address);

/** The same for an address in the kernel. */
const struct mapping *process_table_find_kernel(const struct process_table *table,
						uint64_t address);

void process_table_deinit(struct process_table *table);

#endif
