/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_OPTION_REPORT_ROWS_H
#define WPERF_CLI_OPTION_OPTION_REPORT_ROWS_H

/**
 * What a row of `report` is, by --sort, --fields and --children: one of our words gives a hot list,
 * perf's words and lists of words a sort list.
 */

#include "base/error.h"
#include "profile/hot/hot_list.h"
#include "view/layout/sort_table.h"

#include <stdbool.h>

struct options;

struct report_rows {
	enum hot_order order;
	enum hot_key hot; /* unless there are keys */
	enum sort_key keys[SORT_NUM_KEYS];
	size_t num_keys;
	struct sort_look look;
};

struct error *report_rows_choose(const struct options *options, struct report_rows *ret);

#endif
