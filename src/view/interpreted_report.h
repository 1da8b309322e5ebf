/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_INTERPRETED_REPORT_H
#define WPERF_VIEW_INTERPRETED_REPORT_H

/** Which lines, functions and files of interpreted code are hot: as text for people, and as JSON.
 */

#include "base/error.h"
#include "base/text/text_lines.h"
#include "profile/hot/event_ratio.h"
#include "profile/hot/hot_table.h"
#include "profile/interpreted/compiled_lines.h"
#include "view/json/json_writer.h"
#include "view/layout/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** The text of a line of a source file, valid as long as the context. @ret: none if the file
 *  cannot be read. An error is one of memory only. */
typedef struct error *(*interpreted_report_line_fn)(void *context, const char *path, uint32_t line,
						    struct text_line *ret);

struct interpreted_report {
	const struct named_profile *profile;
	const uint32_t *events; /* of the profile: those of the tables' cells, in their order */
	/** HOT_INTERPRETED_... by self. */
	struct hot_table lines, functions, files, tasks, raises;
	struct compiled_lines compiled;
	interpreted_report_line_fn get_line;
	void *context;
	struct table_layout layout;
};

/** Is there a ratio of this event, and a column with the event that it is of? @ret_instructions:
 * its number in the events of the report. */
bool interpreted_report_ratio(const struct interpreted_report *report, size_t event,
			      struct event_ratio *ret, size_t *ret_instructions);

/** Of tasks and raises: is there any? */
bool interpreted_report_has_any(const struct hot_table *table);

/** @max_rows: of each table; 0 for all. What is nearly nothing is left out then, too. */
struct error *interpreted_report_print(const struct interpreted_report *report, size_t max_rows,
				       FILE *stream);

/** Only the table of lines, as a part of something that is shown anew again and again. */
struct error *interpreted_report_print_lines(const struct interpreted_report *report,
					     size_t max_rows, FILE *stream);

/** Only the table of functions, likewise. */
struct error *interpreted_report_print_functions(const struct interpreted_report *report,
						 size_t max_rows, FILE *stream);

/** As an object: the events, all lines, functions and files, and tasks and exceptions if there are
 *  any. */
struct error *interpreted_report_write_json(const struct interpreted_report *report,
					    struct json_writer *json);

#endif
