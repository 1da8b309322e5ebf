// SPDX-License-Identifier: Apache-2.0

#include "base/text/landmarks.h"

#include <stdlib.h>

// How they are searched is in the header, as it is inlined where addresses are looked up.
struct error *landmarks_set(struct landmarks *landmarks, const uint32_t *items, size_t count,
			    size_t stride)
{
	uint32_t *numbers = calloc(count / LANDMARKS_STEP + 1, sizeof(*numbers));
	if (!numbers)
		return &error_no_memory;
	for (size_t i = 0; i < count; i += LANDMARKS_STEP)
		numbers[i / LANDMARKS_STEP] = *(const uint32_t *)((const char *)items + i * stride);
	free(landmarks->numbers);
	landmarks->numbers = numbers;
	return NULL;
}

void landmarks_deinit(struct landmarks *landmarks)
{
	free(landmarks->numbers);
	*landmarks = (struct landmarks)LANDMARKS_INIT;
}
