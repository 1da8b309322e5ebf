/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_SOURCE_BPF_LATENCY_MAPS_H
#define WPERF_SOURCE_BPF_LATENCY_MAPS_H

/** What the programs at functions in the kernel (latency.bpf.c) and their loader share. */

#include <stdint.h>

enum {
	LATENCY_MAX_PLACES = 64,   /* functions */
	LATENCY_MAX_CALLS = 16384, /* that have not returned */
	LATENCY_CORE_CALLS = 128, /* and so many for each core: the kernel gives them out at once */
	LATENCY_MAX_HITS = 1024,  /* that nobody has read yet */
	LATENCY_FRAMES = 16,
	LATENCY_NAME_BYTES = 16,
};

/** Of `latency_calls`, which has the time when it began. */
struct latency_call {
	uint32_t tid;
	uint32_t place;
	uint64_t stack; /* pointer, when it began */
};

/** Of `latency_hits`: a call that took longer than the limit. */
struct latency_hit {
	uint32_t place;
	uint32_t pid, tid;
	uint32_t num_frames;
	uint64_t ended_ns, duration_ns;
	char name[LATENCY_NAME_BYTES];
	uint64_t frames[LATENCY_FRAMES]; /* where it returned to, and the callers of that */
};

/** Of `latency_losses`, for each core. */
enum {
	LATENCY_LOST_CALLS, /* that were not timed: too many at once, or tail calls of themselves */
	LATENCY_LOST_HITS,
	LATENCY_NUM_LOSSES,
};

#endif
