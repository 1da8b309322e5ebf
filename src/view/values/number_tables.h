/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_VALUES_NUMBER_TABLES_H
#define WPERF_VIEW_VALUES_NUMBER_TABLES_H

/** How sums of numbers are shown, in reports of samples and of counts. */

#include "profile/values/number_sum.h"
#include "view/json/json_writer.h"
#include "view/layout/table.h"

/** Cells of the columns passages, sum, mean, least, greatest. */
void number_tables_add(struct table *table, const struct number_sum *sum);

/** How often which power of two came. @label: of the value. */
struct error *number_tables_print_histogram(const struct number_sum *sum, const char *label,
					    struct table_layout layout, FILE *stream);

/** Members of an open object. */
void number_tables_write_json(const struct number_sum *sum, struct json_writer *json);

#endif
