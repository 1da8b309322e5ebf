/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_LAYOUT_SORT_TABLE_H
#define WPERF_VIEW_LAYOUT_SORT_TABLE_H

/** A sort list as text, with columns of the user's choice, and as JSON. */

#include "base/error.h"
#include "profile/hot/sort_list.h"
#include "view/json/json_writer.h"
#include "view/layout/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum sort_figure { SORT_SELF, SORT_TOTAL, SORT_SAMPLES, SORT_WEIGHT, SORT_NUM_FIGURES };

/** A column: a figure or a key. */
struct sort_column {
	bool is_key;
	union {
		enum sort_figure figure;
		enum sort_key key;
	};
};

enum { SORT_MAX_COLUMNS = SORT_NUM_FIGURES + SORT_NUM_KEYS };

/** What `report` prints in the place of a hot list. */
struct sort_look {
	struct sort_column columns[SORT_MAX_COLUMNS];
	size_t num_columns;
};

/** @max_rows: 0 for all; what is not shown is said below the table. */
struct error *sort_table_print(const struct named_profile *profile, const struct sort_list *list,
			       const struct sort_look *look, size_t max_rows,
			       struct table_layout layout, FILE *stream);

/** {"by":"command,symbol","rows":[{"command":"python3","symbol":"main","self_percent":14.3,
 *  "total_percent":100,"samples":1,"weight":100}]}: the two members of an event's object. */
struct error *sort_table_write_json(const struct named_profile *profile,
				    const struct sort_list *list, size_t max_rows,
				    struct json_writer *json);

#endif
