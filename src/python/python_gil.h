/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_GIL_H
#define WPERF_PYTHON_PYTHON_GIL_H

/** The lock of an interpreter of Python that a thread holds while it runs bytecode. */

#include "python/python_runtime.h"

#include <stdbool.h>
#include <stdint.h>

struct python_gil {
	uint64_t holder; /* the thread state; 0: nobody */
	/** The conditions and mutexes that a thread sleeps on until it gets the lock. */
	uint64_t waiting_place, waiting_place_end;
};

/** False: not known, or there is none (3.6; builds without a GIL have one that nobody holds). */
bool python_gil_read(const struct python_runtime *runtime, uint64_t interpreter,
		     struct python_gil *ret);

#endif
