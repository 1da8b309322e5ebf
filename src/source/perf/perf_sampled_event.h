/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_PERF_SAMPLED_EVENT_H
#define WPERF_SOURCE_PERF_PERF_SAMPLED_EVENT_H

/** An event that is sampled: its attributes, and opening it on a target. */

#include "source/perf/perf_attr.h"
#include "source/perf/perf_spe_pmu.h"
#include "source/perf/perf_targets.h"
#include "source/sample_plan.h"

#include <linux/perf_event.h>
#include <stdbool.h>

struct perf_sampled_event {
	const char *name;
	struct perf_event_attr attr;
	enum perf_counter counter;
	bool counts_no_losses; /* the kernel cannot: before Linux 6.0 */
	bool is_tried;         /* its precision is known */
	bool is_of_some_cores; /* whose PMU is one of several: only of those in `cores` */
	cpu_set_t cores;
	bool has_values; /* its samples do: see record_sample */
	bool yields;     /* if the kernel allows only user code, it samples only that */
	const struct perf_spe_pmu *spe; /* for SPE; else NULL */
	union perf_spe_attr spe_attr;   /* for SPE, instead of attr, which has its first members */
};

struct error *perf_sampled_event_init(struct perf_sampled_event *event,
				      const struct sample_plan *plan,
				      const struct perf_attr_rules *rules,
				      const struct event_request *request);

/** SPE, as plan->spe wants it. @pmu: outlives the event. */
void perf_sampled_event_init_spe(struct perf_sampled_event *event, const struct sample_plan *plan,
				 const struct perf_attr_rules *rules,
				 const struct perf_spe_pmu *pmu);

/** An event that never occurs, for perf_sampled_event_track(). */
void perf_sampled_event_init_dummy(struct perf_sampled_event *event,
				   const struct perf_attr_rules *rules);
bool perf_sampled_event_is_dummy(const struct perf_sampled_event *event);

/** Has it the samples that BPF programs give? */
bool perf_sampled_event_is_output(const struct perf_sampled_event *event);

/** Can it be opened on this target? Some cores may lack SPE, and kinds of cores have PMUs of their
 *  own. */
bool perf_sampled_event_fits(const struct perf_sampled_event *event,
			     const struct perf_target *target);

/** Also report process events (exec, mmap, fork, exit); one event is enough for that. */
void perf_sampled_event_track(struct perf_sampled_event *event);

/** The stack need not be copied into samples: it comes another way. */
void perf_sampled_event_leave_stack(struct perf_sampled_event *event);

/** Also report context switches. */
void perf_sampled_event_track_switches(struct perf_sampled_event *event);

/** Are its samples hidden from this user, because they occur in the kernel? */
bool perf_sampled_event_is_blind(const struct perf_sampled_event *event);

/** A file descriptor, or -errno. The first target determines the highest precision of the event. */
int perf_sampled_event_open(struct perf_sampled_event *event, const struct perf_target *target);

/** What the kernel has counted of an opened event, and of those that inherited it. */
struct perf_event_tally {
	uint64_t value;
	uint64_t num_lost; /* records for which the buffer had no room; 0: not known */
};

/** All zero if it cannot be read. */
struct perf_event_tally perf_sampled_event_read(const struct perf_sampled_event *event, int fd);

#endif
