/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_ATTACHED_ATTACHED_SAMPLING_H
#define WPERF_SOURCE_MEMORY_ATTACHED_ATTACHED_SAMPLING_H

/**
 * Samples allocations of processes that run already, by probes at the functions of their
 * allocators. A program in the kernel chooses the samples (bpf_allocations.h), sees when their
 * blocks are freed, and leaves both in rings of perf_sampling.h; here each sample gets its weight,
 * and the caller of the allocator as its innermost frame. Blocks that were allocated before are not
 * known.
 */

#include "record/perf_data/user_regs.h"
#include "source/allocator_places.h"
#include "source/bpf/bpf_walker.h"
#include "source/memory/attached/probe_cost.h"
#include "source/memory/memory_events.h"
#include "source/memory/memory_weight.h"
#include "source/perf/perf_sampling.h"

/** A process that one of the plan's, or a child of theirs, has started. */
struct attached_child {
	uint32_t pid;
	const struct allocator_places *places; /* of its ancestor in the plan */
};

struct attached_sampling {
	struct bpf_walker *walker; /* or NULL */
	struct bpf_allocations *allocations;
	struct perf_sampling sampling;
	const struct allocator_places *places; /* the plan's */
	size_t num_places;
	bool follows_children;
	struct attached_child *children;
	size_t num_children, cap_children;
	uint64_t num_not_followed;
	uint64_t period;
	struct probe_cost cost;       /* of the process that has the highest */
	const char *costly_allocator; /* its allocator */

	enum memory_measure measures[MEMORY_NUM_MEASURES]; /* by number of the event */
	size_t num_events;
	bool sees_frees;
	uint64_t num_frees; /* that came through the rings */
	uint64_t num_moments;
	const struct user_regs_layout *layout;
	struct memory_carry carry;
	struct record last;   /* a sample or a free, of which there are other events to report */
	size_t next_event;    /* of it; num_events: all were reported */
	uint64_t number;      /* of its block; 0: frees are not seen */
	uint64_t freed_since; /* allocation_freed.since; of a free */
	struct memory_weight weight; /* of a sample */
	uint64_t regs[USER_REGS_MAX];
};

#define ATTACHED_SAMPLING_INIT                  \
	{                                       \
		.sampling = PERF_SAMPLING_INIT, \
	}

/**
 * Attach all probes, and measure for a moment what they cost.
 * @max_percent: of CPU time; if they cost more, that is an error.
 * @attached->walker: that of walk_open(), else NULL.
 */
struct error *attached_sampling_open(struct attached_sampling *attached,
				     const struct sample_plan *plan, uint64_t max_percent);

/** Ends the walker as well. */
void attached_sampling_close(struct attached_sampling *attached);

struct error *attached_sampling_start(struct attached_sampling *attached);
struct error *attached_sampling_stop(struct attached_sampling *attached);

bool attached_sampling_has(const struct attached_sampling *attached, enum memory_measure measure);

/** See struct sample_ops. */
struct error *attached_sampling_next(struct attached_sampling *attached, struct record *ret,
				     bool *ret_more);
struct sample_totals attached_sampling_totals(const struct attached_sampling *attached);

#endif
