/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROCESS_USERS_H
#define WPERF_PROCESS_PROCESS_USERS_H

/**
 * Whose the processes are that are being recorded, and which root folder they have: read while they
 * run, as nobody can tell later. A process that has had rights of two users counts as the one with
 * less: root's, if it was ever somebody else's, is not root's. Of two root folders the last one
 * counts. On Windows empty.
 */

#include "base/container/hash_table.h"
#include "base/file/file_rights.h"
#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct process_user {
	uint32_t pid;
	struct file_rights rights;
	uint64_t read_ns; /* on the clock of the records: the last time it was read */
	/** It has executed a program since, and ended before it was read again: it may have got
	 *  another user before that, as children of `su` and `cron`. */
	bool has_unseen_program;
};

struct process_users {
	struct process_user *items;
	size_t num_items, cap_items;
	struct hash_table index;
	struct file_roots *roots; /* where those of processes are kept; NULL: they are not read */
	/** It was not recorded who ran the programs: code is read with our own rights. */
	bool is_silent;
};

#define PROCESS_USERS_INIT \
	{                  \
	}

/** Processes are read at their first record, when they execute a program, and now and then. */
struct error *process_users_see(struct process_users *users, const struct record *record);

/** Read all that still run once more: before what they named is opened. */
struct error *process_users_refresh(struct process_users *users);

/** A process that runs. */
struct error *process_users_add_running(struct process_users *users, uint32_t pid);

/** Of processes that nobody asks for any more. @pids: of which some may be unknown. */
struct error *process_users_forget(struct process_users *users, const uint32_t *pids,
				   size_t num_pids);

/** What is known from elsewhere, as from a recording. */
struct error *process_users_add(struct process_users *users, uint32_t pid,
				const struct file_rights *rights);

/** The same of a process with an unseen program. */
struct error *process_users_add_unseen(struct process_users *users, uint32_t pid,
				       const struct file_rights *rights);

/** For what a process names. Not root's if its program is unseen. */
struct file_rights process_users_find(const struct process_users *users, uint32_t pid);

/** The same for files with code, which are known by their build id or inode, not only by name: an
 *  unseen program has the rights of before. */
struct file_rights process_users_find_code(const struct process_users *users, uint32_t pid);

void process_users_deinit(struct process_users *users);

/** Of a process that runs, without its root folder; of the system. */
struct file_rights process_rights_read(uint32_t pid);

/** Does this system have rights and root folders of processes? */
bool process_users_matter(void);

/** Add ourselves, as the parent of what we start, which may have ended when it is read. */
struct error *process_users_add_ourselves(struct process_users *users);

#endif
