/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_CONTAINER_ARENA_H
#define WPERF_BASE_CONTAINER_ARENA_H

/**
 * Small allocations that are freed all at once, with their owner. They never move, and are aligned
 * for any type.
 */

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first */
};

#define ARENA_INIT \
	{          \
	}

/** Zeroed memory, or NULL without memory or if @size is too large. @size may be 0. */
void *arena_alloc(struct arena *arena, size_t size);

/** A zeroed array; NULL without memory or if the product overflows. */
void *arena_alloc_array(struct arena *arena, size_t count, size_t size);

/** A copy of the string, or NULL. */
char *arena_strdup(struct arena *arena, const char *text);

/** A copy of at most the first @length characters, or NULL. */
char *arena_strndup(struct arena *arena, const char *text, size_t length);

/** As printf(), or NULL. */
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void arena_deinit(struct arena *arena);

#endif
