/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_STACK_PYTHON_STACK_H
#define WPERF_INTERPRETER_PYTHON_STACK_PYTHON_STACK_H

/**
 * Reads the Python frames of a thread from another process, while it runs.
 *
 * A stack that changes while it is read (python_snapshot.h) is read again; if it changes each time,
 * the result is FRAME_WALK_TORN. Therefore stacks that exist for less than a microsecond are
 * underrepresented.
 */

#include "base/error.h"
#include "interpreter/python/layout/python_runtime.h"
#include "record/interpreted_frame.h"

#include <stddef.h>
#include <stdint.h>

struct python_stack_reader; /* for one process */

/** @runtime: must outlive the reader. */
struct error *python_stack_reader_create(const struct python_runtime *runtime,
					 struct python_stack_reader **ret);
void python_stack_reader_destroy(struct python_stack_reader *reader);
static inline void python_stack_reader_destroyp(struct python_stack_reader **reader)
{
	python_stack_reader_destroy(*reader);
}

struct python_stack_counts {
	uint64_t num_reads, num_tries; /* a read needs several tries if the stack changes */
	uint64_t num_calls;            /* system calls to read memory */
};

struct python_stack_counts python_stack_reader_counts(const struct python_stack_reader *reader);

/**
 * @state:  address of the thread state.
 * @frames: room for @max, innermost first. Deeper stacks are truncated and TOO_DEEP.
 * @ret_num: also set for incomplete stacks.
 */
enum frame_walk_end python_stack_read(struct python_stack_reader *reader, uint64_t state,
				      struct interpreted_frame *frames, size_t max,
				      size_t *ret_num);

/** The same with the address of each frame. @addresses: room for @max. */
enum frame_walk_end python_stack_read_places(struct python_stack_reader *reader, uint64_t state,
					     struct interpreted_frame *frames, uint64_t *addresses,
					     size_t max, size_t *ret_num);

#endif
