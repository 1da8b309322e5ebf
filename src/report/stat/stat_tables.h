/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_STAT_STAT_TABLES_H
#define WPERF_REPORT_STAT_STAT_TABLES_H

/**
 * From numbers to what `stat` shows: which column is which event, metrics computed from them, and
 * the words around. Made once for a command, filled anew with each count.
 */

#include "catalog/metric_plan.h"
#include "process/system/cgroup_folder.h"
#include "report/stat/stat_core_groups.h"
#include "session/counting.h"
#include "session/session.h"
#include "session/setup/run_request.h"
#include "view/stat_report.h"

struct stat_tables {
	const struct session *session;
	const struct run_request *request;
	const char *target_name; /* "'true'", for processes; or NULL */
	/* Each count that is filled in is written there, too (stat_trace.h); or NULL. */
	const struct trace_provider *trace;
	/* Set before the first count: CPUs are added up by their place. Not with events of single
	 * cores. */
	struct stat_core_groups groups;
	bool adds_up; /* likewise: metrics are those of all cores together, for text */
	const struct cgroup_folders *cgroups; /* set likewise, if they are counted; or NULL */
	struct metric_plan plan;
	struct stat_report report; /* what to print; valid until the next fill */

	/* private */
	struct arena arena;               /* for all counts */
	struct arena per_count;           /* for this one */
	struct stat_section *sections;    /* first those of the core requests, in their order */
	struct stat_event *listed_events; /* of the section of class EVENT_PERF */
	size_t *columns;                  /* of each item of the request's list */
	const struct count_set *cores;    /* as counted, of class EVENT_CORE; or NULL */
};

/** @target_name: copied; NULL if whole cores are counted. @compat: JSON as the peer's clients read.
 */
struct error *stat_tables_create(const struct session *session, const struct run_request *request,
				 bool kernel, int metric_precision, const char *target_name,
				 bool compat, struct stat_tables *ret);
void stat_tables_deinit(struct stat_tables *tables);

/**
 * The counts alone: the report has its sections, with neither names of units nor metrics. Allocates
 * nothing, unless cores count events of their own. @result: as below.
 */
struct error *stat_tables_take(struct stat_tables *tables, const struct counting_result *result);

/**
 * After stat_tables_take(): a metric of the plan, on one unit of the first section. @unit: their
 * number: over all of them.
 */
struct stat_metric stat_tables_metric(const struct stat_tables *tables, size_t unit, size_t number);

/** Everything. @result must live as long as the report is used. */
struct error *stat_tables_fill(struct stat_tables *tables, const struct counting_result *result);

#endif
