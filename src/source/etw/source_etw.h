/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_SOURCE_ETW_H
#define WPERF_SOURCE_ETW_SOURCE_ETW_H

/** The source `etw`: Windows' own profiler, without a driver. */

struct source_ops;

extern const struct source_ops source_etw_ops;

#endif
