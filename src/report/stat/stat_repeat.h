/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_STAT_STAT_REPEAT_H
#define WPERF_REPORT_STAT_STAT_REPEAT_H

/**
 * `stat -r N`: what N runs of a command have in common, and how much they differ. Sums are kept,
 * not runs (Welford's method, so that large numbers keep their small differences).
 */

#include "report/stat/stat_tables.h"
#include "session/counting.h"

#include <stddef.h>

struct stat_spread {
	double mean, squares; /* of the distances from the mean */
};

struct stat_repeat {
	size_t num_runs, num_columns;
	struct stat_spread *columns; /* of scaled counts */
	struct stat_spread *scheduled, *total;
	struct stat_spread elapsed, user, system;
};

#define STAT_REPEAT_INIT \
	{                \
	}

/** @result: of a command, counted by the list (EVENT_PERF, one unit). */
struct error *stat_repeat_add(struct stat_repeat *repeat, const struct counting_result *result,
			      const struct target_command_end *end);

/** One result of all runs: their means. @ret: ended by counting_result_deinit(). */
struct error *stat_repeat_mean(const struct stat_repeat *repeat, struct counting_result *ret);

/** Say behind each event of the filled tables how much the runs differ: "( +- 0.53% )". */
struct error *stat_repeat_annotate(const struct stat_repeat *repeat, struct stat_tables *tables);

/** The same for programs: in percent, a number for each column. @ret: to be freed. */
struct error *stat_repeat_spreads(const struct stat_repeat *repeat, double **ret);

/** The standard error of the mean in percent of the mean; 0 for one run or a mean of 0. */
double stat_spread_percent(const struct stat_spread *spread, size_t num_runs);

void stat_repeat_deinit(struct stat_repeat *repeat);

#endif
