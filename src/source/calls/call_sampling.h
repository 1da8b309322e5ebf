/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_CALLS_CALL_SAMPLING_H
#define WPERF_SOURCE_CALLS_CALL_SAMPLING_H

/**
 * Counts the system calls of processes, and samples them. Programs in the kernel do both
 * (bpf_calls.h), and leave samples in rings of perf_sampling.h; here each gets its weight, and the
 * call as its innermost frame (call_frames.h).
 */

#include "source/bpf/bpf_calls.h"
#include "source/bpf/bpf_walker.h"
#include "source/calls/call_frames.h"
#include "source/perf/perf_sampling.h"

/** What samples of an event weigh. */
enum call_measure {
	CALL_MEASURE_COUNT, /* calls */
	CALL_MEASURE_TIME,  /* nanoseconds in calls */
	CALL_MEASURE_WAIT,  /* nanoseconds of those off the CPU */
	CALL_MEASURE_WAKE,  /* nanoseconds that other threads waited, until the call woke them */
	CALL_NUM_MEASURES,
};

enum { CALL_CHAIN_WORDS = 3 }; /* a context, another thread, and the call */

struct call_sampling {
	struct bpf_walker *walker; /* or NULL */
	struct bpf_calls *calls;
	struct perf_sampling sampling;
	struct call_frames frames;
	uint64_t stopped_ns;

	enum call_measure measures[CALL_NUM_MEASURES]; /* by number of the event */
	size_t num_events;
	struct record sample; /* the last one, of which there are other events to report */
	struct call_output output;
	size_t next_event; /* of it; num_events: all were reported */
	uint64_t chain[CALL_CHAIN_WORDS];
};

/** @calls->walker: that of walk_open(), else NULL. */
struct error *call_sampling_open(struct call_sampling *calls, const struct sample_plan *plan);

/** Ends the walker as well. */
void call_sampling_close(struct call_sampling *calls);

struct error *call_sampling_start(struct call_sampling *calls);
struct error *call_sampling_stop(struct call_sampling *calls);

/** See struct sample_ops. */
struct error *call_sampling_next(struct call_sampling *calls, struct record *ret, bool *ret_more);
struct sample_totals call_sampling_totals(const struct call_sampling *calls);

/** See struct source_ops. */
struct error *call_sampling_read(const struct call_sampling *calls, struct call_table *ret);

#endif
