/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_VALUES_COUNT_TABLES_H
#define WPERF_VIEW_VALUES_COUNT_TABLES_H

/** Values of probes beside counts: as tables, and as the member "values" of an open object. */

#include "profile/values/value_counts.h"
#include "view/json/json_writer.h"
#include "view/layout/table.h"

struct error *count_tables_print(const struct value_counts *counts, struct table_layout layout,
				 FILE *stream);
void count_tables_write_json(const struct value_counts *counts, struct json_writer *json);

#endif
