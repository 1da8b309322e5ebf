/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_TIMER_SOURCE_TIMER_H
#define WPERF_SOURCE_TIMER_SOURCE_TIMER_H

struct source_ops;

#define SOURCE_TIMER_NAME "timer"

/** The source `timer`: for interpreted programs where perf events are forbidden, and for all
 * programs on Windows; see timer_sampling.h. */
extern const struct source_ops source_timer_ops;

#endif
