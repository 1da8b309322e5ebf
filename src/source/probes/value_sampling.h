/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PROBES_VALUE_SAMPLING_H
#define WPERF_SOURCE_PROBES_VALUE_SAMPLING_H

/**
 * Samples of probes with values, beside the other events of a struct perf_sampling. A BPF program
 * makes them, for all threads of the target, also those that start later; processes that its
 * processes start are probed when wperf reads of it.
 */

#include "base/error.h"
#include "record/record.h"
#include "source/probes/slow_closing.h"
#include "source/sample_plan.h"

struct bpf_values;
struct bpf_walker;
struct perf_sampling;

/** What has probes of its own. */
struct value_target {
	uint32_t pid; /* 0: all that needs none for each process */
	int *fds;     /* events and links to them */
	size_t num_fds, cap_fds;
};

struct value_sampling {
	struct bpf_values *values; /* NULL: none are wanted */
	const struct event_list *events;
	struct value_target *targets;
	size_t num_targets, cap_targets;
	struct slow_closing closing; /* of those that have ended */
	bool follows_children;
	uint64_t num_unprobed; /* children that could not be probed */
	char note[128];
};

#define VALUE_SAMPLING_INIT \
	{                   \
	}

/** Has the plan probes with values? */
bool value_sampling_is_wanted(const struct sample_plan *plan);

/** @walker: of BPF_WALKER_AT_EVENTS. @sampling: of the same plan, open. All must outlive it. */
struct error *value_sampling_open(struct value_sampling *sampling, const struct sample_plan *plan,
				  struct bpf_walker *walker, struct perf_sampling *perf);
void value_sampling_close(struct value_sampling *sampling);

/** Before the others start, and before they stop. */
struct error *value_sampling_start(struct value_sampling *sampling);
struct error *value_sampling_stop(struct value_sampling *sampling);

/** One event of the plan. */
struct error *value_sampling_switch_event(struct value_sampling *sampling, size_t event,
					  bool is_on);

/** A record of the perf sampling: what is a probe's sample gets its event and weight, and children
 *  are followed. */
struct error *value_sampling_take(struct value_sampling *sampling, struct record *record);

/** Passages that were not sampled for want of room in the kernel. */
uint64_t value_sampling_num_lost(const struct value_sampling *sampling);

/** As source_ops.run_note. */
const char *value_sampling_note(struct value_sampling *sampling, size_t n);

#endif
