/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_SAMPLING_H
#define WPERF_SOURCE_PERF_SAMPLING_H

/**
 * Sampling by the Linux kernel: each event is opened on each thread (or on none) of each core, all
 * of a core write into one ring. What comes out of the rings is perf_round.h's.
 */

#include "record/perf_data.h"
#include "record/perf_format.h"
#include "source/perf_targets.h"
#include "source/sample_plan.h"

struct bpf_walker;
struct perf_core_ring;
struct perf_sampled_event;
struct perf_spe_pmu;
struct perf_spe_sampling;

struct perf_sampling {
	struct perf_sampled_event *events;
	size_t num_events;
	uint32_t off_cpu_event; /* the last of the plan's */
	struct perf_targets targets;
	int *fds; /* [target * num_events + event] */
	size_t num_fds;
	struct perf_core_ring *rings; /* one for each core that has a target */
	size_t num_rings;
	struct perf_core_ring *current;  /* the record that was given last is its */
	const struct bpf_walker *walker; /* of Python's frames; NULL: none */
	struct perf_spe_sampling *spe;   /* NULL: none */
	bool are_rings_empty;            /* in this round */

	struct perf_data_event *file_events;
	uint64_t *ids; /* of events: event * num_targets + target */
	struct perf_format *formats;
	struct perf_format_id *format_ids;
	struct perf_formats decoding;

	int epoll_fd, watched_fd; /* watched besides the rings; or -1 */
	uint64_t bound_ns;        /* of the round; UINT64_MAX after the stop */
	uint64_t runner_up_ns;    /* no other ring has an older record */
	bool awaits_exec, has_stopped, wakes;
	bool makes_switch_samples;     /* the kernel shows none */
	const uint8_t *sampled_switch; /* the record at hand, whose sample has been given */
	struct sample_totals totals;
};

#define PERF_SAMPLING_INIT                        \
	{                                         \
		.epoll_fd = -1, .watched_fd = -1, \
	}

/**
 * Open all events of the plan; nothing is sampled yet. The plan's events must outlive it.
 * @walker: outlives it, too; NULL unless the plan wants frames of Python.
 * @spe: likewise; NULL unless the plan wants SPE.
 */
struct error *perf_sampling_open(struct perf_sampling *sampling, const struct sample_plan *plan,
				 struct bpf_walker *walker, const struct perf_spe_pmu *spe);
void perf_sampling_close(struct perf_sampling *sampling);

struct error *perf_sampling_start(struct perf_sampling *sampling);
struct error *perf_sampling_stop(struct perf_sampling *sampling);

/** See struct source_ops. */
struct sample_totals perf_sampling_totals(const struct perf_sampling *sampling);

#endif
