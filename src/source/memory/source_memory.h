/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_SOURCE_MEMORY_H
#define WPERF_SOURCE_MEMORY_SOURCE_MEMORY_H

/**
 * The source `memory`: allocations of a program, sampled by bytes from inside it. Needs no rights.
 */

struct source_ops;

extern const struct source_ops source_memory_ops;

#endif
