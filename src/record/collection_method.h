/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_COLLECTION_METHOD_H
#define WPERF_RECORD_COLLECTION_METHOD_H

/** How a recording's samples get their interpreted frames. */

#include <stdbool.h>
#include <stdint.h>

/** The numbers stand in files. */
enum collection_method {
	COLLECTION_NONE = 0,
	COLLECTION_SAMPLE = 1,   /* walked over in the kernel, in the sample */
	COLLECTION_HELD = 2,     /* read from outside, while the thread holds still */
	COLLECTION_SNAPSHOT = 3, /* read from outside, at once after the sample */
	COLLECTION_STOPPED = 4,  /* the same, while we stop the thread */
	COLLECTION_TIMER = 5,    /* no samples: read from outside, from time to time */
	COLLECTION_NUM,
};

/** Read when a sample is noticed, not when it becomes a record. */
static inline bool collection_method_needs_wakeups(enum collection_method method)
{
	return method == COLLECTION_SNAPSHOT || method == COLLECTION_STOPPED ||
	       method == COLLECTION_TIMER;
}

/** The collection method of a recording, and what it did. All 0: no interpreted code, or not known.
 */
struct collection_facts {
	enum collection_method method;
	uint64_t num_samples;               /* of threads of an interpreter */
	uint64_t num_without;               /* of them without their frames */
	uint64_t mean_skew_ns, max_skew_ns; /* how much later than the samples they were read */
};

#endif
