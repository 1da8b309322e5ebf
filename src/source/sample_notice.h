/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_SAMPLE_NOTICE_H
#define WPERF_SOURCE_SAMPLE_NOTICE_H

#include <stdbool.h>
#include <stdint.h>

/** A sample that was taken, long before it is its turn to become a record. */
struct sample_notice {
	uint32_t pid, tid;
	uint64_t time_ns;
	bool is_leaving; /* it leaves its core, and may be away for a while */
	bool is_held;    /* it stays where it is until the next notice is asked for */
};

#endif
