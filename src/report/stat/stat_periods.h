/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_STAT_STAT_PERIODS_H
#define WPERF_REPORT_STAT_STAT_PERIODS_H

/**
 * `stat -I`: the counts of one period after the other, without a gap where the source can, until
 * the command, the time-out or Ctrl-C ends the last one, which may be shorter.
 */

#include "report/output.h"
#include "report/stat/stat_page.h"
#include "report/stat/stat_tables.h"
#include "view/text/stat_rows.h"

struct stat_periods_request {
	uint64_t period_ns;
	uint64_t timeout_ns; /* of all of them; UINT64_MAX: none */
	uint32_t count;      /* of periods; 0: as many as there are */
	bool has_command;    /* which does not end because a disk is full */
	struct output_request output;
	struct stat_page_request page;
};

/** @rows: how text is written. */
struct error *stat_periods(const struct stat_periods_request *request, struct counting *counting,
			   struct stat_tables *tables, const struct stat_rows *rows);

#endif
