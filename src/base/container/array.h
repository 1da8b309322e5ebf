/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_CONTAINER_ARRAY_H
#define WPERF_BASE_CONTAINER_ARRAY_H

/**
 * Growing arrays: the owner keeps `T *items; size_t num_items, cap_items;` and calls
 *
 *	err = array_reserve(&list->items, &list->cap_items, list->num_items + 1);
 *	list->items[list->num_items++] = item;
 */

#include "base/error.h"

#include <stddef.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/** Make room for at least @count items; capacity doubles, so appending is cheap. */
#define array_reserve(items, capacity, count) \
	array_reserve_bytes((void **)(items), (capacity), (count), sizeof(**(items)))

struct error *array_reserve_bytes(void **items, size_t *capacity, size_t count, size_t item_size);

#endif
