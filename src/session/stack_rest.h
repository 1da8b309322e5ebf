/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_STACK_REST_H
#define WPERF_SESSION_STACK_REST_H

/**
 * The part of a stack above the piece that came with its sample, read from the memory of the
 * process while it goes on running. It is used only if the outer half of the piece has the same
 * bytes there now: functions that have not run since have the callers that they had.
 *
 * Equal bytes do not prove that: a function that has returned and was called again, from elsewhere
 * but as deep, leaves the same ones. Of native programs that do so, up to 1.4 % of the stacks had
 * callers that were not theirs. So the caller checks the result by what the sample itself brought:
 * the calls of Python.
 */

#include "unwind/native_unwind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct process_memory;

struct stack_rest {
	const struct process_memory *memory; /* NULL: there is nothing to read from */
	struct stack_copy copy;
	uint8_t *bytes; /* what was read last, from @address on */
	uint64_t address;
	size_t size;
	size_t wanted; /* of the rest, in one go */
	size_t used;   /* by this stack */
	bool is_read, has_changed;
};

#define STACK_REST_INIT \
	{               \
	}

/** The stack of the next sample. @memory, @copy: used until the next call. */
void stack_rest_begin(struct stack_rest *rest, const struct process_memory *memory,
		      const struct stack_copy *copy);

/**
 * The eight bytes at @address, above the copy. False: not there, too far up, or the stack has
 * changed.
 * @frame: the stack pointer in the frame that asks.
 */
bool stack_rest_read(struct stack_rest *rest, uint64_t frame, uint64_t address, uint64_t *ret);

void stack_rest_deinit(struct stack_rest *rest);

#endif
