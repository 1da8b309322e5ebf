/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_COLLECTION_METHOD_H
#define WPERF_RECORD_COLLECTION_METHOD_H

/** How frames of Python come to the samples of a recording. */

#include <stdbool.h>
#include <stdint.h>

/** The numbers stand in files. */
enum python_rung {
	PYTHON_RUNG_NONE = 0,
	PYTHON_RUNG_SAMPLE = 1,   /* walked over in the kernel, in the sample */
	PYTHON_RUNG_HELD = 2,     /* read from outside, while the thread holds still */
	PYTHON_RUNG_SNAPSHOT = 3, /* read from outside, at once after the sample */
	PYTHON_RUNG_STOPPED = 4,  /* the same, while we stop the thread */
	PYTHON_RUNG_TIMER = 5,    /* no samples: read from outside, from time to time */
	PYTHON_RUNG_NUM,
};

/** Read when a sample is noticed, not when it becomes a record. */
static inline bool python_rung_needs_notices(enum python_rung rung)
{
	return rung == PYTHON_RUNG_SNAPSHOT || rung == PYTHON_RUNG_STOPPED ||
	       rung == PYTHON_RUNG_TIMER;
}

/** The rung of a recording, and what it did. All 0: there was no Python, or nobody knows. */
struct python_rung_facts {
	enum python_rung rung;
	uint64_t num_samples;               /* of threads of Python */
	uint64_t num_without;               /* of them without their frames */
	uint64_t mean_skew_ns, max_skew_ns; /* how much later than the samples they were read */
};

#endif
