// SPDX-License-Identifier: Apache-2.0

#include "process/process_users.h"

#include "base/array.h"

#include <stdlib.h>

enum {
	MAX_USERS = 1 << 20,          /* pids of the kernel; a file may claim more */
	READ_INTERVAL_NS = 100000000, /* a process may change its user without a record */
};

static bool has_pid(const void *owner, uint32_t index, const void *key)
{
	const struct process_users *users = owner;
	return users->items[index].pid == *(const uint32_t *)key;
}

static struct process_user *find(const struct process_users *users, uint32_t pid)
{
	uint32_t index =
		hash_table_find(&users->index, hash_bytes(&pid, sizeof(pid)), has_pid, users, &pid);
	return index == HASH_TABLE_NONE ? NULL : &users->items[index];
}

static bool are_equal(const struct file_rights *a, const struct file_rights *b)
{
	return a->is_known == b->is_known && a->user == b->user && a->group == b->group;
}

/** Those that both have. */
static struct file_rights merge(const struct file_rights *a, const struct file_rights *b)
{
	if (are_equal(a, b) || (b->is_known && b->user == 0))
		return *a;
	return a->is_known && a->user == 0 ? *b : (struct file_rights){0};
}

struct error *process_users_add(struct process_users *users, uint32_t pid,
				const struct file_rights *rights)
{
	struct process_user *user = find(users, pid);
	if (user) {
		user->rights = merge(&user->rights, rights);
		return NULL;
	}
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

/** What has ended is what it was. */
static void read_again(struct process_user *user)
{
	struct file_rights rights = process_rights_read(user->pid);
	if (rights.is_known)
		user->rights = merge(&user->rights, &rights);
}

/** One that ended before it was read, but whose parent is known, is its parent's. */
static struct error *add_new(struct process_users *users, const struct record *record)
{
	const struct process_user *parent =
		record->kind == RECORD_FORK ? find(users, record->task.parent_pid) : NULL;
	struct file_rights rights = parent ? parent->rights : process_rights_read(record->pid);
	struct error *err = process_users_add(users, record->pid, &rights);
	struct process_user *user = err ? NULL : find(users, record->pid);
	if (user)
		user->read_ns = parent ? 0 : record->time_ns;
	return err;
}

struct error *process_users_see(struct process_users *users, const struct record *record)
{
	if (record->kind != RECORD_SAMPLE && record->kind != RECORD_FORK &&
	    record->kind != RECORD_COMM && record->kind != RECORD_MAP)
		return NULL;
	struct process_user *user = find(users, record->pid);
	if (!user)
		return add_new(users, record);
	bool is_exec = record->kind == RECORD_COMM && record->comm.is_exec;
	if (is_exec || record->time_ns - user->read_ns >= READ_INTERVAL_NS) {
		user->read_ns = record->time_ns;
		read_again(user);
	}
	return NULL;
}

void process_users_refresh(struct process_users *users)
{
	for (size_t i = 0; i < users->num_items; i++)
		read_again(&users->items[i]);
}

struct file_rights process_users_find(const struct process_users *users, uint32_t pid)
{
	const struct process_user *user = find(users, pid);
	return user ? user->rights : (struct file_rights){0};
}

void process_users_deinit(struct process_users *users)
{
	hash_table_deinit(&users->index);
	free(users->items);
	*users = (struct process_users)PROCESS_USERS_INIT;
}
