/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_STAT_TOPDOWN_ROWS_H
#define WPERF_REPORT_STAT_TOPDOWN_ROWS_H

/** The metrics of a count in the order of the CPU's top-down tree, or of those of its PMUs. */

#include "base/error.h"

#include <stddef.h>

struct arena;
struct stat_report;
struct catalog;

/**
 * Fill the report's topdown from its metrics.
 * @per_core: metrics of each core. @arena: for the rows.
 */
struct error *topdown_rows_fill(const struct catalog *catalog, size_t per_core,
				struct stat_report *report, struct arena *arena);

#endif
