/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_PAGE_TIMELINE_HTML_H
#define WPERF_VIEW_PAGE_TIMELINE_HTML_H

/**
 * The page of `stat -t --html` and `stat -I --html`: the top-down metrics as a stack of areas, and
 * a chart for each event and each metric, with the cores as lines. One file that asks no network
 * for anything: styles, script and numbers are in it.
 *
 * It grows with the run as the CSV does. Each count is a data block of its own, which is flushed
 * at once, and the script before them draws what it finds: a page whose run was killed is still
 * a page, and says that it is not complete. Units, events and metrics have to stay those of the
 * first count.
 *
 * Values are scaled where events took turns, and in their unit of measure where they have one. The
 * page divides them by the length of their count.
 *
 * Its parts are the files of view/timeline_page/, and view/page_parts.js, which the report page has
 * as well. To add a part: write the file there, add it to view/CMakeLists.txt and to the table in
 * timeline_html.c, in the order in which the scripts need each other.
 *
 *	struct timeline_html html = {.stream = stream, .name = path};
 *	err = timeline_html_open(&html);
 *	err = timeline_html_begin(&html, &report, &run); // with the first count
 *	err = timeline_html_add(&html, &report, &period); // for each count
 *	err = timeline_html_end(&html);
 */

#include "view/stat_report.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct topdown_tree;

/** What the header says of the run. Texts may be NULL: not known. */
struct timeline_run {
	const char *command; /* of wperf, all words */
	const char *program; /* that is counted, as it was started */
	const char *host, *system, *machine;
	double count_interval_s;            /* the pause between two counts; 0: none */
	const struct topdown_tree *topdown; /* what the metrics of the report may be in; or NULL */
};

/** When a count was. */
struct timeline_period {
	uint64_t time_ns;   /* of its start, since 1970; 0 in simulated time */
	uint64_t start_ns;  /* since the start of the first count */
	uint64_t length_ns; /* as measured, not as asked for */
};

struct timeline_html {
	FILE *stream;      /* not owned */
	const char *name;  /* of the file, for messages */
	size_t num_values; /* of a count; set by timeline_html_begin() */
};

/** The styles and the script: from now on the file is a page, still without counts. */
struct error *timeline_html_open(struct timeline_html *html);

/** @report: of the first count; its numbers are not written. */
struct error *timeline_html_begin(struct timeline_html *html, const struct stat_report *report,
				  const struct timeline_run *run);

struct error *timeline_html_add(struct timeline_html *html, const struct stat_report *report,
				const struct timeline_period *period);

/** The page is complete: also one without counts. */
struct error *timeline_html_end(struct timeline_html *html);

#endif
