/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_ARENA_H
#define WPERF_BASE_ARENA_H

/**
 * Memory that is given out in small pieces and freed all at once: for tables that live as long
 * as their owner. Pieces never move and are aligned for any type.
 */

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first */
};

#define ARENA_INIT \
	{          \
	}

/** Zeroed memory, or NULL when there is none (also when @size is absurd). A @size of 0 is fine. */
void *arena_alloc(struct arena *arena, size_t size);

/** Zeroed array; NULL when there is no memory or the product overflows. */
void *arena_alloc_array(struct arena *arena, size_t count, size_t size);

/** A copy of the string, or NULL. */
char *arena_strdup(struct arena *arena, const char *text);

/** A copy of the first @length characters, or of all if the string ends before; or NULL. */
char *arena_strndup(struct arena *arena, const char *text, size_t length);

/** As printf(), or NULL. */
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void arena_deinit(struct arena *arena);

#endif
