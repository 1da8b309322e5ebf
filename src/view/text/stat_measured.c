// SPDX-License-Identifier: Apache-2.0

#include "view/text/stat_measured.h"

#include "base/cleanup.h"
#include "view/text/stat_section.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Clients of WindowsPerf parse each metric as a number. A copy of the report without the metrics
// that have none goes to the JSON; the text shows them as "<not counted>".
//
//	text    0  neoverse-n1  ipc    <not counted>
//	JSON    no row

static bool stat_measured_is_number(const char *text)
{
	return strcmp(text, stat_not_counted) != 0;
}

struct error *stat_measured_init(struct stat_measured *measured, const struct stat_report *report)
{
	*measured = (struct stat_measured){
		.report = *report,
		.metrics = calloc(report->num_metrics + 1, sizeof(*measured->metrics)),
		.l3_metrics = calloc(report->num_l3_metrics + 1, sizeof(*measured->l3_metrics)),
		.ddr_metrics = calloc(report->num_ddr_metrics + 1, sizeof(*measured->ddr_metrics)),
	};
	if (!measured->metrics || !measured->l3_metrics || !measured->ddr_metrics) {
		stat_measured_deinit(measured);
		return &error_no_memory;
	}
	struct stat_report *copy = &measured->report;
	copy->metrics = measured->metrics;
	copy->l3_metrics = measured->l3_metrics;
	copy->ddr_metrics = measured->ddr_metrics;
	copy->num_metrics = copy->num_l3_metrics = copy->num_ddr_metrics = 0;
	for (size_t i = 0; i < report->num_metrics; i++)
		if (!isnan(report->metrics[i].value))
			measured->metrics[copy->num_metrics++] = report->metrics[i];
	for (size_t i = 0; i < report->num_l3_metrics; i++)
		if (stat_measured_is_number(report->l3_metrics[i].miss_rate))
			measured->l3_metrics[copy->num_l3_metrics++] = report->l3_metrics[i];
	for (size_t i = 0; i < report->num_ddr_metrics; i++)
		if (stat_measured_is_number(report->ddr_metrics[i].rw_bandwidth))
			measured->ddr_metrics[copy->num_ddr_metrics++] = report->ddr_metrics[i];
	return NULL;
}

void stat_measured_deinit(struct stat_measured *measured)
{
	free(measured->metrics);
	free(measured->l3_metrics);
	free(measured->ddr_metrics);
	*measured = (struct stat_measured)STAT_MEASURED_INIT;
}
