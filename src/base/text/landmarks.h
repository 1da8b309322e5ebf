/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_LANDMARKS_H
#define WPERF_BASE_TEXT_LANDMARKS_H

/**
 * Speeds up binary search in a sorted array that is too large for the caches: a copy of every
 * eighth key is small enough to stay there, so that only the items between two of these keys are
 * fetched from memory, all at once. The caller owns the array, and passes the same one to each
 * call.
 */

#include "base/container/bisect.h"
#include "base/error.h"

struct landmarks {
	uint32_t *numbers;
};

#define LANDMARKS_INIT \
	{              \
	}

enum { LANDMARKS_STEP = 8 };

/**
 * @items: the key of the first item; the keys are @stride bytes apart.
 * Frees the landmarks of an earlier array.
 */
struct error *landmarks_set(struct landmarks *landmarks, const uint32_t *items, size_t count,
			    size_t stride);
void landmarks_deinit(struct landmarks *landmarks);

/** The number of items that are less than or equal to @value. */
static inline size_t landmarks_bisect(const struct landmarks *landmarks, const uint32_t *items,
				      size_t count, size_t stride, uint32_t value)
{
	if (!count)
		return 0;
	size_t num_landmarks = (count - 1) / LANDMARKS_STEP + 1;
	size_t passed = bisect_u32(landmarks->numbers, num_landmarks, sizeof(uint32_t), value);
	if (!passed)
		return 0;
	size_t first = (passed - 1) * LANDMARKS_STEP;
	size_t left = count - first < LANDMARKS_STEP ? count - first : LANDMARKS_STEP;
	const char *items_left = (const char *)items + first * stride;
	__builtin_prefetch(items_left);
	__builtin_prefetch(items_left + left * stride - 1);
	return first + bisect_u32((const uint32_t *)items_left, left, stride, value);
}

#endif
