/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_BPF_BPF_ALLOCATIONS_H
#define WPERF_SOURCE_BPF_BPF_ALLOCATIONS_H

/**
 * Probes at the functions of allocators, with a program in the kernel that chooses which calls are
 * samples: allocation_probe.bpf.h.
 */

#include "base/error.h"
#include "source/bpf/allocation_maps.h"

#include <stdbool.h>
#include <stdint.h>

struct bpf_allocations;
struct bpf_walker;

/**
 * Nothing is sampled before bpf_allocations_switch().
 * @walker: of BPF_WALKER_AT_ALLOCATIONS; must outlive the result.
 * @period: bytes between two samples, on average.
 */
struct error *bpf_allocations_create(struct bpf_walker *walker, uint64_t period,
				     struct bpf_allocations **ret);
/** Removes all probes. Accepts NULL. */
void bpf_allocations_destroy(struct bpf_allocations *allocations);
static inline void bpf_allocations_destroyp(struct bpf_allocations **allocations)
{
	bpf_allocations_destroy(*allocations);
}

/** Samples on this core go to this event, of PERF_COUNT_SW_BPF_OUTPUT, which is open as long. */
struct error *bpf_allocations_set_output(struct bpf_allocations *allocations, int core, int fd);

/** Calls in this process count, until it runs another program. */
struct error *bpf_allocations_add_process(struct bpf_allocations *allocations, uint32_t pid,
					  const struct allocation_process *process);
void bpf_allocations_remove_process(struct bpf_allocations *allocations, uint32_t pid);

/** @fd: a probe at a function of this kind; closed with the allocations, or if this fails. */
struct error *bpf_allocations_attach(struct bpf_allocations *allocations, int fd,
				     enum allocation_kind kind);

/** Remove the probes that were attached last, until @num_left are left. */
void bpf_allocations_detach(struct bpf_allocations *allocations, size_t num_left);
size_t bpf_allocations_num_probes(const struct bpf_allocations *allocations);

struct error *bpf_allocations_switch(struct bpf_allocations *allocations, bool is_on);

/** Calls of the process's allocator as long as nothing was sampled. False: it was not added, or
 * runs another program now. */
bool bpf_allocations_num_calls(const struct bpf_allocations *allocations, uint32_t pid,
			       uint64_t *ret);

/** Samples for which a ring had no room. */
uint64_t bpf_allocations_num_lost(const struct bpf_allocations *allocations);

#endif
