// SPDX-License-Identifier: Apache-2.0

#include "base/file/foreign_fd.h"

#include "base/container/array.h"
#include "base/file/close_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

// Two steps: open(2) with O_PATH gives a descriptor of the place without opening it;
// foreign_fd_check() looks at what it is, and the file is then opened through /proc/self/fd, so
// that it is the same file that was checked. A check by name could be outrun by a rename.
// openat2(2) with RESOLVE_IN_ROOT keeps links below a root folder that is not ours. File systems of
// the kernel are refused by their magic numbers (statfs(2)), as reading some of their files has
// effects.

// O_NOCTTY: a terminal does not become ours. O_NONBLOCK: a pipe that was put in the file's place
// does not wait for its writer.
static const int open_flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;

static struct error *foreign_fd_open_error(const char *path, int errnum)
{
	if (errnum == ENOENT || errnum == ENOTDIR)
		return error_create(ERROR_ABSENT, "cannot open '%s': %s", path, strerror(errnum));
	return error_create_errno(errnum, "cannot open '%s'", path);
}

/** Their files are the kernel's: reading some waits, takes messages away or touches hardware. */
static bool is_of_kernel(int fd)
{
	static const uint32_t magics[] = {
		PROC_SUPER_MAGIC, SYSFS_MAGIC,        DEBUGFS_MAGIC,       TRACEFS_MAGIC,
		SECURITYFS_MAGIC, CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, BPF_FS_MAGIC,
		EFIVARFS_MAGIC,   PSTOREFS_MAGIC,     SELINUX_MAGIC,       BINFMTFS_MAGIC,
	};
	struct statfs status;
	if (fstatfs(fd, &status) < 0)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(magics); i++)
		if ((uint32_t)status.f_type == magics[i])
			return true;
	return false;
}

static struct error *foreign_fd_check(int fd, const char *path, enum foreign_fd_kind kind,
				      struct stat *ret_status)
{
	if (fstat(fd, ret_status) < 0)
		return foreign_fd_open_error(path, errno);
	if (!S_ISREG(ret_status->st_mode) || (kind != FOREIGN_FD_KERNEL && is_of_kernel(fd)))
		return error_create(ERROR_FAILED, "'%s' is not a regular file", path);
	return NULL;
}

/** With O_PATH nothing was opened: no device notices, no writer of a pipe is woken. */
static struct error *open_place(int place, const char *path, enum foreign_fd_kind kind, int *ret_fd,
				struct stat *ret_status)
{
	// Checked twice: the place before it is opened, as opening a device may do something, and
	// the open file, whose size and owner the caller gets.
	struct error *err = foreign_fd_check(place, path, kind, ret_status);
	if (err)
		return err;
	char link[sizeof("/proc/self/fd/") + 3 * sizeof(int)];
	snprintf(link, sizeof(link), "/proc/self/fd/%d", place);
	*ret_fd = open(link, open_flags);
	if (*ret_fd < 0 && errno == ENOENT)
		return error_create(ERROR_FAILED, "cannot open '%s': /proc is missing", path);
	return *ret_fd < 0 ? foreign_fd_open_error(path, errno)
			   : foreign_fd_check(*ret_fd, path, kind, ret_status);
}

struct error *foreign_fd_open(const char *path, enum foreign_fd_kind kind, int *ret_fd,
			      struct stat *ret_status)
{
	const int no_link = kind == FOREIGN_FD_DISK_NOLINK ? O_NOFOLLOW : 0;
	*ret_fd = -1;
	_cleanup_(close_fd) int place = open(path, O_PATH | O_CLOEXEC | no_link);
	return place < 0 ? foreign_fd_open_error(path, errno)
			 : open_place(place, path, kind, ret_fd, ret_status);
}

/** Links lead to what is below @root, too; where the kernel cannot do that, nothing is opened. */
static int open_place_below(int root, const char *path, enum foreign_fd_kind kind)
{
	const int no_link = kind == FOREIGN_FD_DISK_NOLINK ? O_NOFOLLOW : 0;
	const struct open_how how = {.flags = (uint64_t)(O_PATH | O_CLOEXEC | no_link),
				     .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
	// The C library has no function for it.
	return (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
}

static struct error *foreign_fd_root_error(const char *path, int errnum)
{
	if (errnum != ENOSYS)
		return foreign_fd_open_error(path, errnum);
	return error_create(
		ERROR_FAILED,
		"cannot open '%s' in the root folder of its program: this needs Linux 5.6", path);
}

struct error *foreign_fd_open_as(const struct file_rights *rights, const char *path,
				 enum foreign_fd_kind kind, int *ret_fd, struct stat *ret_status)
{
	*ret_fd = -1;
	_cleanup_(file_rights_end) struct file_rights_scope scope;
	struct error *err = file_rights_begin(rights, &scope);
	if (err)
		return err;
	const struct file_root *root = rights ? rights->root : NULL;
	if (!root) {
		err = foreign_fd_open(path, kind, ret_fd, ret_status);
	} else if (root->folder < 0) {
		err = error_create(ERROR_FAILED,
				   "cannot open '%s' in the root folder of its program: %s", path,
				   root->refusal);
	} else {
		_cleanup_(close_fd) int place = open_place_below(root->folder, path, kind);
		err = place < 0 ? foreign_fd_root_error(path, errno)
				: open_place(place, path, kind, ret_fd, ret_status);
	}
	if (!err || !rights || !scope.is_changed || err->code != ERROR_FAILED)
		return err;
	// Who reads it should know why a file that they may read cannot be opened.
	_cleanup_(error_destroyp) struct error *cause = err;
	return error_create(
		ERROR_FAILED, "%s (with the rights of %s)", cause->message,
		rights->is_known ? "the profiled program's user"
				 : "everybody, as the user of the profiled program is not known");
}

struct error *foreign_fd_open_below(const char *folder, const char *path, int *ret_fd,
				    struct stat *ret_status)
{
	*ret_fd = -1;
	_cleanup_(close_fd) int root = open(folder, O_PATH | O_CLOEXEC | O_DIRECTORY);
	_cleanup_(close_fd) int place =
		root < 0 ? -1 : open_place_below(root, path, FOREIGN_FD_DISK);
	return place < 0 ? error_create(ERROR_ABSENT, "cannot open '%s': %s", path, strerror(errno))
			 : open_place(place, path, FOREIGN_FD_DISK, ret_fd, ret_status);
}
