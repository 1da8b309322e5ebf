/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_MEMORY_PROCESS_MEMORY_H
#define WPERF_PROCESS_MEMORY_PROCESS_MEMORY_H

/**
 * Reads the memory of a process while it runs. The bytes are untrusted, and may change between two
 * reads. Never writes.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A range to read, and the buffer for it. */
struct process_memory_part {
	uint64_t address;
	void *bytes;
	size_t size;
};

struct process_memory {
	/** Read up to @size bytes; returns how many are readable from @address on. */
	size_t (*read)(void *context, uint64_t address, void *bytes, size_t size);
	/**
	 * Read all parts in their order, with little time in between: with a single system call
	 * for up to PROCESS_MEMORY_MAX_PARTS. False: not all are readable.
	 */
	bool (*read_parts)(void *context, const struct process_memory_part *parts, size_t num);
	void *context;
};

enum { PROCESS_MEMORY_MAX_PARTS = 512 };

/** The memory of a process that this user may read: see process_memory_check(). */
struct process_memory process_memory_of(uint32_t pid);

/** NULL if the memory of the process can be read now; else the reason, with a hint. */
struct error *process_memory_check(uint32_t pid);

/** Read all bytes; false: not all are readable. */
static inline bool process_memory_read(const struct process_memory *memory, uint64_t address,
				       void *bytes, size_t size)
{
	return memory->read(memory->context, address, bytes, size) == size;
}

static inline bool process_memory_read_parts(const struct process_memory *memory,
					     const struct process_memory_part *parts, size_t num)
{
	return memory->read_parts(memory->context, parts, num);
}

/** A pointer; false also if it is NULL. */
static inline bool process_memory_read_pointer(const struct process_memory *memory,
					       uint64_t address, uint64_t *ret)
{
	uint64_t pointer;
	if (!process_memory_read(memory, address, &pointer, sizeof(pointer)) || !pointer)
		return false;
	*ret = pointer;
	return true;
}

#endif
