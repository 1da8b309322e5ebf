/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_SOURCE_PERF_H
#define WPERF_SOURCE_PERF_SOURCE_PERF_H

/** The source `perf`: events of the Linux kernel, by perf_event_open. */

struct source_ops;

extern const struct source_ops source_perf_ops;

#endif
