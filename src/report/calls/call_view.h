/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_CALLS_CALL_VIEW_H
#define WPERF_REPORT_CALLS_CALL_VIEW_H

/** What the tables and the JSON of `trace` share: places in order, and what they are called. */

#include "base/text/string_builder.h"
#include "report/calls/call_report.h"
#include "report/calls/call_sums.h"
#include "view/json/json_writer.h"
#include "view/layout/short_path.h"

#include <stddef.h>
#include <stdint.h>

/** The report with what is made once for all its tables. */
struct call_view {
	const struct call_report *report;
	const struct call_sums *sums;
	const struct short_paths *paths;
	const struct call_place **sorted; /* room for all places */
};

static inline double call_view_seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

/** Fills `sorted` with the places that have something of the event, the most first, and returns
 *  their number. @call: NULL for all. */
size_t call_view_sort(const struct call_view *view, const char *call, enum call_event event);

/** "shop.py:11", "main.c:5"; a place without a line has the module's name. @frame: NAMED_NONE: it
 *  is not known. */
struct error *call_view_name_place(const struct call_view *view, uint32_t frame,
				   struct string_builder *line, const char **ret_function);

struct error *call_tables_print_counts(const struct call_view *view, const struct output *output);
struct error *call_tables_print_waits(const struct call_view *view, const struct output *output);
struct error *call_json_write(const struct call_view *view, struct json_writer *json);

#endif
