/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_RING_SIZE_H
#define WPERF_SOURCE_PERF_RING_SIZE_H

/**
 * How large the kernel's buffers are, and how much stack each sample may bring without filling
 * them before they are read.
 */

#include "source/sample_plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What the kernel lets this user lock into memory for the buffers of all cores. */
struct perf_ring_limits {
	bool is_unlimited;
	size_t core_bytes; /* kernel.perf_event_mlock_kb, which every core has */
	size_t user_bytes; /* RLIMIT_MEMLOCK, for all of them */
	size_t num_rings;  /* cores that are sampled */
	size_t page;
};

struct perf_ring_limits perf_ring_limits_read(size_t num_rings);

/** Of one core's buffer, without the page in front of it: a power of two, at least one page. */
size_t perf_ring_size(const struct sample_plan *plan, const struct perf_ring_limits *limits);

/** Bytes of stack that each sample copies; those of the plan if it says so. */
uint32_t perf_ring_stack_bytes(const struct sample_plan *plan, size_t ring_size);

#endif
