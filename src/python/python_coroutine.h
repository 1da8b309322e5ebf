/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_COROUTINE_H
#define WPERF_PYTHON_PYTHON_COROUTINE_H

/**
 * The frames of a coroutine that waits: its own, and those of the coroutines and generators that
 * it waits for, one in the other. Known since 3.14.
 */

#include "python/python_runtime.h"
#include "record/python_frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum python_coroutine_end {
	PYTHON_COROUTINE_WAITS,
	PYTHON_COROUTINE_RUNS, /* the innermost of the frames is on the stack of a thread */
	PYTHON_COROUTINE_OVER,
	PYTHON_COROUTINE_FOREIGN,  /* not made of Python's code, or not to be read */
	PYTHON_COROUTINE_CHANGED,  /* it went on while it was read, again and again */
	PYTHON_COROUTINE_TOO_DEEP, /* there are more frames */
};

/**
 * @object: the outermost one.
 * @frames: @max of them, of which @ret_num are set; innermost first. Of one that is TOO_DEEP the
 *          outermost ones.
 */
enum python_coroutine_end python_coroutine_read(const struct python_runtime *runtime,
						uint64_t object, struct python_frame *frames,
						size_t max, size_t *ret_num);

/** Where the frame of a coroutine is, when it runs, too. False: it is none of Python's code. */
bool python_coroutine_frame(const struct python_runtime *runtime, uint64_t object, uint64_t *ret);

#endif
