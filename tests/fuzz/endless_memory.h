/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_ENDLESS_MEMORY_H
#define WPERF_TESTS_ENDLESS_MEMORY_H

/** The memory of a process, made of the bytes of an input, which are at every address, again and
 * again. */

#include "process/memory/process_memory.h"

struct endless_memory {
	const uint8_t *bytes;
	size_t size;
	size_t budget; /* so many more bytes can be read */
};

static size_t endless_memory_read(void *context, uint64_t address, void *bytes, size_t size)
{
	struct endless_memory *memory = context;
	for (size_t i = 0; i < size; i++) {
		if (!memory->budget)
			return i;
		memory->budget--;
		((uint8_t *)bytes)[i] = memory->bytes[(address + i) % memory->size];
	}
	return size;
}

static bool endless_memory_read_parts(void *context, const struct process_memory_part *parts,
				      size_t num)
{
	for (size_t i = 0; i < num; i++)
		if (endless_memory_read(context, parts[i].address, parts[i].bytes, parts[i].size) !=
		    parts[i].size)
			return false;
	return true;
}

static inline struct process_memory endless_memory_of(struct endless_memory *memory)
{
	return (struct process_memory){
		.read = endless_memory_read,
		.read_parts = endless_memory_read_parts,
		.context = memory,
	};
}

#endif
