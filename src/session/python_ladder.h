/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PYTHON_LADDER_H
#define WPERF_SESSION_PYTHON_LADDER_H

/** The ways for frames of Python to come to their samples, and the best that this user has here. */

#include "base/error.h"
#include "record/python_rung.h"
#include "source/source.h"

/**
 * The highest rung, which is then open in the source.
 * @stops: threads are to be stopped for it, whatever else there is.
 * @pids: that are to be sampled; none: what we start.
 * @ret_above: why it is not a higher one, and what would help: to be destroyed. NULL: it is exact.
 * The error says why there is no rung at all.
 */
struct error *python_ladder_climb(struct source *source, bool stops, const uint32_t *pids,
				  size_t num_pids, enum python_rung *ret, struct error **ret_above);

/**
 * Which rungs are there, whatever the process? Findings behind those of the source, which samples
 * threads that go on running.
 */
struct error *python_ladder_probe(const struct source_ops *ops, struct probe *probe);

#endif
