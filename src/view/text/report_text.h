/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_TEXT_REPORT_TEXT_H
#define WPERF_VIEW_TEXT_REPORT_TEXT_H

/** A profile as text for people: tables of what is hot, trees of who calls whom, differences. */

#include "base/error.h"
#include "profile/hot/event_ratio.h"
#include "profile/hot/hot_list.h"
#include "profile/hot/profile_diff.h"
#include "profile/tree/call_tree.h"
#include "view/layout/table.h"

#include <stddef.h>
#include <stdio.h>

/** One line: event, samples, weight, and what was lost. @total: of the samples that are shown. */
void report_text_print_header(const struct named_profile *profile, uint32_t event,
			      struct named_total total, FILE *stream);

/**
 * @ratios:   of the list's entries; NULL: its event has none.
 * @max_rows: 0 for all; what is not shown is said below the table.
 */
struct error *report_text_print_hot(const struct named_profile *profile,
				    const struct hot_list *list, const struct hot_ratios *ratios,
				    uint32_t event, size_t max_rows, struct table_layout layout,
				    FILE *stream);

void report_text_print_tree(const struct named_profile *profile, const struct call_tree *tree,
			    FILE *stream);

/** A ratio and its interval, or "-", in two columns. */
void report_text_add_ratio(struct table *table, const struct ratio *ratio);

struct error *report_text_print_diff(const struct profile_diff *diff, size_t max_rows,
				     struct table_layout layout, FILE *stream);

#endif
