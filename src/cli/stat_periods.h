/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_STAT_PERIODS_H
#define WPERF_CLI_STAT_PERIODS_H

/**
 * `stat -I`: the counts of one period after the other, without a gap where the source can, until
 * the command, the time-out or Ctrl-C ends the last one, which may be shorter.
 */

#include "cli/stat_tables.h"
#include "view/text/stat_rows.h"

struct options;

/** @rows: how text is written. */
struct error *stat_periods(const struct options *options, struct counting *counting,
			   struct stat_tables *tables, const struct stat_rows *rows);

#endif
