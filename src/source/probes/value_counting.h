/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PROBES_VALUE_COUNTING_H
#define WPERF_SOURCE_PROBES_VALUE_COUNTING_H

/**
 * Values of probes beside the counts of a struct perf_counting: a BPF program at the events that
 * count sums them up, and has the kernel count only what the conditions allow.
 */

#include "base/error.h"
#include "catalog/event_list.h"
#include "profile/values/value_counts.h"
#include "source/driver/count_plan.h"

struct bpf_values;
struct bpf_walker;
struct perf_counting;

struct value_counting {
	struct bpf_walker *walker;
	struct bpf_values *values; /* NULL: none are wanted */
	const struct event_list *events;
	int *fds; /* links to the events, and events that fetch memory with theirs */
	size_t num_fds, cap_fds;
};

#define VALUE_COUNTING_INIT \
	{                   \
	}

/** Nothing without such probes. @counting: of the same plan, open; its events must outlive it. */
struct error *value_counting_open(struct value_counting *values, const struct count_plan *plan,
				  const struct perf_counting *counting);
void value_counting_close(struct value_counting *values);

struct error *value_counting_switch(struct value_counting *values, bool is_on);
/** Those of the group that begins at this column of the counting. */
struct error *value_counting_switch_group(struct value_counting *values, size_t leader, bool is_on);
struct error *value_counting_reset(struct value_counting *values);

/** Since the last reset. @ret: empty before. */
struct error *value_counting_read(const struct value_counting *values, struct value_counts *ret);

#endif
