/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PYTHON_LADDER_H
#define WPERF_SESSION_PYTHON_LADDER_H

/** The ways for frames of Python to come to their samples, and the best that this user has here. */

#include "base/error.h"
#include "source/source.h"

#include <sys/types.h>

enum python_rung {
	PYTHON_RUNG_NONE,
	PYTHON_RUNG_TIMER,    /* no samples: read from outside, from time to time */
	PYTHON_RUNG_SNAPSHOT, /* read from outside, at once after the sample */
	PYTHON_RUNG_HELD,     /* read from outside, while the thread holds still */
	PYTHON_RUNG_SAMPLE,   /* walked over in the kernel, in the sample */
};

/**
 * The highest rung, which is then open in the source.
 * @pids: that are to be sampled; none: what we start.
 * @ret_above: why it is not a higher one, and what would help: to be destroyed. NULL: it is exact.
 * The error says why there is no rung at all.
 */
struct error *python_ladder_climb(struct source *source, const pid_t *pids, size_t num_pids,
				  enum python_rung *ret, struct error **ret_above);

/**
 * Which rungs are there, whatever the process? Findings behind those of the source, which samples
 * threads that go on running.
 */
struct error *python_ladder_probe(const struct source_ops *ops, struct probe *probe);

#endif
