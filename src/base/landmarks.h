/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_LANDMARKS_H
#define WPERF_BASE_LANDMARKS_H

/**
 * For the search in a sorted array that is in no cache: every eighth number once more, so close
 * together that they stay there. Only what is between two of them comes from memory, at once.
 * The array is its owner's, and must be the same in each call.
 */

#include "base/bisect.h"
#include "base/error.h"

struct landmarks {
	uint32_t *numbers;
};

#define LANDMARKS_INIT \
	{              \
	}

enum { LANDMARKS_STEP = 8 };

/**
 * @items: the number of the first one, which stands in something of @stride bytes.
 * What was there before is freed.
 */
struct error *landmarks_set(struct landmarks *landmarks, const uint32_t *items, size_t count,
			    size_t stride);
void landmarks_deinit(struct landmarks *landmarks);

/** How many items are @value or less. */
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
