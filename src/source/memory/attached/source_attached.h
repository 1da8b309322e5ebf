/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_ATTACHED_SOURCE_ATTACHED_H
#define WPERF_SOURCE_MEMORY_ATTACHED_SOURCE_ATTACHED_H

/** Allocations of processes that run already, sampled by probes: attached_sampling.h. */

#include "source/source.h"

extern const struct source_ops source_attached_ops;

#endif
