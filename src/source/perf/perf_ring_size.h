/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_PERF_RING_SIZE_H
#define WPERF_SOURCE_PERF_PERF_RING_SIZE_H

/**
 * Chooses the size of the kernel's buffers, and how much stack each sample may copy without filling
 * them before they are read.
 */

#include "source/sample_plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How much memory the kernel lets this user lock for the buffers of all cores. */
struct perf_ring_limits {
	bool is_unlimited;
	size_t core_bytes; /* kernel.perf_event_mlock_kb, for each core */
	size_t user_bytes; /* RLIMIT_MEMLOCK, for all cores */
	size_t num_rings;  /* cores that are sampled */
	size_t page;
};

struct perf_ring_limits perf_ring_limits_read(size_t num_rings);

/** The size of one core's buffer without its header page: a power of two, at least one page. */
size_t perf_ring_size(const struct sample_plan *plan, const struct perf_ring_limits *limits);

/** How many bytes of stack each sample copies: the plan's number if it has one. A small buffer has
 *  room for at least two samples. */
uint32_t perf_ring_stack_bytes(const struct sample_plan *plan, size_t ring_size);

/**
 * The kernel refused buffers of this size: halve them on all cores, the larger kind first.
 * @area_bytes: of SPE; 0: there are none. False: both kinds are a page.
 */
bool perf_ring_halve(size_t *ring_bytes, size_t *area_bytes, size_t page);

/** Will samples be lost whenever the reader has to wait for a core? */
bool perf_ring_is_small(const struct sample_plan *plan, size_t ring_size);

#endif
