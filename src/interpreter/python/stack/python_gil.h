/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_STACK_PYTHON_GIL_H
#define WPERF_INTERPRETER_PYTHON_STACK_PYTHON_GIL_H

/** The GIL: the lock of an interpreter that a thread holds while it runs bytecode. */

#include "interpreter/python/layout/python_runtime.h"
#include "record/interpreted_frame.h"

#include <stdbool.h>
#include <stdint.h>

struct python_gil {
	uint64_t holder; /* the thread state; 0: none */
	/** The conditions and mutexes on which threads wait for the lock. */
	uint64_t waiting_place, waiting_place_size;
};

/** False: not known (3.6), or there is no GIL. */
bool python_gil_read(const struct python_runtime *runtime, uint64_t interpreter,
		     struct python_gil *ret);

/**
 * The GIL state of a thread.
 * @thread: its thread state. @lock: the word on which it sleeps: see thread_activity.h; or 0.
 */
enum gil_state python_gil_state_of(const struct python_gil *gil, uint64_t thread, uint64_t lock);

#endif
