/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_EXPORT_TIMELINE_CSV_H
#define WPERF_VIEW_EXPORT_TIMELINE_CSV_H

/**
 * The CSV file of `stat -t`, one per class of events: a head that says what the columns are, then
 * one line per count, flushed at once, so that whatever ends the run loses no line.
 *
 * The columns are those of the first count: units, events and metrics have to stay the same.
 * Of multiplexed events a column more tells for how many rounds they were on a counter. Kernel
 * events always have one, running_percent, as nobody knows beforehand what the kernel will do;
 * their values are in the unit that the name tells, "task-clock (msec)".
 */

#include "view/stat_report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct timeline_csv {
	FILE *stream;     /* not owned */
	const char *name; /* of the file, for messages */
	bool with_timestamps;
	size_t num_columns; /* set by timeline_csv_begin() */
};

/**
 * Write the head. The metrics go where the cores' events are: with class core, or with class perf
 * if the report has no other.
 */
struct error *timeline_csv_begin(struct timeline_csv *csv, const struct stat_report *report,
				 const struct stat_section *section, double count_interval_s);

/**
 * Write one count.
 * @timestamp_ns: of its start, since 1970; only written with_timestamps.
 */
struct error *timeline_csv_add(struct timeline_csv *csv, const struct stat_report *report,
			       const struct stat_section *section, uint64_t timestamp_ns);

/** The blank line at the end. */
struct error *timeline_csv_end(struct timeline_csv *csv);

#endif
