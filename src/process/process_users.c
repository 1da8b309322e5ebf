// SPDX-License-Identifier: Apache-2.0

#include "process/process_users.h"

#include "base/container/array.h"
#include "process/process_roots.h"

#include <stdlib.h>

// process_users_see() is called with each record and reads rights from /proc only where they may be
// new: at a process's first record, at exec, and every 100 ms. process_users_merge() is the rule
// for two readings: equal users keep their common groups; if one is root, the other one counts; two
// different users give rights that are not known. So a process cannot gain a file by changing its
// user during the recording. A process that ended before it was read has its parent's rights.

enum {
	MAX_USERS = 1 << 20,          /* pids of the kernel; a file may claim more */
	READ_INTERVAL_NS = 100000000, /* a process may change its user without a record */
};

static bool has_pid(const void *owner, uint32_t index, const void *key)
{
	const struct process_users *users = owner;
	return users->items[index].pid == *(const uint32_t *)key;
}

static struct process_user *process_users_look_up(const struct process_users *users, uint32_t pid)
{
	uint32_t index =
		hash_table_find(&users->index, hash_bytes(&pid, sizeof(pid)), has_pid, users, &pid);
	return index == HASH_TABLE_NONE ? NULL : &users->items[index];
}

static void keep_common_groups(struct file_rights *rights, const struct file_rights *other)
{
	uint32_t num = 0;
	for (size_t i = 0; i < rights->num_groups; i++) {
		bool is_common = false;
		for (size_t k = 0; k < other->num_groups; k++)
			is_common |= other->groups[k] == rights->groups[i];
		if (is_common)
			rights->groups[num++] = rights->groups[i];
	}
	rights->num_groups = num;
}

/** Those that both have; the root folder is that of @b. */
static struct file_rights process_users_merge(const struct file_rights *a,
					      const struct file_rights *b)
{
	struct file_rights both = {0};
	if (a->is_known && b->is_known && a->user == b->user && a->group == b->group) {
		both = *a;
		keep_common_groups(&both, b);
	} else if (b->is_known && b->user == 0) {
		both = *a;
	} else if (a->is_known && a->user == 0) {
		both = *b;
	}
	both.root = b->root;
	return both;
}

struct error *process_users_add(struct process_users *users, uint32_t pid,
				const struct file_rights *rights)
{
	struct process_user *user = process_users_look_up(users, pid);
	if (user) {
		user->rights = process_users_merge(&user->rights, rights);
		return NULL;
	}
	// The rights of a process that is left out are not known.
	if (users->num_items >= MAX_USERS)
		return NULL;
	struct error *err = array_reserve(&users->items, &users->cap_items, users->num_items + 1);
	if (!err)
		err = hash_table_insert(&users->index, hash_bytes(&pid, sizeof(pid)),
					(uint32_t)users->num_items);
	if (!err)
		users->items[users->num_items++] =
			(struct process_user){.pid = pid, .rights = *rights};
	return err;
}

/** The root folder of @rights is left as it is where it cannot be read. */
static struct error *read_root(struct process_users *users, uint32_t pid,
			       struct file_rights *rights, bool *ret_seen)
{
	const struct file_root *root = NULL;
	*ret_seen = true;
	struct error *err =
		users->roots ? process_root_read(users->roots, pid, &root, ret_seen) : NULL;
	if (!err && *ret_seen)
		rights->root = root;
	return err;
}

/** What has ended is what it was. */
static struct error *read_again(struct process_users *users, struct process_user *user)
{
	struct file_rights rights = process_rights_read(user->pid);
	if (!rights.is_known)
		return NULL;
	bool is_seen;
	rights.root = user->rights.root;
	struct error *err = read_root(users, user->pid, &rights, &is_seen);
	if (err)
		return err;
	user->rights = process_users_merge(&user->rights, &rights);
	user->has_unseen_program &= !is_seen;
	return NULL;
}

/** Root of a container that has ended must not be taken for ours. */
static struct error *read_new(struct process_users *users, uint32_t pid, struct file_rights *ret)
{
	bool is_seen;
	*ret = process_rights_read(pid);
	struct error *err = read_root(users, pid, ret, &is_seen);
	if (!is_seen && ret->user == 0)
		*ret = (struct file_rights){0};
	return err;
}

