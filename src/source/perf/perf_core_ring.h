/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_PERF_CORE_RING_H
#define WPERF_SOURCE_PERF_PERF_CORE_RING_H

#include "source/perf/perf_ring.h"
#include "source/perf/perf_wakeup.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A core's ring and its next record. */
struct perf_core_ring {
	int core;
	int fd;      /* of the event that has the ring */
	bool is_spe; /* only for SPE's event */
	struct perf_ring ring;
	const uint8_t *bytes; /* of the next record; NULL: none before the bound */
	size_t size;
	uint64_t time_ns;
	struct walk_record *walk; /* of interpreted frames; NULL: not wanted */
	struct perf_wakeup wakeup;
};

#endif
