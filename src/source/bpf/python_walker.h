/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_BPF_PYTHON_WALKER_H
#define WPERF_SOURCE_BPF_PYTHON_WALKER_H

/** What the program in the kernel and its loader share: the values of maps, and what it gives. */

#include "python/python_walk.h"
#include "record/python_frame.h"

#include <stdint.h>

/** Of `processes`, by the process. */
struct walker_process {
	uint32_t generation; /* another one for each walk, so that its threads are found anew */
	uint32_t unused;
	struct python_walk walk;
};

/** Of `threads`. */
struct walker_thread_key {
	uint32_t process, generation;
	uint64_t tls;
};

struct walker_thread {
	uint64_t state;     /* address of the thread's state; 0: it is none of Python's */
	uint64_t retry_ns;  /* ... up to then */
	uint64_t is_shared; /* there are several, one for each interpreter that the thread was in */
};

/** Of `counters`, for each core. */
enum {
	WALKER_COUNTER_NO_ROOM, /* the ring was full; the kernel counts that as a lost sample */
	WALKER_COUNTER_NO_RING, /* the core has none */
	WALKER_NUM_COUNTERS,
};

/** A walk as it comes through the ring, in front of its sample. The frames follow. */
struct walker_output {
	uint16_t num_frames;
	uint8_t end; /* enum python_walk_end */
	uint8_t unused;
};

#endif
