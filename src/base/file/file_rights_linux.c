// SPDX-License-Identifier: Apache-2.0

#include "base/file/file_rights.h"

#include "base/cleanup.h"
#include "base/text/number.h"

#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/syscall.h>
#include <unistd.h>

// setfsuid(2), setfsgid(2) and setgroups(2), called directly: the C library would change all
// threads. The kernel drops the capabilities that override file permissions when the filesystem
// user is no longer root, and restores them with it (capabilities(7), "Effect of user ID changes").
// setfsuid() reports no errors, so the result is read back by a call with an invalid id.

// Nobody has this number, so that only what everybody may read is open to it. Not that of the
// user "nobody", who may have files.
static const uint32_t NO_USER = UINT32_MAX - 1;

bool file_rights_matter(void)
{
	return geteuid() == 0;
}

static bool file_rights_read_number(const char *variable, uint32_t *ret)
{
	const char *text = getenv(variable);
	uint64_t number;
	if (!text || number_parse_decimal(text, strlen(text), &number) != NUMBER_OK ||
	    number >= NO_USER)
		return false;
	*ret = (uint32_t)number;
	return true;
}

/** sudo tells who called it; root can have the same by its own means. */
static struct file_rights rights_of_caller(void)
{
	struct file_rights rights = {.is_known = true, .user = getuid(), .group = getgid()};
	if (rights.user != 0)
		return rights;
	bool is_told = file_rights_read_number("SUDO_UID", &rights.user) &&
		       file_rights_read_number("SUDO_GID", &rights.group) && rights.user != 0;
	if (!is_told)
		rights.user = rights.group = NO_USER;
	return rights;
}

/** Only of this thread; what the C library has is for all threads. */
static bool set_groups(size_t num, const uint32_t *groups)
{
	return syscall(SYS_setgroups, num, groups) == 0;
}

struct error *file_rights_begin(const struct file_rights *rights, struct file_rights_scope *scope)
{
	*scope = (struct file_rights_scope){0};
	if (!rights || !file_rights_matter())
		return NULL;
	struct file_rights wanted = rights->is_known ? *rights : rights_of_caller();
	if (wanted.user == 0)
		return NULL;
	int num = getgroups(0, NULL);
	scope->groups = calloc((size_t)(num > 0 ? num : 0) + 1, sizeof(*scope->groups));
	if (!scope->groups)
		return &error_no_memory;
	scope->num_groups = num > 0 ? getgroups(num, scope->groups) : 0;
	// A number that cannot be set is how to ask for the one that is.
	scope->user = (uint32_t)setfsuid((uid_t)-1);
	scope->group = (uint32_t)setfsgid((gid_t)-1);
	scope->is_changed = true;
	// With the user go the capabilities to ignore the rights of files, and come again.
	if (set_groups(wanted.num_groups, wanted.groups)) {
		setfsgid(wanted.group);
		setfsuid(wanted.user);
		// Whether it worked can only be seen by asking.
		if ((uint32_t)setfsuid((uid_t)-1) == wanted.user &&
		    (uint32_t)setfsgid((gid_t)-1) == wanted.group)
			return NULL;
	}
	file_rights_end(scope);
	return error_create(ERROR_FAILED, "cannot take the rights of user %u for files",
			    wanted.user);
}

void file_rights_end(struct file_rights_scope *scope)
{
	if (scope->is_changed) {
		setfsuid(scope->user);
		setfsgid(scope->group);
		set_groups((size_t)scope->num_groups, scope->groups);
	}
	free(scope->groups);
	*scope = (struct file_rights_scope){0};
}
