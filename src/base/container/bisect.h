/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_CONTAINER_BISECT_H
#define WPERF_BASE_CONTAINER_BISECT_H

/** Binary search without a branch on the comparison, which the CPU could not predict. */

#include <stddef.h>
#include <stdint.h>

/**
 * The number of items that are less than or equal to @value.
 * @items: the key of the first item; the keys are @stride bytes apart.
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

/** The same for a member of an array of structs; the array may be NULL if it is empty. */
#define BISECT_U64(ITEMS, COUNT, MEMBER, VALUE) \
	((COUNT) ? bisect_u64(&(ITEMS)->MEMBER, COUNT, sizeof(*(ITEMS)), VALUE) : 0)

#endif
