/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_PERF_SAMPLING_H
#define WPERF_SOURCE_PERF_PERF_SAMPLING_H

/**
 * Samples with the Linux kernel: each event is opened on each core, for each thread or for all. All
 * events of a core write into one ring. perf_round.h reads the rings.
 */

#include "record/perf_data/perf_data.h"
#include "record/perf_data/perf_format.h"
#include "source/perf/perf_targets.h"
#include "source/prompt_thread.h"
#include "source/sample_plan.h"

struct bpf_walker;
struct perf_core_ring;
struct perf_sampled_event;
struct perf_spe_pmu;
struct perf_spe_sampling;

struct perf_sampling {
	struct perf_sampled_event *events;
	size_t num_events;
	size_t tracking_event;  /* that process events come with */
	uint32_t off_cpu_event; /* the plan's */
	struct perf_targets targets;
	int *fds; /* [target * num_events + event] */
	size_t num_fds;
	struct perf_core_ring *rings; /* one for each core that has a target */
	size_t num_rings;
	size_t ring_bytes;               /* of each, without its header page */
	int ring_errnum;                 /* why the kernel refused the last ring, or 0 */
	bool are_rings_reduced;          /* because the kernel refused larger ones */
	struct perf_core_ring *current;  /* the ring of the last record */
	const struct bpf_walker *walker; /* of interpreted frames; or NULL */
	struct perf_spe_sampling *spe;   /* or NULL */
	bool are_rings_empty;            /* in this round */

	struct perf_data_event *file_events;
	int *outputs; /* of perf_sampling_open_output() */
	size_t num_outputs, cap_outputs;
	uint64_t *ids; /* of events: event * num_targets + target */
	struct perf_format *formats;
	struct perf_format_id *format_ids;
	struct perf_formats decoding;

	int epoll_fd, watched_fd; /* watched_fd: besides the rings; or -1 */
	uint64_t bound_ns;        /* of the round; UINT64_MAX after the stop */
	uint64_t runner_up_ns;    /* the oldest record of the other rings */
	bool awaits_exec, has_stopped, wakes;
	struct prompt_thread prompt;
	bool has_told_losses;          /* those that no record of the kernel's tells */
	bool makes_switch_samples;     /* because the kernel hides them */
	const uint8_t *sampled_switch; /* the current record, whose sample was returned */
	struct sample_totals totals;
};

#define PERF_SAMPLING_INIT                        \
	{                                         \
		.epoll_fd = -1, .watched_fd = -1, \
	}

/**
 * Open all events of the plan, disabled. The plan's events must outlive @sampling.
 * @walker: must outlive it, too; NULL unless the plan walks frames.
 * @spe: likewise; NULL unless the plan has SPE.
 */
struct error *perf_sampling_open(struct perf_sampling *sampling, const struct sample_plan *plan,
				 struct bpf_walker *walker, const struct perf_spe_pmu *spe);
void perf_sampling_close(struct perf_sampling *sampling);

struct error *perf_sampling_start(struct perf_sampling *sampling);
struct error *perf_sampling_stop(struct perf_sampling *sampling);
/** With `can_pause` in the plan: see sample_ops.switch_event(). */
struct error *perf_sampling_switch(struct perf_sampling *sampling, size_t event, bool is_on);

/** Records and walks that found no room so far, as the kernel counts them; 0 if it does not. */
uint64_t perf_sampling_num_lost(const struct perf_sampling *sampling);

enum {
	/** Its records have no registers and no stack, and sampling->num_events as their event. */
	PERF_OUTPUT_BARE = 1 << 0,
	PERF_OUTPUT_WAKES = 1 << 1, /* each record wakes wperf up */
};

/**
 * A whole core's event, whose records go into a ring. It takes what a BPF program gives on that
 * core. Before the sampling starts.
 * @ring: its number. @like: the event that it is like, and that its records have as theirs without
 * PERF_OUTPUT_BARE. @traits: of PERF_OUTPUT_*. @ret_fd: closed
 * with the sampling.
 */
struct error *perf_sampling_open_output(struct perf_sampling *sampling, size_t ring, uint32_t like,
					unsigned traits, int *ret_fd);

/** See struct source_ops. */
struct sample_totals perf_sampling_totals(const struct perf_sampling *sampling);

#endif
