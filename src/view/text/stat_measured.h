/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_TEXT_STAT_MEASURED_H
#define WPERF_VIEW_TEXT_STAT_MEASURED_H

/**
 * A report without the metrics that have no number because an event never had a counter. Programs
 * read a number from each row of JSON: WPA's plug-in stops at "<not counted>".
 */

#include "base/error.h"
#include "view/stat_report.h"

struct stat_measured {
	struct stat_report report;
	/* private */
	struct stat_metric *metrics;
	struct stat_l3_metric *l3_metrics;
	struct stat_ddr_metric *ddr_metrics;
};

#define STAT_MEASURED_INIT \
	{                  \
	}

/** @report: outlives @measured, with all that it points at. */
struct error *stat_measured_init(struct stat_measured *measured, const struct stat_report *report);
void stat_measured_deinit(struct stat_measured *measured);

#endif
