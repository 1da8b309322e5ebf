/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_STACK_H
#define WPERF_PYTHON_PYTHON_STACK_H

/**
 * The frames of a thread that goes on running, read from outside.
 *
 * A look counts only if nothing changed meanwhile (see python_snapshot.h); else it is tried again,
 * and what still changes in the end is PYTHON_WALK_TORN. So stacks that last for less than a
 * microsecond are seen less often than they should be.
 */

#include "base/error.h"
#include "python/python_runtime.h"
#include "record/python_frame.h"

#include <stddef.h>
#include <stdint.h>

struct python_stack_reader; /* for one process */

/** @runtime: must stay where it is. */
struct error *python_stack_reader_create(const struct python_runtime *runtime,
					 struct python_stack_reader **ret);
void python_stack_reader_destroy(struct python_stack_reader *reader);
static inline void python_stack_reader_destroyp(struct python_stack_reader **reader)
{
	python_stack_reader_destroy(*reader);
}

struct python_stack_counts {
	uint64_t num_reads, num_tries; /* more tries than reads: some were torn at first */
	uint64_t num_calls;            /* of the system, to read memory */
};

struct python_stack_counts python_stack_reader_counts(const struct python_stack_reader *reader);

/**
 * @state:  address of the thread state.
 * @frames: @max of them; innermost first. A stack that is deeper is cut, and TOO_DEEP.
 * @ret_num: also of a stack that is not whole.
 */
enum python_walk_end python_stack_read(struct python_stack_reader *reader, uint64_t state,
				       struct python_frame *frames, size_t max, size_t *ret_num);

/** The same, with the address of each frame. @addresses: @max of them. */
enum python_walk_end python_stack_read_places(struct python_stack_reader *reader, uint64_t state,
					      struct python_frame *frames, uint64_t *addresses,
					      size_t max, size_t *ret_num);

#endif
