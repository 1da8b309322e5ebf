/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_UNCORE_METRICS_H
#define WPERF_CLI_UNCORE_METRICS_H

/** The rows of the metrics l3_cache (per cluster) and ddr_bw (per memory channel). */

#include "base/error.h"

struct arena;
struct stat_tables;

/** Fill l3_metrics and ddr_metrics of the report, if they were asked for. */
struct error *uncore_metrics_fill(struct stat_tables *tables, struct arena *arena);

#endif
