/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_BISECT_H
#define WPERF_BASE_BISECT_H

/**
 * The search in a sorted array, by halving without a branch on what was found, which nobody could
 * predict.
 */

#include <stddef.h>
#include <stdint.h>

/**
 * How many items are @value or less.
 * @items: the number of the first one, which stands in something of @stride bytes.
 */
#define BISECT_DEFINE(NAME, NUMBER)                                                               \
	static inline size_t NAME(const NUMBER *items, size_t count, size_t stride, NUMBER value) \
	{                                                                                         \
		const char *first = (const char *)items;                                          \
		if (!count)                                                                       \
			return 0;                                                                 \
		for (size_t left = count; left > 1;) {                                            \
			size_t half = left / 2;                                                   \
			const char *middle = first + half * stride;                               \
			first = *(const NUMBER *)middle <= value ? middle : first;                \
			left -= half;                                                             \
		}                                                                                 \
		size_t index = (size_t)(first - (const char *)items) / stride;                    \
		return index + (*(const NUMBER *)first <= value);                                 \
	}

BISECT_DEFINE(bisect_u32, uint32_t)
BISECT_DEFINE(bisect_u64, uint64_t)

/** Of an array, which may be NULL if it is empty, by a member of its items. */
#define BISECT_U64(ITEMS, COUNT, MEMBER, VALUE) \
	((COUNT) ? bisect_u64(&(ITEMS)->MEMBER, COUNT, sizeof(*(ITEMS)), VALUE) : 0)

#endif
