/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_SAMPLED_EVENT_H
#define WPERF_SOURCE_PERF_SAMPLED_EVENT_H

/** An event that takes samples: how the kernel is asked for it, and opening it on a target. */

#include "source/perf_attr.h"
#include "source/perf_spe_pmu.h"
#include "source/perf_targets.h"
#include "source/sample_plan.h"

#include <linux/perf_event.h>
#include <stdbool.h>

struct perf_sampled_event {
	const char *name;
	struct perf_event_attr attr;
	enum perf_counter counter;
	bool yields;                    /* to a kernel that lets us see user code only */
	const struct perf_spe_pmu *spe; /* it is SPE; else NULL */
	union perf_spe_attr spe_attr;   /* then in the place of attr, which has the beginning */
};

struct error *perf_sampled_event_init(struct perf_sampled_event *event,
				      const struct sample_plan *plan,
				      const struct perf_attr_rules *rules,
				      const struct event_request *request);

/** SPE, as plan->spe wants it. @pmu: outlives the event. */
void perf_sampled_event_init_spe(struct perf_sampled_event *event, const struct sample_plan *plan,
				 const struct perf_attr_rules *rules,
				 const struct perf_spe_pmu *pmu);

/** One that happens never, for perf_sampled_event_track(). */
void perf_sampled_event_init_dummy(struct perf_sampled_event *event,
				   const struct perf_attr_rules *rules);

/** Can it be opened there? SPE may be on some cores only. */
bool perf_sampled_event_fits(const struct perf_sampled_event *event,
			     const struct perf_target *target);

/** It also tells of new programs, libraries and threads: one event is enough for that. */
void perf_sampled_event_track(struct perf_sampled_event *event);

/** It also tells when threads leave their core and come back. */
void perf_sampled_event_track_switches(struct perf_sampled_event *event);

/** Is it one whose samples the kernel does not show, as it happens in the kernel? */
bool perf_sampled_event_is_blind(const struct perf_sampled_event *event);

/**
 * A file descriptor, or -errno. @is_first: of its targets; there it is found out how precise the
 * event can be.
 */
int perf_sampled_event_open(struct perf_sampled_event *event, const struct perf_target *target,
			    bool is_first);

#endif
