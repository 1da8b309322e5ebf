/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_WAKES_WAKE_SAMPLING_H
#define WPERF_SOURCE_WAKES_WAKE_SAMPLING_H

/** Who wakes the threads of a recording, in the rings of its samples: bpf_wakes.h. */

#include "base/error.h"
#include "source/bpf/bpf_wakes.h"
#include "source/perf/perf_sampling.h"

struct bpf_walker;
struct kernel_walk_program;
struct record;

struct wake_sampling {
	struct bpf_wakes *programs; /* NULL: not wanted */
	uint32_t event;             /* number of its samples' event */
	uint32_t bare_event;        /* ... in the rings, of those without a stack */
};

/** Can this user have it? The error says why not, with a hint. */
struct error *wake_sampling_check(void);

/**
 * Load the programs, with those that walk interpreted frames if the plan has them.
 * @frames: the program of walk_open(), or NULL.
 * @walker: that of walk_open(), or NULL; replaced.
 */
struct error *wake_sampling_load(const struct sample_plan *plan,
				 const struct kernel_walk_program *frames,
				 struct bpf_walker **walker);

/** After perf_sampling_open() with the walker of wake_sampling_load(). */
struct error *wake_sampling_open(struct wake_sampling *wakes, const struct sample_plan *plan,
				 struct bpf_walker *walker, struct perf_sampling *sampling);
void wake_sampling_close(struct wake_sampling *wakes);

/** Accepts what was not opened. */
struct error *wake_sampling_switch(const struct wake_sampling *wakes, bool is_on);

/** A record of perf_round_next() gets the number of its event. */
void wake_sampling_number(const struct wake_sampling *wakes, struct record *record);

#endif
