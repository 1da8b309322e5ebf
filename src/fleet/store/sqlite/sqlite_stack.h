/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_SQLITE_SQLITE_STACK_H
#define WPERF_FLEET_STORE_SQLITE_SQLITE_STACK_H

/**
 * A stack as a blob, all packed numbers: what is known of its samples besides frames, then the
 * number of each frame, outermost first, less that of the one before. Frames that call each other
 * often have neighbouring numbers.
 */

#include "base/reader.h"
#include "fleet/store/sqlite/packed_number.h"
#include "fleet/store/store_profile.h"

#include <stdbool.h>
#include <stdint.h>

struct sqlite_stack {
	struct reader reader; /* @failed: damaged */
	struct store_traits traits;
	int64_t frame;
};

static inline void sqlite_stack_begin(struct string_builder *bytes, struct store_traits traits)
{
	packed_number_append(bytes, (uint64_t)traits.gil << 1 | traits.is_idle_task);
}

/** @before: the frame that calls it, or 0. */
static inline void sqlite_stack_append(struct string_builder *bytes, int64_t before, int64_t frame)
{
	packed_number_append_signed(bytes, frame - before);
}

static inline void sqlite_stack_open(struct sqlite_stack *stack, const void *data, size_t size)
{
	*stack = (struct sqlite_stack){.reader = reader_create(data, size)};
	uint64_t traits = reader_uleb128(&stack->reader);
	if (traits >> 1 >= GIL_NUM_STATES)
		stack->reader.failed = true;
	else
		stack->traits = (struct store_traits){(enum gil_state)(traits >> 1), traits & 1};
}

/** False behind the last frame, and where the bytes are damaged. */
static inline bool sqlite_stack_next(struct sqlite_stack *stack, int64_t *ret_frame)
{
	if (!reader_left(&stack->reader))
		return false;
	int64_t step = packed_number_read_signed(&stack->reader);
	if (__builtin_add_overflow(stack->frame, step, &stack->frame) || stack->frame <= 0)
		stack->reader.failed = true;
	*ret_frame = stack->frame;
	return !stack->reader.failed;
}

#endif
