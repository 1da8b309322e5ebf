// SPDX-License-Identifier: Apache-2.0

#include "base/container/array.h"

#include <stdint.h>
#include <string.h>

enum { ARRAY_FIRST_CAPACITY = 8 };

struct error *array_reserve_bytes(void **items, size_t *capacity, size_t count, size_t item_size)
{
	if (count <= *capacity)
		return NULL;
	// Sizes of objects are limited to PTRDIFF_MAX: the difference of two pointers must fit.
	size_t most = PTRDIFF_MAX / item_size;
	if (count > most)
		return &error_no_memory;
	size_t wanted = *capacity < most / 2 ? 2 * *capacity : most;
	if (wanted < ARRAY_FIRST_CAPACITY)
		wanted = ARRAY_FIRST_CAPACITY;
	// Doubling makes the cost of all copies proportional to the number of items.
	if (wanted < count)
		wanted = count;

	// The caller's variable is a T *, not a void *: only memcpy may look at it as bytes.
	void *old;
	memcpy(&old, items, sizeof(old));
	void *grown = realloc(old, wanted * item_size);
	if (!grown)
		return &error_no_memory;
	memcpy(items, &grown, sizeof(grown));
	*capacity = wanted;
	return NULL;
}
