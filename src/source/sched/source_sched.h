/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_SCHED_SOURCE_SCHED_H
#define WPERF_SOURCE_SCHED_SOURCE_SCHED_H

#include "source/source.h"

/** Source `sched`: how long threads are ready before they run. Linux only. */
extern const struct source_ops source_sched_ops;

#endif
