// SPDX-License-Identifier: Apache-2.0
// The controller perf_event is in one hierarchy: if one of version 1 has it, a group of version 2
// means nothing to perf_event_open(2). A line of mountinfo (proc(5)) has the mount point as its
// fifth field, and behind " - " the type, the source and the options, which name the controllers.

#include "process/system/cgroup_folder.h"

#include "base/container/array.h"
#include "base/file/close_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_GROUPS = 1000, POINT_FIELD = 4, OCTAL_DIGITS = 3 };

static bool has_option(const char *options, size_t length, const char *option)
{
	size_t size = strlen(option);
	for (const char *next = options, *end = options + length; next < end;) {
		size_t word = strcspn(next, ", \n");
		if (word == size && !strncmp(next, option, size))
			return true;
		next += word + 1;
	}
	return false;
}

/** Blanks and the like in names are "\040": three digits, which others may follow. */
static char *copy_mount_point(const char *field)
{
	char *copy = strndup(field, strcspn(field, " \n")), *to = copy;
	for (const char *from = copy; copy && *from; to++) {
		bool is_octal = from[0] == '\\' && strspn(from + 1, "01234567") >= OCTAL_DIGITS;
		*to = *from++;
		if (!is_octal)
			continue;
		*to = (char)((from[0] - '0') << 6 | (from[1] - '0') << 3 | (from[2] - '0'));
		from += OCTAL_DIGITS;
	}
	if (copy)
		*to = '\0';
	return copy;
}

/** 1 or 2: the version, if perf events know its groups; else 0. @ret: the mount point's field. */
static int read_mount(const char *line, size_t length, const char **ret)
{
	const char *type = memmem(line, length, " - ", 3), *point = line;
	for (int i = 0; point && i < POINT_FIELD; i++) {
		point = memchr(point, ' ', length - (size_t)(point - line));
		point = point ? point + 1 : NULL;
	}
	if (!type || !point || point > type)
		return 0;
	*ret = point;
	type += 3;
	size_t rest = length - (size_t)(type - line);
	if (rest > 8 && !strncmp(type, "cgroup2 ", 8))
		return 2;
	if (rest <= 7 || strncmp(type, "cgroup ", 7) != 0)
		return 0;
	const char *options = memchr(type + 7, ' ', rest - 7);
	return options &&
	       has_option(options + 1, length - (size_t)(options + 1 - line), "perf_event");
}

struct error *cgroup_mount_find(const char *mounts, char **ret)
{
	const char *found = NULL;
	int version = 0;
	for (const char *line = mounts; *line && version != 1;) {
		size_t length = strcspn(line, "\n");
		const char *point = NULL;
		int read = read_mount(line, length, &point);
		if (read && !(version && read == 2)) {
			version = read;
			found = point;
		}
		line += length + (line[length] == '\n');
	}
	if (!found)
		return error_with_hint(error_create(ERROR_FAILED,
						    "no control groups are mounted here"),
				       "as root: mount -t cgroup2 none /sys/fs/cgroup");
	*ret = copy_mount_point(found);
	return *ret ? NULL : &error_no_memory;
}

static struct error *read_mounts(char **ret)
{
	char *text = NULL;
	size_t capacity = 0;
	FILE *file = fopen("/proc/self/mountinfo", "re");
	if (!file)
		return error_create_errno(errno, "cannot open '/proc/self/mountinfo'");
	// No line of it has a zero byte: all of it is one "line".
	ssize_t length = getdelim(&text, &capacity, '\0', file);
	fclose(file);
	if (length >= 0) {
		*ret = text;
		return NULL;
	}
	free(text);
	return error_create(ERROR_FAILED, "cannot read '/proc/self/mountinfo'");
}

static struct error *open_error(const struct cgroup_folder *folder, const char *mount, int errnum)
{
	if (errnum == ENOENT || errnum == ENOTDIR)
		return error_with_hint(error_create(ERROR_FAILED, "no control group '%s' in %s",
						    folder->name, mount),
				       "/proc/PID/cgroup has the group of a process; ls %s", mount);
	return error_create_errno(errnum, "cannot open control group '%s'", folder->path);
}

static struct error *add_folder(struct cgroup_folders *folders, const char *mount, const char *name,
				size_t length)
{
	struct error *err =
		array_reserve(&folders->items, &folders->cap_items, folders->num_items + 1);
	if (err)
		return err;
	struct cgroup_folder *folder = &folders->items[folders->num_items++];
	*folder = (struct cgroup_folder){.fd = -1, .name = strndup(name, length)};
	if (!folder->name)
		return &error_no_memory;
	size_t prefix = strlen(mount);
	bool is_whole = !strncmp(folder->name, mount, prefix) &&
			(!folder->name[prefix] || folder->name[prefix] == '/');
	int printed = is_whole ? asprintf(&folder->path, "%s", folder->name)
			       : asprintf(&folder->path, "%s/%s", mount, folder->name);
	if (printed < 0) {
		folder->path = NULL;
		return &error_no_memory;
	}
	folder->fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return folder->fd < 0 ? open_error(folder, mount, errno) : NULL;
}

struct error *cgroup_folders_open(const char *names, struct cgroup_folders *ret)
{
	_cleanup_(cgroup_folders_close) struct cgroup_folders folders = CGROUP_FOLDERS_INIT;
	_cleanup_free_ char *mounts = NULL, *mount = NULL;
	struct error *err = read_mounts(&mounts);
	if (err || !mounts)
		return err;
	err = cgroup_mount_find(mounts, &mount);
	for (const char *name = names; !err;) {
		size_t length = strcspn(name, ",");
		if (!length)
			err = error_with_hint(error_create(ERROR_USAGE,
							   "a control group without a name: '%s'",
							   names),
					      "write GROUP,GROUP; / is the root");
		else if (folders.num_items == MAX_GROUPS)
			err = error_create(ERROR_USAGE, "more than %d control groups", MAX_GROUPS);
		else
			err = add_folder(&folders, mount, name, length);
		if (!name[length])
			break;
		name += length + 1;
	}
	if (err)
		return err;
	*ret = folders;
	folders = (struct cgroup_folders)CGROUP_FOLDERS_INIT;
	return NULL;
}

void cgroup_folders_close(struct cgroup_folders *folders)
{
	for (size_t i = 0; i < folders->num_items; i++) {
		close_fd(&folders->items[i].fd);
		free(folders->items[i].name);
		free(folders->items[i].path);
	}
	free(folders->items);
	*folders = (struct cgroup_folders)CGROUP_FOLDERS_INIT;
}

bool cgroup_folder_has_ended(const struct cgroup_folder *folder)
{
	return access(folder->path, F_OK) && errno == ENOENT;
}
