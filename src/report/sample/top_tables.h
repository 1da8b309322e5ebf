/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_SAMPLE_TOP_TABLES_H
#define WPERF_REPORT_SAMPLE_TOP_TABLES_H

/** The tables of `top`, interval after interval: the hot lines and functions of interpreted
 *  code in all events, and the hot functions of each event. */

#include "profile/hot/rolling_list.h"
#include "profile/named_profile.h"
#include "report/code/source_files.h"
#include "view/layout/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct top_tables {
	/** Of each event: */
	struct rolling_list *lists, *interpreted_lines, *interpreted_functions;
	size_t num_lists;
	bool has_interpreted; /* so far */
	bool hides_kernel, hides_user;
	struct table_layout layout;
	size_t max_native_rows; /* beside tables of interpreted code; 0: all */
	struct source_files sources;
};

/** @tables: is ended with top_tables_deinit(), also after a failure. */
struct error *top_tables_init(struct top_tables *tables, size_t num_events, const char *sysroots);
void top_tables_deinit(struct top_tables *tables);

/** @keep: see rolling_list_add(). */
struct error *top_tables_add(struct top_tables *tables, const struct named_profile *interval,
			     double keep);

/** Forget all intervals. */
void top_tables_clear(struct top_tables *tables);

/** How many are printed. */
size_t top_tables_num(const struct top_tables *tables);

/** @max_rows: of each; 0 for all. */
struct error *top_tables_print(struct top_tables *tables, const struct named_profile *profile,
			       size_t max_rows, FILE *stream);

#endif
