/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROCESS_TABLE_H
#define WPERF_PROCESS_PROCESS_TABLE_H

/**
 * Processes, threads, their names and mappings, as of the last record that was applied. Records
 * must be in time order.
 *
 * Mappings of processes that have ended stay for samples that come late. If all mappings need much
 * memory, those of the processes that ended first are freed.
 */

#include "base/container/hash_table.h"
#include "base/error.h"
#include "process/mapping_list.h"
#include "process/module_table.h"
#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PROCESS_NAME_SIZE =
		64, /* of the system's: on Windows, names of files; longer ones are cut */
	PROCESS_COMM_SIZE = 16,       /* to which Linux cuts them: TASK_COMM_LEN */
	PROCESS_GIVEN_NAME_SIZE = 64, /* of a name that an interpreter knows; longer ones are cut */
};

/** For the caller; the table does not change it. */
struct process_life {
	uint64_t began_ns;
	bool is_whole;   /* its begin was seen */
	bool is_sampled; /* since then */
	bool awaits_map; /* it became another program that has not been mapped yet */
};

struct process {
	uint32_t pid;
	/** Changes with its mappings and those of the kernel; unique in the table. */
	uint32_t generation;
	struct mapping_list *maps; /* NULL: none */
	uint32_t parent_pid;       /* for reading; 0: its start was not seen */
	bool has_ended;            /* for reading; its mappings may still be there */
	bool is_queued;            /* private */
	uint64_t ended_ns;         /* with has_ended: by the time of the record */
	struct process_life life;
};

/** Processes that have ended, by their place in the table; oldest first. */
struct process_queue {
	uint32_t *items;
	size_t first_item, num_items, cap_items;
};

struct process_thread {
	uint32_t tid, pid;
	uint32_t label; /* for the caller; reset to UINT32_MAX when the system's name changes */
	bool has_ended;
	uint64_t ended_ns; /* likewise */
	char name[PROCESS_NAME_SIZE];
	/** See record_comm.is_given; "": none. That of a process's first thread is what the process
	 *  is for. */
	char given[PROCESS_GIVEN_NAME_SIZE];
};

struct process_table {
	struct module_table modules;
	struct process *processes;
	struct process_thread *threads;
	size_t num_processes, cap_processes, num_threads, cap_threads;
	struct hash_table process_index, thread_index;
	uint32_t last_generation;
	struct mapping_room room; /* of all mappings; it knows how many were left out */
	struct process_queue ended;
	size_t num_ended; /* threads, since the last process_table_forget() that looked */
};

enum {
	/** From here on mappings of ended processes are freed: 8 MB. */
	PROCESS_TABLE_MANY_MAPPINGS = 1 << 18,
	/** ... but not of these many that ended last. */
	PROCESS_TABLE_KEPT_PROCESSES = 64,
	/** process_table_forget() looks once so many threads have ended, or a quarter of all. */
	PROCESS_TABLE_MANY_ENDED = 4096,
};

#define PROCESS_TABLE_INIT \
	{                  \
	}

/** Map, comm, fork and exit change the table; other records do not. */
struct error *process_table_apply(struct process_table *table, const struct record *record);

/** The process of this pid, which is added if it is missing. Valid until the next call. */
struct error *process_table_process(struct process_table *table, uint32_t pid,
				    struct process **ret);

/** Has there been a record of it? */
bool process_table_has(const struct process_table *table, uint32_t pid);
/** Who started a process; 0: its start was not seen. */
uint32_t process_table_parent(const struct process_table *table, uint32_t pid);

/** The thread of these IDs, which is added if it is missing. Valid until the next call. */
struct error *process_table_thread(struct process_table *table, uint32_t pid, uint32_t tid,
				   struct process_thread **ret);

/** The name of a thread: the given one, else the system's, else that of its process's first thread;
 *  "" if it is not known. */
const char *process_table_thread_name(const struct process_table *table, uint32_t pid,
				      uint32_t tid);

/** What an interpreter knows that a process is for; "" if it is not known. */
const char *process_table_said_role(const struct process_table *table, uint32_t pid);

/** Does the system's name of a thread say no more than a given one? @process: that of its process's
 *  first thread. */
bool process_name_stands_for(const char *system, const char *process, const char *given);

/** Would a record with a given name change the thread's? */
bool process_table_takes_name(const struct process_table *table, uint32_t pid, uint32_t tid,
			      const char *name);

/**
 * For tables that live long: processes and threads that ended before a time go, now and then, and
 * their numbers are unknown again.
 * @ret_pids: the caller frees them. @ret_num: often 0.
 */
struct error *process_table_forget(struct process_table *table, uint64_t before_ns,
				   uint32_t **ret_pids, size_t *ret_num);

/** All mappings of a process, by address. Valid until the next record is applied. */
const struct mapping *process_mappings(const struct process *process, size_t *ret_num);

/** The mapping that contains an address, or NULL. */
const struct mapping *process_find_mapping(const struct process *process, uint64_t address);

/** The same for an address in the kernel. */
const struct mapping *process_table_find_kernel(const struct process_table *table,
						uint64_t address);

void process_table_deinit(struct process_table *table);

#endif
