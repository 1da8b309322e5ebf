/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_STAT_STAT_TIMELINE_H
#define WPERF_REPORT_STAT_STAT_TIMELINE_H

/** `stat -t`: count again and again, each count written at once. */

#include "report/output.h"
#include "report/stat/stat_page.h"
#include "report/stat/stat_tables.h"
#include "report/stat/timeline_name.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct stat_timeline_request {
	uint64_t duration_ns;      /* of a count */
	uint64_t interval_ns;      /* the pause behind it */
	uint32_t count;            /* of counts; 0: until Ctrl-C */
	bool pauses_at_end;        /* also behind the last count */
	bool has_timestamps;       /* in CSV files */
	bool tells_files;          /* their names, on standard output */
	bool writes_csv;           /* a file for each class of events ... */
	struct timeline_name name; /* ... of this name; time and cores are filled in */
	struct stat_page_request page;
	struct output_request output; /* of JSON */
	/** Also called with each count; or NULL. */
	struct error *(*note_count)(void *data, const struct stat_report *report);
	void *data;
};

/** @progress: where to show it, or NULL. */
struct error *stat_timeline(const struct stat_timeline_request *request, struct counting *counting,
			    struct stat_tables *tables, FILE *progress);

#endif
