/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROCESS_MEMORY_H
#define WPERF_PROCESS_PROCESS_MEMORY_H

/**
 * The memory of a process that goes on running: what is read is whatever was there at that
 * moment, and may be anything. Nothing is ever written.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct process_memory {
	/** As many bytes from @address on as there are, at most @size; 0 for none. */
	size_t (*read)(void *context, uint64_t address, void *bytes, size_t size);
	void *context;
};

/** Of a process that we may look into (the caller finds out by reading). */
struct process_memory process_memory_of(uint32_t pid);

/** All of it or nothing. */
static inline bool process_memory_read(const struct process_memory *memory, uint64_t address,
				       void *bytes, size_t size)
{
	return memory->read(memory->context, address, bytes, size) == size;
}

#endif
