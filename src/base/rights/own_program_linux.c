// SPDX-License-Identifier: Apache-2.0
// All steps go by one descriptor of /proc/self/exe, so that they change the file that runs,
// whatever its path names by then. If the program was started by its dynamic linker
// (ld.so ./wperf), that file is the linker: the ELF header in memory must be the one in the file.
//
// The order of the steps: no moment at which others could run the file with capabilities. Lending
// changes group and mode first, restoring takes the capabilities first. chown() removes them as
// well, and so does each write to the file.
//
// The capabilities are an extended attribute in the kernel's format (struct vfs_cap_data of
// linux/capability.h, revision 2). What was before is another one: "trusted" attributes can be read
// and written by root alone (xattr(7)). Containers' root has no right to them, and lends without.

#include "base/rights/own_program.h"

#include "base/container/array.h"

#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char self[] = "/proc/self/exe";
static const char capabilities[] = "security.capability";
static const char before[] = "trusted.wperf.before";

enum {
	PERMISSIONS = 07777,
	LENDING_MODE = 0750,
	INSTALLED_MODE = 0755,
	BITS_PER_WORD = 32,
	MAX_CAPABILITY_BYTES = 64, /* more than any revision has */
	BEFORE_VERSION = 1,
};

/** The value of the attribute "before": of this machine only. */
struct own_program_before {
	uint32_t version;
	uint32_t group, mode;
	uint32_t num_bytes; /* of the capabilities */
	uint8_t bytes[MAX_CAPABILITY_BYTES];
};

/** Where the linker puts it: the ELF header of the program, not of its dynamic linker. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));

static bool own_program_is_ours(int fd)
{
	char header[sizeof(Elf64_Ehdr)];
	return pread(fd, header, sizeof(header), 0) == (ssize_t)sizeof(header) &&
	       memcmp(header, __ehdr_start, sizeof(header)) == 0;
}

struct error *own_program_path(char **ret)
{
	char path[PATH_MAX];
	ssize_t length = readlink(self, path, sizeof(path));
	if (length < 0 || length == (ssize_t)sizeof(path))
		return error_create_errno(length < 0 ? errno : ENAMETOOLONG,
					  "cannot read the path of wperf");
	*ret = strndup(path, (size_t)length);
	return *ret ? NULL : &error_no_memory;
}

static struct error *own_program_look(struct own_program *program)
{
	struct error *err = own_program_path(&program->path);
	if (err)
		return err;
	program->fd = open(self, O_RDONLY | O_CLOEXEC);
	struct stat status;
	if (program->fd < 0 || fstat(program->fd, &status))
		return error_create_errno(errno, "cannot open '%s'", program->path);
	if (!own_program_is_ours(program->fd))
		return error_with_hint(error_create(ERROR_FAILED, "'%s' is not wperf",
						    program->path),
				       "start wperf itself, not by a loader or an emulator");
	program->group = status.st_gid;
	program->mode = status.st_mode & PERMISSIONS;
	program->lends = fgetxattr(program->fd, capabilities, NULL, 0) > 0;
	program->is_remembered = fgetxattr(program->fd, before, NULL, 0) > 0;
	return NULL;
}

struct error *own_program_open(struct own_program *ret)
{
	*ret = (struct own_program)OWN_PROGRAM_INIT;
	struct error *err = own_program_look(ret);
	if (err)
		own_program_close(ret);
	return err;
}

void own_program_close(struct own_program *program)
{
	if (program->fd >= 0)
		close(program->fd);
	free(program->path);
	*program = (struct own_program)OWN_PROGRAM_INIT;
}

struct error *own_program_check(const struct own_program *program)
{
	struct stat status;
	struct statvfs system;
	if (fstat(program->fd, &status) || fstatvfs(program->fd, &system))
		return error_create_errno(errno, "cannot look at '%s'", program->path);
	if (status.st_nlink == 0)
		return error_with_hint(error_create(ERROR_FAILED, "'%s' was replaced while it ran",
						    program->path),
				       "run the command again");
	// The owner of a file may open it to everybody, capabilities and all.
	if (status.st_uid != 0 || status.st_mode & (S_IWGRP | S_IWOTH))
		return error_with_hint(
			error_create(ERROR_FAILED, "'%s' can be changed by others than root",
				     program->path),
			"install it as root, for example: sudo install '%s' /usr/local/bin/wperf",
			program->path);
	if (system.f_flag & ST_NOSUID)
		return error_with_hint(
			error_create(ERROR_FAILED,
				     "the file system of '%s' is mounted nosuid: capabilities "
				     "have no effect there",
				     program->path),
			"install wperf elsewhere, for example in /usr/local/bin");
	return NULL;
}

/** Of the first time: what is set up again was not so before. */
static bool own_program_remember(const struct own_program *program)
{
	struct own_program_before was = {
		.version = BEFORE_VERSION, .group = program->group, .mode = program->mode};
	ssize_t num_bytes = fgetxattr(program->fd, capabilities, was.bytes, sizeof(was.bytes));
	was.num_bytes = num_bytes > 0 ? (uint32_t)num_bytes : 0;
	return program->is_remembered || !fsetxattr(program->fd, before, &was, sizeof(was), 0);
}

