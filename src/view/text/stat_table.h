/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_TEXT_STAT_TABLE_H
#define WPERF_VIEW_TEXT_STAT_TABLE_H

/**
 * The tables of a stat report, for text and for JSON. Padding is left out. What was never on a
 * counter reads `<not counted>` in text; in JSON, where only a number may stand, it is 0.
 * @ret: set only on success, to a table that is complete; see table_destroy().
 */

#include "base/error.h"
#include "view/stat_report.h"

#include <stddef.h>

struct table;

/** What one unit counted, as the driver's classes show it. */
struct error *stat_table_unit(const struct stat_section *section, size_t unit, struct table **ret);

/** The same, of all units together. */
struct error *stat_table_overall(const struct stat_section *section, struct table **ret);

/** What one unit counted, as kernel events show it: with units of measure, for text only. */
struct error *stat_table_perf_unit(const struct stat_section *section, size_t unit,
				   struct table **ret);
struct error *stat_table_perf_overall(const struct stat_section *section, struct table **ret);

/** As the only table of all units: with what is derived from their sums. */
struct error *stat_table_perf_sum(const struct stat_section *section, struct table **ret);

/** Both classes of the memory controllers: each channel, then all of them. */
struct error *stat_table_dmc(const struct stat_report *report, struct table **ret);

struct error *stat_table_metrics(const struct stat_report *report, struct table **ret);
struct error *stat_table_l3(const struct stat_report *report, struct table **ret);
struct error *stat_table_ddr(const struct stat_report *report, struct table **ret);

#endif
