/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_STAT_UNCORE_METRICS_H
#define WPERF_REPORT_STAT_UNCORE_METRICS_H

/** The rows of the metrics l3_cache (per cluster) and ddr_bw (per memory channel). */

#include "base/error.h"

#include <stddef.h>

struct arena;
struct event_list;
struct stat_report;
struct stat_section;

/** What was counted. */
struct uncore_counts {
	const struct event_list *events;
	const size_t *columns; /* of each event */
	const struct stat_section *sections;
	size_t num_sections;
	const struct count_set *cores; /* one by one; or NULL */
	unsigned cluster_size;         /* cores of a cluster */
};

/** Fill l3_metrics and ddr_metrics of the report, if they were asked for. */
struct error *uncore_metrics_fill(const struct uncore_counts *counts, struct stat_report *report,
				  struct arena *arena);

#endif
