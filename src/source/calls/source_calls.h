/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_CALLS_SOURCE_CALLS_H
#define WPERF_SOURCE_CALLS_SOURCE_CALLS_H

/** System calls of processes, counted and sampled by BPF programs. */

#include "source/source.h"

extern const struct source_ops source_calls_ops;

#endif
