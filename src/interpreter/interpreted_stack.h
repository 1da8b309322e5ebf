/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_INTERPRETED_STACK_H
#define WPERF_INTERPRETER_INTERPRETED_STACK_H

/**
 * The interpreted frames of a sample as its chain needs them: where native code called them, at
 * which places they are, and how to recognize the C functions that run them.
 */

#include "interpreter/eval_loops.h"
#include "record/interpreted_frame.h"

#include <stddef.h>
#include <stdint.h>

struct interpreted_stack {
	const struct interpreted_frame *frames; /* innermost first */
	size_t num_frames;                      /* 0: the sample has none, or none are wanted */
	size_t num_called; /* those of the thread's calls; a task and what waits for it follow */
	const uint64_t *places;    /* of each frame: its number in code_places.h, no context */
	const uint64_t *addresses; /* of each frame: that of its place in recordings */
	struct eval_loops *loops;
	uint32_t loops_module; /* which of them are the interpreter's */
	uint64_t bias;         /* address in the process - address in their file */
};

/** Is the next frame the task that all native code within was called by? */
static inline bool interpreted_stack_is_task(const struct interpreted_stack *stack, size_t next)
{
	return next == stack->num_called && next < stack->num_frames;
}

/** Is the address in a C function that runs the frames? */
static inline bool interpreted_stack_is_loop(const struct interpreted_stack *stack,
					     uint64_t address)
{
	return eval_loops_hold(stack->loops, stack->loops_module, address - stack->bias);
}

#endif
