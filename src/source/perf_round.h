/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_ROUND_H
#define WPERF_SOURCE_PERF_ROUND_H

/**
 * The records of the kernel's rings, a round at a time: the rings of all cores are merged by time,
 * up to an instant at which no core can still be busy writing an older record.
 */

#include "source/perf_sampling.h"
#include "source/sample_notice.h"

/** A round begins when this returns. For the rest see struct source_ops. */
struct error *perf_round_wait(struct perf_sampling *sampling, uint64_t timeout_ns, int fd);
struct error *perf_round_next(struct perf_sampling *sampling, struct record *ret, bool *ret_more);
bool perf_round_notice(const struct perf_sampling *sampling, size_t n, struct sample_notice *ret);

#endif
