/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_STAT_STAT_PAGE_H
#define WPERF_REPORT_STAT_STAT_PAGE_H

/**
 * The page of a timeline as a file: opened before the first count, so that a name that cannot be
 * written is an error at once, and written in place, count by count.
 *
 *	_cleanup_(stat_page_deinit) struct stat_page page = STAT_PAGE_INIT;
 *	err = stat_page_open(&page, &request);
 *	err = stat_page_add(&page, &tables, &result); // for each count
 *	err = stat_page_close(&page);
 */

#include "report/stat/stat_tables.h"
#include "view/page/timeline_html.h"

#include <stdbool.h>
#include <stdint.h>

struct stat_page_request {
	const char *path;       /* NULL: no page */
	char *const *arguments; /* of wperf, its own name first; or NULL */
	const char *program;    /* that is counted; or NULL */
	uint64_t interval_ns;   /* the pause between two counts */
};

struct stat_page {
	const struct stat_page_request *request;
	struct timeline_html html; /* its stream is NULL if no page is wanted */
	bool has_counts;
	uint64_t first_ns; /* when the first count began, on the clock of struct counting_result */
};

#define STAT_PAGE_INIT \
	{              \
	}

/** Does nothing if no page is wanted, as do the others. @request must outlive the page. */
struct error *stat_page_open(struct stat_page *page, const struct stat_page_request *request);

/** @tables: filled with @result. */
struct error *stat_page_add(struct stat_page *page, const struct stat_tables *tables,
			    const struct counting_result *result);

/** Complete it. */
struct error *stat_page_close(struct stat_page *page);

/** For cleanup: what was written stays. */
void stat_page_deinit(struct stat_page *page);

#endif
