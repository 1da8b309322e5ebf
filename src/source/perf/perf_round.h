/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_PERF_ROUND_H
#define WPERF_SOURCE_PERF_PERF_ROUND_H

/**
 * Reads the kernel's rings in rounds: merges the rings of all cores by time, up to a time before
 * which no core can still write a record.
 */

#include "source/perf/perf_sampling.h"
#include "source/sample_wakeup.h"

/** A round begins when this returns. For the rest see struct source_ops. */
struct error *perf_round_wait(struct perf_sampling *sampling, uint64_t timeout_ns, int fd);
struct error *perf_round_next(struct perf_sampling *sampling, struct record *ret, bool *ret_more);
bool perf_round_wakeup(const struct perf_sampling *sampling, size_t n, struct sample_wakeup *ret);

#endif
