/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_SAMPLE_WAKEUP_H
#define WPERF_SOURCE_SAMPLE_WAKEUP_H

#include <stdbool.h>
#include <stdint.h>

/** An early notice of a sample, long before its record comes in time order. */
struct sample_wakeup {
	uint32_t pid, tid;
	uint64_t time_ns;
	bool is_leaving; /* the thread leaves its CPU, perhaps for long */
	bool is_held;    /* the thread is stopped until the next wakeup is read */
};

#endif
