/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_TASK_PYTHON_TASK_STACK_H
#define WPERF_INTERPRETER_PYTHON_TASK_PYTHON_TASK_STACK_H

/**
 * The frames of a sample as those of the asyncio task that ran. The task stands behind its frames
 * with INTERPRETED_FRAME_IS_TASK: `code` is the code of its coroutine, and `instruction` the number
 * of the name that the program gave it, or 0.
 */

#include "base/container/string_table.h"
#include "base/error.h"
#include "interpreter/python/layout/python_runtime.h"
#include "record/interpreted_frame.h"
#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Private, but for where it stands. */
struct python_task_stack {
	const struct python_runtime *runtime;
	struct string_table *names; /* of tasks; the number in a frame is one more */
	uint64_t string_type;       /* that of str objects; 0: not seen yet */
	uint64_t other_type;        /* one that is not */
	bool has_more_names;        /* than it keeps */
	struct interpreted_frame frames[FRAME_WALK_MAX_FRAMES];
};

/** @runtime, @names: must outlive it; the latter may be those of other processes, too. */
struct error *python_task_stack_create(const struct python_runtime *runtime,
				       struct string_table *names, struct python_task_stack **ret);
void python_task_stack_destroy(struct python_task_stack *stack); /* NULL is fine */

/** Has the walk in the kernel found the task? */
bool python_task_stack_is_found(const struct record_sample *sample);

/**
 * Then take what it found: see PYTHON_WALK_NAME_FRAMES.
 * @with_names: false: the user may not read the process's memory, from which the kernel has them.
 * @sample: gets other frames, valid until the next call.
 */
struct error *python_task_stack_decode(struct python_task_stack *stack, bool with_names,
				       struct record_sample *sample);

/** Else the task is known by its frames alone. @num: the task's frames, from the innermost; not
 *  0. */
void python_task_stack_cut(struct python_task_stack *stack, size_t num,
			   struct record_sample *sample);

/** The name of a frame that is a task; NULL: it was not given one, or it is not known. */
const char *python_task_stack_name(const struct string_table *names,
				   const struct interpreted_frame *frame);

#endif
