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

struct bpf_allocations_config {
	uint64_t period;     /* bytes between two samples, on average */
	bool sees_frees;     /* sampled blocks have numbers, and their frees are told */
	bool counts_threads; /* ... with what the thread has allocated since */
};

/**
 * Nothing is sampled before bpf_allocations_switch().
 * @walker: of BPF_WALKER_AT_ALLOCATIONS; must outlive the result.
 */
struct error *bpf_allocations_create(struct bpf_walker *walker,
				     const struct bpf_allocations_config *config,
				     struct bpf_allocations **ret);
/** Removes all probes. Accepts NULL. */
void bpf_allocations_destroy(struct bpf_allocations *allocations);
static inline void bpf_allocations_destroyp(struct bpf_allocations **allocations)
{
	bpf_allocations_destroy(*allocations);
}

/** What is sampled on this core goes to these events, of PERF_COUNT_SW_BPF_OUTPUT, which are open
 * as long. @freed_fd: for frees; -1: they are not seen. */
struct error *bpf_allocations_set_output(struct bpf_allocations *allocations, int core, int fd,
					 int freed_fd);

/** Calls in this process count, until it runs another program. */
struct error *bpf_allocations_add_process(struct bpf_allocations *allocations, uint32_t pid,
					  const struct allocation_process *process);

/**
 * @fd: a probe in this process; closed with the allocations, or if this fails.
 * @kind: of the function. @is_return: the probe is where it returns.
 */
struct error *bpf_allocations_attach(struct bpf_allocations *allocations, uint32_t pid, int fd,
				     enum allocation_kind kind, bool is_return);

/** Remove the process, and its probes. */
void bpf_allocations_detach(struct bpf_allocations *allocations, uint32_t pid);
void bpf_allocations_detach_all(struct bpf_allocations *allocations);

struct error *bpf_allocations_switch(struct bpf_allocations *allocations, bool is_on);

/** Calls of the process's allocator as long as nothing was sampled. */
struct bpf_allocations_calls {
	uint64_t num_calls;
	uint64_t num_returns; /* that were probed as well */
};

/** False: it was not added, or runs another program now. */
bool bpf_allocations_count_calls(const struct bpf_allocations *allocations, uint32_t pid,
				 struct bpf_allocations_calls *ret);

struct bpf_allocations_losses {
	uint64_t num_samples; /* for which a ring had no room */
	uint64_t num_frees;   /* likewise */
	uint64_t num_unseen;  /* sampled blocks whose free is not seen: there were too many */
};

struct bpf_allocations_losses bpf_allocations_losses(const struct bpf_allocations *allocations);

#endif
