/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_TEXT_STAT_ROWS_H
#define WPERF_VIEW_TEXT_STAT_ROWS_H

/**
 * Counts for programs that read `perf stat -x`, and the rows of `stat -I`. A row is
 *
 *	[time,][unit,]value,measure,event,[spread,]running ns,running %,derived value,derived
 *measure
 *
 * with the scaled value, `<not counted>` or `<not supported>`. Metrics have no value of an event,
 * only a derived one. A unit is "CPU3", "dsu 0" or "name-tid"; that of CPUs that were added up,
 *"S0-D0", is followed by a field with their number. A control group stands behind the event.
 */

#include "base/error.h"
#include "view/stat_report.h"

struct stat_rows {
	const char *separator; /* NULL: for people, in columns */
	bool has_time;         /* a first field: time_ns */
	uint64_t time_ns;
	bool adds_up;          /* one row for all cores together, in place of one for each */
	const double *spreads; /* of each column of the first section, in percent; or NULL */
};

/** What a table of -I begins with; CSV has none. */
void stat_rows_print_heading(const struct stat_rows *rows, FILE *stream);

/** @name: of the stream, for an error. */
struct error *stat_rows_print(const struct stat_rows *rows, const struct stat_report *report,
			      FILE *stream, const char *name);

#endif
