/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_TEXT_TOPDOWN_VIEW_H
#define WPERF_VIEW_TEXT_TOPDOWN_VIEW_H

/** The top-down tree of a stat report, as an indented table and as JSON. */

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

struct json_writer;
struct stat_report;

/** One line of the tree; what is below a metric follows it, one deeper. */
struct stat_topdown {
	const char *core;
	unsigned depth;
	const char *metric_name, *unit;
	double value;
	const char *look_at; /* groups of metrics to count next, joined by ", "; or "" */
};

/** Nothing is printed if there is no tree in the report. */
struct error *topdown_view_print(const struct stat_report *report, FILE *stream);

/** The key "topdown" and its rows, if there is a tree. */
void topdown_view_write_json(const struct stat_report *report, struct json_writer *json);

#endif