static void add_capability(struct vfs_cap_data *data, unsigned number)
{
	uint32_t *word = &data->data[number / BITS_PER_WORD].permitted;
	*word = htole32(le32toh(*word) | 1U << number % BITS_PER_WORD);
}

static int own_program_set_capabilities(const struct own_program *program)
{
	struct vfs_cap_data data = {.magic_etc =
					    htole32(VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE)};
	add_capability(&data, CAP_BPF);
	add_capability(&data, CAP_PERFMON);
	return fsetxattr(program->fd, capabilities, &data, sizeof(data), 0);
}

static struct error *own_program_refuse(const struct own_program *program)
{
	int errnum = errno;
	struct error *err =
		error_create_errno(errnum, "cannot give capabilities to '%s'", program->path);
	if (errnum == EPERM)
		return error_with_hint(err, "this needs root with CAP_SETFCAP, which containers "
					    "may lack");
	if (errnum == EOPNOTSUPP)
		return error_with_hint(err, "its file system keeps none: install wperf elsewhere");
	return err;
}

struct error *own_program_lend(struct own_program *program, uint32_t group, bool *ret_is_remembered)
{
	program->is_remembered = own_program_remember(program);
	if (fchown(program->fd, (uid_t)-1, group) || fchmod(program->fd, LENDING_MODE))
		return error_create_errno(errno, "cannot change group and mode of '%s'",
					  program->path);
	if (own_program_set_capabilities(program)) {
		struct error *err = own_program_refuse(program);
		error_destroy(own_program_restore(program));
		return err;
	}
	*ret_is_remembered = program->is_remembered;
	return NULL;
}

static struct own_program_before own_program_recall(const struct own_program *program)
{
	struct own_program_before was;
	if (fgetxattr(program->fd, before, &was, sizeof(was)) == (ssize_t)sizeof(was) &&
	    was.version == BEFORE_VERSION && was.num_bytes <= sizeof(was.bytes))
		return was;
	return (struct own_program_before){.mode = INSTALLED_MODE};
}

/** 0 also if there was none. */
static int remove_attribute(int fd, const char *name)
{
	return fremovexattr(fd, name) && errno != ENODATA && errno != EOPNOTSUPP;
}

struct error *own_program_restore(struct own_program *program)
{
	struct own_program_before was = own_program_recall(program);
	if (remove_attribute(program->fd, capabilities) ||
	    fchown(program->fd, (uid_t)-1, was.group) || fchmod(program->fd, was.mode) ||
	    (was.num_bytes && fsetxattr(program->fd, capabilities, was.bytes, was.num_bytes, 0)) ||
	    (program->is_remembered && remove_attribute(program->fd, before)))
		return error_create_errno(errno, "cannot take '%s' back to what it was",
					  program->path);
	return NULL;
}
