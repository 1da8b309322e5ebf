// SPDX-License-Identifier: Apache-2.0

#include "process/memory/process_memory.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

// process_vm_readv(2) copies without stopping the process. It transfers whole iovec elements or
// none, so that a read that runs into unmapped memory is repeated page by page. read_parts() uses
// one call for up to PROCESS_MEMORY_MAX_PARTS ranges; the kernel copies them in order, which
// python_snapshot.c relies on. process_memory_check() reads address 0, where nothing is mapped:
// EFAULT means that permission was granted.

enum { PAGE = 4096 };

static pid_t pid_of(void *context)
{
	return (pid_t)(uintptr_t)context;
}

static struct iovec remote_piece(uint64_t address, size_t size)
{
	return (struct iovec){
		.iov_base = (void *)(uintptr_t)address, // NOLINT: not an address of ours
		.iov_len = size,
	};
}

static ssize_t read_once(pid_t pid, uint64_t address, void *bytes, size_t size)
{
	struct iovec local = {.iov_base = bytes, .iov_len = size};
	struct iovec remote = remote_piece(address, size);
	return process_vm_readv(pid, &local, 1, &remote, 1, 0);
}

// The call reads whole pieces or fails; what is left of one that runs into a hole is had page by
// page.
static size_t read_memory(void *context, uint64_t address, void *bytes, size_t size)
{
	// Up to the end of the address space.
	if (size > UINT64_MAX - address)
		size = (size_t)(UINT64_MAX - address);
	ssize_t whole = read_once(pid_of(context), address, bytes, size);
	size_t done = whole > 0 ? (size_t)whole : 0;
	if (done == size || (whole < 0 && errno != EFAULT))
		return done;
	while (done < size) {
		size_t to_end = PAGE - (size_t)((address + done) % PAGE);
		size_t wanted = size - done < to_end ? size - done : to_end;
		ssize_t got =
			read_once(pid_of(context), address + done, (char *)bytes + done, wanted);
		if (got > 0)
			done += (size_t)got;
		if (got != (ssize_t)wanted)
			break;
	}
	return done;
}

static bool read_parts(void *context, const struct process_memory_part *parts, size_t num)
{
	struct iovec local[PROCESS_MEMORY_MAX_PARTS], remote[PROCESS_MEMORY_MAX_PARTS];
	while (num > 0) {
		size_t count = num < PROCESS_MEMORY_MAX_PARTS ? num : PROCESS_MEMORY_MAX_PARTS;
		size_t size = 0;
		for (size_t i = 0; i < count; i++) {
			local[i] = (struct iovec){parts[i].bytes, parts[i].size};
			remote[i] = remote_piece(parts[i].address, parts[i].size);
			size += parts[i].size;
		}
		if (process_vm_readv(pid_of(context), local, count, remote, count, 0) !=
		    (ssize_t)size)
			return false;
		parts += count;
		num -= count;
	}
	return true;
}

struct process_memory process_memory_of(uint32_t pid)
{
	return (struct process_memory){
		.read = read_memory,
		.read_parts = read_parts,
		.context = (void *)(uintptr_t)pid, // NOLINT: a number
	};
}

struct error *process_memory_check(uint32_t pid)
{
	char byte;
	// Nothing is ever mapped there: who may look is told so.
	if (read_once((pid_t)pid, 0, &byte, 1) >= 0 || errno == EFAULT)
		return NULL;
	int errnum = errno;
	struct error *err = error_create_errno(errnum, "cannot read the memory of process %u", pid);
	if (errnum == ESRCH)
		return error_with_hint(err, "give the ID of a running process");
	if (errnum != EPERM)
		return err;
	return error_with_hint(err, "run wperf as root; for your own processes, sysctl "
				    "kernel.yama.ptrace_scope=0 is enough");
}
