/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_REAL_ALLOCATOR_H
#define WPERF_SOURCE_MEMORY_REAL_ALLOCATOR_H

/**
 * The allocator that the program would have without us: that of libc, or one that it is linked
 * with. Each member can be called from the program's first instruction on.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct real_allocator {
	void *(*malloc)(size_t size);
	void *(*calloc)(size_t num, size_t size);
	void *(*realloc)(void *block, size_t size);
	void (*free)(void *block);
	void *(*memalign)(size_t alignment, size_t size);
	void *(*aligned_alloc)(size_t alignment, size_t size);
	int (*posix_memalign)(void **ret, size_t alignment, size_t size);
	int (*munmap)(void *address, size_t size);
	void *(*mmap)(void *address, size_t size, int protection, int flags, int fd, off_t offset);
};

extern struct real_allocator real_allocator __attribute__((visibility("hidden")));

/** Find all of them. */
void real_allocator_find(void);

/** Is it code of the library that has the real malloc()? What that maps is for the blocks that it
 * gives out, which are counted themselves. */
bool real_allocator_has_code(const void *address);

/** Of the memory that was given out while the allocator was searched: it is never freed. */
bool real_allocator_is_early(const void *block);

#endif
