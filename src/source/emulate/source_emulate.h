/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_EMULATE_SOURCE_EMULATE_H
#define WPERF_SOURCE_EMULATE_SOURCE_EMULATE_H

/**
 * The source `emulate`: AArch64 programs in QEMU user mode with an emulated PMU. Exact, and the
 * same in each run.
 */

struct source_ops;

extern const struct source_ops source_emulate_ops;

#endif