struct error *process_users_add_running(struct process_users *users, uint32_t pid)
{
	struct file_rights rights;
	struct error *err = read_new(users, pid, &rights);
	return err ? err : process_users_add(users, pid, &rights);
}

/** One that ended before it was read, but whose parent is known, is its parent's. */
static struct error *add_new(struct process_users *users, const struct record *record)
{
	const struct process_user *parent =
		record->kind == RECORD_FORK ? process_users_look_up(users, record->task.parent_pid)
					    : NULL;
	struct file_rights rights = parent ? parent->rights : (struct file_rights){0};
	struct error *err = parent ? NULL : read_new(users, record->pid, &rights);
	if (!err)
		err = process_users_add(users, record->pid, &rights);
	struct process_user *user = err ? NULL : process_users_look_up(users, record->pid);
	if (!user)
		return err;
	user->read_ns = parent ? 0 : record->time_ns;
	parent = parent ? process_users_look_up(users, record->task.parent_pid)
			: NULL; // it may have moved
	user->has_unseen_program = parent && parent->has_unseen_program;
	return NULL;
}

struct error *process_users_see(struct process_users *users, const struct record *record)
{
	if (record->kind != RECORD_SAMPLE && record->kind != RECORD_FORK &&
	    record->kind != RECORD_COMM && record->kind != RECORD_MAP)
		return NULL;
	struct process_user *user = process_users_look_up(users, record->pid);
	if (!user)
		return add_new(users, record);
	bool is_exec = record->kind == RECORD_COMM && record->comm.is_exec;
	if (is_exec || record->time_ns - user->read_ns >= READ_INTERVAL_NS) {
		user->read_ns = record->time_ns;
		user->has_unseen_program |= is_exec;
		return read_again(users, user);
	}
	return NULL;
}

struct error *process_users_forget(struct process_users *users, const uint32_t *pids,
				   size_t num_pids)
{
	static const uint32_t gone = UINT32_MAX; // is no process
	size_t num = 0;
	if (!num_pids)
		return NULL;
	for (size_t i = 0; i < num_pids; i++) {
		struct process_user *user = process_users_look_up(users, pids[i]);
		if (user)
			user->pid = gone;
	}
	hash_table_deinit(&users->index);
	struct error *err = NULL;
	for (size_t i = 0; !err && i < users->num_items; i++) {
		uint32_t pid = users->items[i].pid;
		if (pid == gone)
			continue;
		users->items[num] = users->items[i];
		err = hash_table_insert(&users->index, hash_bytes(&pid, sizeof(pid)),
					(uint32_t)num++);
	}
	users->num_items = num;
	return err;
}

struct error *process_users_refresh(struct process_users *users)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < users->num_items; i++)
		err = read_again(users, &users->items[i]);
	return err;
}

struct file_rights process_users_find(const struct process_users *users, uint32_t pid)
{
	const struct process_user *user = process_users_look_up(users, pid);
	if (!user)
		return (struct file_rights){0};
	bool is_sure = user->rights.user != 0 || !user->has_unseen_program;
	return is_sure ? user->rights : (struct file_rights){.root = user->rights.root};
}

struct file_rights process_users_find_code(const struct process_users *users, uint32_t pid)
{
	const struct process_user *user = process_users_look_up(users, pid);
	struct file_rights rights = user ? user->rights : (struct file_rights){0};
	if (!rights.is_known && users->is_silent)
		rights.is_known = true; // root's
	return rights;
}

struct error *process_users_add_unseen(struct process_users *users, uint32_t pid,
				       const struct file_rights *rights)
{
	struct error *err = process_users_add(users, pid, rights);
	struct process_user *user = err ? NULL : process_users_look_up(users, pid);
	if (user)
		user->has_unseen_program = true;
	return err;
}

void process_users_deinit(struct process_users *users)
{
	hash_table_deinit(&users->index);
	free(users->items);
	*users = (struct process_users)PROCESS_USERS_INIT;
}
