/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_PAGE_TIMELINE_HTML_H
#define WPERF_VIEW_PAGE_TIMELINE_HTML_H

/**
 * The page of `stat -t --html`: one line chart for each event and each metric, with the cores as
 * lines. One file that asks no network for anything: styles, script and numbers are in it.
 *
 * It grows with the run as the CSV does. Each count is a data block of its own, which is flushed
 * at once, and the script before them draws what it finds: a page whose run was killed is still
 * a page. Units, events and metrics have to stay those of the first count.
 *
 * Shown are scaled values where events took turns, and in their unit of measure where they have
 * one; a gap in a line is a time that the event was never on a counter.
 *
 *	struct timeline_html html = {.stream = stream, .name = path};
 *	err = timeline_html_begin(&html, &report, 1.0);
 *	err = timeline_html_add(&html, &report, timestamp_ns); // for each count
 *	err = timeline_html_end(&html);
 */

#include "view/stat_report.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct timeline_html {
	FILE *stream;      /* not owned */
	const char *name;  /* of the file, for messages */
	size_t num_values; /* of a count; set by timeline_html_begin() */
};

/** @report: of the first count; its numbers are not written. */
struct error *timeline_html_begin(struct timeline_html *html, const struct stat_report *report,
				  double count_interval_s);

/** @timestamp_ns: of the count's start, since 1970. */
struct error *timeline_html_add(struct timeline_html *html, const struct stat_report *report,
				uint64_t timestamp_ns);

struct error *timeline_html_end(struct timeline_html *html);

#endif
