// SPDX-License-Identifier: Apache-2.0

#include "process/process_roots.h"

#include "base/cleanup.h"
#include "base/file/close_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A root folder is identified by its mount namespace (/proc/PID/ns/mnt), device and inode. It is
// opened while a process with it runs, since /proc/PID/root vanishes with the process, and kept
// open. After opening, the identity is compared again, because the pid may belong to another
// process by then. Processes that may not be looked into are compared by their root mount
// (/proc/PID/mountinfo), which everybody may read: they are refused, instead of taking our files
// for theirs.

enum { MAX_PATH = 64 }; /* "/proc/4294967295/mountinfo" */

/** False, with errno. @process: its number, or "self". */
static bool process_roots_read_id(const char *process, struct file_root_id *ret)
{
	char path[MAX_PATH];
	struct stat mounts, root;
	snprintf(path, sizeof(path), "/proc/%s/ns/mnt", process);
	if (stat(path, &mounts) < 0)
		return false;
	snprintf(path, sizeof(path), "/proc/%s/root", process);
	if (stat(path, &root) < 0)
		return false;
	*ret = (struct file_root_id){mounts.st_ino, root.st_dev, root.st_ino};
	return true;
}

/** What is mounted at the root, with the number of the mount: a line that everybody may read. */
static char *read_root_mount(const char *process)
{
	char path[MAX_PATH], *line = NULL;
	size_t capacity = 0;
	bool is_found = false;
	snprintf(path, sizeof(path), "/proc/%s/mountinfo", process);
	FILE *file = fopen(path, "re");
	while (file && !is_found && getline(&line, &capacity, file) > 0) {
		char place[3];
		// Field 5 is where it is mounted (proc(5)).
		is_found = sscanf(line, "%*s %*s %*s %*s %2s", place) == 1 && !strcmp(place, "/");
	}
	if (file)
		fclose(file);
	if (!is_found)
		free(take_ptr(line));
	return line;
}

/** Its processes may have changed meanwhile: what was opened must be what was asked for. */
static void open_root(const char *process, struct file_root *root)
{
	char path[MAX_PATH];
	struct stat folder, mounts;
	snprintf(path, sizeof(path), "/proc/%s/root", process);
	root->folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/%s/ns/mnt", process);
	root->mounts = open(path, O_RDONLY | O_CLOEXEC);
	if (root->folder >= 0 && root->mounts >= 0 && fstat(root->folder, &folder) == 0 &&
	    fstat(root->mounts, &mounts) == 0 && folder.st_dev == root->id.device &&
	    folder.st_ino == root->id.inode && mounts.st_ino == root->id.mounts)
		return;
	root->refusal = "wperf cannot open that folder";
	close_fd(&root->folder);
	close_fd(&root->mounts);
}

static struct error *process_roots_add(struct file_roots *roots, struct file_root_id id,
				       const char *process, const char *refusal,
				       const struct file_root **ret)
{
	struct file_root root = {.id = id, .folder = -1, .mounts = -1, .refusal = refusal};
	if (!refusal && roots->num_open >= FILE_ROOTS_MAX_OPEN)
		root.refusal = "too many of them are open";
	if (!root.refusal)
		open_root(process, &root);
	return file_roots_add(roots, &root, ret);
}

static struct error *process_roots_find_or_add(struct file_roots *roots, struct file_root_id id,
					       const char *process, const char *refusal,
					       const struct file_root **ret)
{
	const struct file_root *known = file_roots_find(roots, id);
	if (!known)
		return process_roots_add(roots, id, process, refusal, ret);
	*ret = known;
	return NULL;
}

struct error *process_root_read(struct file_roots *roots, uint32_t pid,
				const struct file_root **ret, bool *ret_seen)
{
	char process[16];
	snprintf(process, sizeof(process), "%u", pid);
	struct file_root_id id = {0}, ours;
	*ret = NULL;
	*ret_seen = true;
	if (process_roots_read_id(process, &id)) {
		bool is_ours =
			process_roots_read_id("self", &ours) && file_root_id_is_same(id, ours);
		return is_ours ? NULL : process_roots_find_or_add(roots, id, process, NULL, ret);
	}
	if (errno != EACCES && errno != EPERM) {
		*ret_seen = false;
		return NULL;
	}
	// We may not look into it. One that hides its mounts, too, is taken for ours.
	_cleanup_free_ char *their_mount = read_root_mount(process);
	_cleanup_free_ char *our_mount = read_root_mount("self");
	if (!their_mount || !our_mount || strcmp(their_mount, our_mount) == 0)
		return NULL;
	return process_roots_find_or_add(roots, id, process, "you may not trace the program", ret);
}

struct error *process_root_recorded(struct file_roots *roots, struct file_root_id id, uint32_t pid,
				    const struct file_root **ret)
{
	*ret = NULL;
	if (file_root_id_is_same(id, (struct file_root_id){0}))
		return NULL;
	char process[16];
	struct file_root_id now;
	snprintf(process, sizeof(process), "%u", pid);
	bool is_here = pid && process_roots_read_id(process, &now) && file_root_id_is_same(id, now);
	const struct file_root *known = file_roots_find(roots, id);
	// One that could not be opened may be open to a process that runs now.
	if (known && (known->folder >= 0 || !is_here)) {
		*ret = known;
		return NULL;
	}
	return process_roots_add(roots, id, process, is_here ? NULL : "its processes have ended",
				 ret);
}
