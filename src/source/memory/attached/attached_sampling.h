/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_ATTACHED_ATTACHED_SAMPLING_H
#define WPERF_SOURCE_MEMORY_ATTACHED_ATTACHED_SAMPLING_H

/**
 * Samples allocations of processes that run already, by probes at the functions of their
 * allocators. A program in the kernel chooses the samples (bpf_allocations.h), and leaves them in
 * rings of perf_sampling.h; here each gets its weight, and the caller of the allocator as its
 * innermost frame.
 */

#include "record/perf_data/user_regs.h"
#include "source/allocator_places.h"
#include "source/bpf/bpf_walker.h"
#include "source/memory/attached/probe_cost.h"
#include "source/memory/memory_weight.h"
#include "source/perf/perf_sampling.h"

enum attached_measure {
	ATTACHED_BYTES,
	ATTACHED_COUNT,
	ATTACHED_NOTHING, /* of events that are refused */
};

enum { ATTACHED_MAX_EVENTS = 2 };

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

	enum attached_measure measures[ATTACHED_MAX_EVENTS]; /* by number of the event */
	size_t num_events;
	const struct user_regs_layout *layout;
	struct memory_carry carry;
	struct record sample; /* the last one, of which there are other events to report */
	size_t next_event;    /* of it; num_events: all were reported */
	struct memory_weight weight;
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

/** See struct sample_ops. */
struct error *attached_sampling_next(struct attached_sampling *attached, struct record *ret,
				     bool *ret_more);
struct sample_totals attached_sampling_totals(const struct attached_sampling *attached);

#endif
