/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_TASK_PYTHON_COROUTINE_H
#define WPERF_INTERPRETER_PYTHON_TASK_PYTHON_COROUTINE_H

/**
 * The frames of a waiting coroutine: its own, and those of the chain of coroutines and generators
 * that it waits for. For CPython 3.14 and newer.
 */

#include "interpreter/interpreter_dump.h"
#include "interpreter/python/layout/python_runtime.h"
#include "record/interpreted_frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * @object: the outermost coroutine.
 * @frames: room for @max, of which @ret_num are set, innermost first. With TOO_DEEP, these are the
 *          outermost ones.
 */
enum dump_coroutine_end python_coroutine_read(const struct python_runtime *runtime, uint64_t object,
					      struct interpreted_frame *frames, size_t max,
					      size_t *ret_num);

/** Have the walk in the kernel follow coroutines as well. False: not of this version. */
bool python_coroutine_set_walk(const struct python_layout *layout, struct python_walk *walk);

/** The address of a coroutine's frame, even if it runs. False: it is not written in Python. */
bool python_coroutine_frame(const struct python_runtime *runtime, uint64_t object, uint64_t *ret);

#endif
