// SPDX-License-Identifier: Apache-2.0
// Functions of glibc that are younger than 2.17, for the libwperf that runs with 2.17 and later.
// Before 2.33, stat() and the like were not in the shared C library: programs were linked with
// wrappers for them. To add one: the linker names it as undefined when libwperf_any is built.

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert(sizeof(void *) == 8 && sizeof(struct stat) <= 144,
	       "struct stat is the kernel's on 64-bit systems");

int fstatat(int folder, const char *restrict path, struct stat *restrict ret, int flags)
{
	return (int)syscall(SYS_newfstatat, folder, path, ret, flags);
}

int stat(const char *restrict path, struct stat *restrict ret)
{
	return fstatat(AT_FDCWD, path, ret, 0);
}

int lstat(const char *restrict path, struct stat *restrict ret)
{
	return fstatat(AT_FDCWD, path, ret, AT_SYMLINK_NOFOLLOW);
}

int fstat(int file, struct stat *ret)
{
	return (int)syscall(SYS_fstat, file, ret);
}

void *reallocarray(void *memory, size_t num, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(num, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(memory, bytes);
}

int memfd_create(const char *name, unsigned flags)
{
	return (int)syscall(SYS_memfd_create, name, flags);
}

pid_t gettid(void)
{
	return (pid_t)syscall(SYS_gettid);
}

ssize_t getrandom(void *ret, size_t size, unsigned flags)
{
	return syscall(SYS_getrandom, ret, size, flags);
}
