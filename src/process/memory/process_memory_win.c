// SPDX-License-Identifier: Apache-2.0

#include "process/memory/process_memory.h"

#include "base/os/close_handle.h"
#include "process/process_handle.h"

// ReadProcessMemory() copies all or, if the range runs into a hole, perhaps nothing: the rest is
// read page by page. There is no call for several ranges, so that the parts of read_parts() are not
// of the same moment; on Windows, threads are therefore suspended for exact stacks.

enum { PAGE = 4096 };

static uint32_t pid_of(void *context)
{
	return (uint32_t)(uintptr_t)context;
}

/** As many bytes as were read; of what runs into a hole perhaps none. */
static size_t read_once(HANDLE process, uint64_t address, void *bytes, size_t size)
{
	SIZE_T count = 0;
	const void *from = (const void *)(uintptr_t)address; // NOLINT: not an address of ours
	ReadProcessMemory(process, from, bytes, size, &count);
	return count <= size ? count : 0;
}

// A handle for each call: a memory is a number that may be copied and forgotten.
static size_t read_memory(void *context, uint64_t address, void *bytes, size_t size)
{
	if (size > UINT64_MAX - address)
		size = (size_t)(UINT64_MAX - address);
	_cleanup_(close_handle) HANDLE process =
		process_handle_try(pid_of(context), PROCESS_VM_READ);
	if (!process)
		return 0;
	size_t done = read_once(process, address, bytes, size);
	while (done < size) {
		size_t to_end = PAGE - (size_t)((address + done) % PAGE);
		size_t wanted = size - done < to_end ? size - done : to_end;
		size_t count = read_once(process, address + done, (char *)bytes + done, wanted);
		done += count;
		if (count != wanted)
			break;
	}
	return done;
}

// The system reads one piece at a time: between the first and the last there are microseconds.
static bool read_parts(void *context, const struct process_memory_part *parts, size_t num)
{
	_cleanup_(close_handle) HANDLE process =
		process_handle_try(pid_of(context), PROCESS_VM_READ);
	bool is_read = process != NULL;
	for (size_t i = 0; is_read && i < num; i++)
		is_read = read_once(process, parts[i].address, parts[i].bytes, parts[i].size) ==
			  parts[i].size;
	return is_read;
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
	_cleanup_(close_handle) HANDLE process = NULL;
	return process_handle_open(pid, PROCESS_VM_READ | PROCESS_QUERY_LIMITED_INFORMATION,
				   "read the memory of", &process);
}
