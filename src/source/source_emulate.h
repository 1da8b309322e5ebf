/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_SOURCE_EMULATE_H
#define WPERF_SOURCE_SOURCE_EMULATE_H

/**
 * The source `emulate`: AArch64 programs in QEMU's user mode, with a PMU of our own. Exact, and
 * the same on every run.
 */

struct source_ops;

extern const struct source_ops source_emulate_ops;

#endif
