/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_STACK_STACK_REST_H
#define WPERF_STACK_STACK_REST_H

/**
 * The part of a stack above the copy in its sample, read from the process while it runs on. It is
 * used only if the process still has the same bytes in the outer half of the copy: functions that
 * have not returned have the same callers as before.
 *
 * Equal bytes do not prove that: a function that returned, and was called again at the same depth
 * by another caller, leaves the same bytes. In native programs that do so, up to 1.4 % of the
 * stacks had wrong callers. Therefore users of this check the result against the sample's
 * interpreted calls.
 */

#include "stack/native_unwind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct process_memory;

struct stack_rest {
	const struct process_memory *memory; /* NULL: it cannot be read */
	struct stack_copy copy;
	uint8_t *bytes; /* of the last read, from @address on */
	uint64_t address;
	size_t size;
	size_t wanted; /* size of the next read */
	size_t used;   /* bytes that this stack needed */
	bool is_read, has_changed;
};

#define STACK_REST_INIT \
	{               \
	}

/** Begin the stack of a sample. @memory, @copy: must be valid until the next call. */
void stack_rest_begin(struct stack_rest *rest, const struct process_memory *memory,
		      const struct stack_copy *copy);

/**
 * The eight bytes at @address, above the copy. False: not readable, too far up, or the stack has
 * changed.
 * @frame: the stack pointer of the frame that is unwound.
 */
bool stack_rest_read(struct stack_rest *rest, uint64_t frame, uint64_t address, uint64_t *ret);

void stack_rest_deinit(struct stack_rest *rest);

#endif
