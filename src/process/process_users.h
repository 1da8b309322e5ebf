/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROCESS_USERS_H
#define WPERF_PROCESS_PROCESS_USERS_H

/**
 * Whose the processes are that are being recorded: read while they run, as nobody can tell later.
 * A process that has had rights of two users counts as the one with less: root's, if it was ever
 * somebody else's, is not root's. Only for who is root (file_rights_matter()); on Windows empty.
 */

#include "base/file_rights.h"
#include "base/hash_table.h"
#include "record/record.h"

#include <stddef.h>
#include <stdint.h>

struct process_user {
	uint32_t pid;
	struct file_rights rights;
	uint64_t read_ns; /* on the clock of the records: the last time it was read */
};

struct process_users {
	struct process_user *items;
	size_t num_items, cap_items;
	struct hash_table index;
};

#define PROCESS_USERS_INIT \
	{                  \
	}

/** Processes are read at their first record, when they execute a program, and now and then. */
struct error *process_users_see(struct process_users *users, const struct record *record);

/** Read all that still run once more: before what they named is opened. */
void process_users_refresh(struct process_users *users);

/** What is known from elsewhere, as from a recording. */
struct error *process_users_add(struct process_users *users, uint32_t pid,
				const struct file_rights *rights);

struct file_rights process_users_find(const struct process_users *users, uint32_t pid);

void process_users_deinit(struct process_users *users);

/** Of a process that runs; of the system. */
struct file_rights process_rights_read(uint32_t pid);

#endif
