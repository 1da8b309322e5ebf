/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_STACK_PYTHON_RAISE_STACK_H
#define WPERF_INTERPRETER_PYTHON_STACK_PYTHON_RAISE_STACK_H

/**
 * The frames of a sample at which an exception was raised, with the exception in front of them: a
 * frame INTERPRETED_FRAME_IS_RAISE that is where the innermost one is, and has in `stack` the
 * number of the name of the exception's type.
 */

#include "base/container/string_table.h"
#include "base/error.h"
#include "record/interpreted_frame.h"
#include "record/record.h"

struct python_raise_stack {
	struct interpreted_frame frames[FRAME_WALK_MAX_FRAMES];
};

/**
 * @names: of types, to which that of this one is added; NULL: the user may not read the process's
 *         memory, from which the kernel has it.
 * @sample: if the walk in the kernel has found an exception, it gets other frames, valid until the
 *          next call.
 */
struct error *python_raise_stack_decode(struct python_raise_stack *stack,
					struct string_table *names, struct record_sample *sample);

/** NULL: it may not be known, or too many types had names before. */
const char *python_raise_stack_name(const struct string_table *names,
				    const struct interpreted_frame *frame);

#endif
