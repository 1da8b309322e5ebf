// SPDX-License-Identifier: Apache-2.0

#include "base/container/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Blocks grow from 4 KiB to 1 MiB. A piece that is larger than a quarter of the next block gets its
// own, which is put second in the list so that the rest of the first one is still used. Memory
// comes from calloc(), which gives zeros without writing them for large blocks.

struct arena_block {
	struct arena_block *next;
	size_t used;
	size_t capacity;
	alignas(max_align_t) unsigned char bytes[];
};

enum {
	ARENA_FIRST_CAPACITY = 4096,
	ARENA_TOP_CAPACITY = 1 << 20,
};

static const size_t arena_max_size = PTRDIFF_MAX / 2;

// A large piece gets a block of its own, behind the first one, so that what is left of the first
// one is not lost.
static struct arena_block *arena_add_block(struct arena *arena, size_t size)
{
	size_t capacity = ARENA_FIRST_CAPACITY;
	if (arena->blocks)
		capacity = arena->blocks->capacity < ARENA_TOP_CAPACITY / 2
				   ? 2 * arena->blocks->capacity
				   : ARENA_TOP_CAPACITY;
	bool alone = size > capacity / 4;
	if (alone)
		capacity = size;
	struct arena_block *block = calloc(1, sizeof(*block) + capacity);
	if (!block)
		return NULL;
	block->capacity = capacity;
	struct arena_block **place = alone && arena->blocks ? &arena->blocks->next : &arena->blocks;
	block->next = *place;
	*place = block;
	return block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	if (size > arena_max_size)
		return NULL;
	// An empty piece takes room, too: pointers to different pieces differ.
	size_t rounded = size ? (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1)
			      : alignof(max_align_t);
	struct arena_block *block = arena->blocks;
	if (!block || block->capacity - block->used < rounded) {
		block = arena_add_block(arena, rounded);
		if (!block)
			return NULL;
	}
	void *piece = block->bytes + block->used;
	block->used += rounded;
	return piece;
}

void *arena_alloc_array(struct arena *arena, size_t count, size_t size)
{
	size_t total;
	if (__builtin_mul_overflow(count, size, &total))
		return NULL;
	return arena_alloc(arena, total);
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
	// The text may end before: memory behind its NUL may not be read.
	length = strnlen(text, length);
	char *copy = arena_alloc(arena, length + 1);
	if (copy)
		memcpy(copy, text, length);
	return copy;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	char *text = length >= 0 ? arena_alloc(arena, (size_t)length + 1) : NULL;
	if (text)
		vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	return text;
}

void arena_deinit(struct arena *arena)
{
	struct arena_block *block = arena->blocks;
	while (block) {
		struct arena_block *next = block->next;
		free(block);
		block = next;
	}
	arena->blocks = NULL;
}
