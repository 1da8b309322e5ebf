/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_SCHED_SCHED_SAMPLING_H
#define WPERF_SOURCE_SCHED_SCHED_SAMPLING_H

/**
 * Measures how long threads are ready before they run, and samples it. Programs in the kernel do
 * both (bpf_sched.h), and leave samples in rings of perf_sampling.h; here each gets its weight, and
 * the place in the program where the thread goes on as its address.
 */

#include "record/perf_data/user_regs.h"
#include "source/bpf/bpf_sched.h"
#include "source/bpf/bpf_walker.h"
#include "source/perf/perf_sampling.h"

struct sched_sampling {
	struct bpf_walker *walker; /* or NULL */
	struct bpf_sched *sched;
	struct perf_sampling sampling;
	struct run_queue queue; /* of threads that have ended; all once it has stopped */
	const struct user_regs_layout *layout;
	uint64_t began_ns, ended_ns;
};

#define SCHED_SAMPLING_INIT                     \
	{                                       \
		.sampling = PERF_SAMPLING_INIT, \
	}

/** @sched->walker: that of walk_open(), else NULL. */
struct error *sched_sampling_open(struct sched_sampling *sched, const struct sample_plan *plan);

/** Ends the walker as well. */
void sched_sampling_close(struct sched_sampling *sched);

struct error *sched_sampling_start(struct sched_sampling *sched);
struct error *sched_sampling_stop(struct sched_sampling *sched);

/** See struct sample_ops. */
struct error *sched_sampling_wait(struct sched_sampling *sched, uint64_t timeout_ns, int fd);
struct error *sched_sampling_next(struct sched_sampling *sched, struct record *ret, bool *ret_more);
struct sample_totals sched_sampling_totals(const struct sched_sampling *sched);

/** See struct source_ops. */
struct error *sched_sampling_read(struct sched_sampling *sched, struct run_queue *ret);

#endif
