/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROCESS_MEMORY_H
#define WPERF_PROCESS_PROCESS_MEMORY_H

/**
 * The memory of a process that goes on running: what is read is whatever was there at that
 * moment, and may be anything. Nothing is ever written.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes that are wanted, and where they go to. */
struct process_memory_part {
	uint64_t address;
	void *bytes;
	size_t size;
};

struct process_memory {
	/** As many bytes from @address on as there are, at most @size; 0 for none. */
	size_t (*read)(void *context, uint64_t address, void *bytes, size_t size);
	/**
	 * All parts or false, in their order and with as little time between them as can be: at
	 * once, if there are few (at most PROCESS_MEMORY_MAX_PARTS).
	 */
	bool (*read_parts)(void *context, const struct process_memory_part *parts, size_t num);
	void *context;
};

enum { PROCESS_MEMORY_MAX_PARTS = 512 };

/** Of a process that we may look into (see process_memory_check()). */
struct process_memory process_memory_of(uint32_t pid);

/** NULL if the memory of the process can be read now, else why not and what would help. */
struct error *process_memory_check(uint32_t pid);

/** All of it or nothing. */
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
