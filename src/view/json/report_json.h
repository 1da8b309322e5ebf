/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_JSON_REPORT_JSON_H
#define WPERF_VIEW_JSON_REPORT_JSON_H

/**
 * Hot lists as JSON, for programs:
 *
 *	{"report":{"lost":0,"events":[{"event":"cycles","unit":"events","samples":7,"weight":700,
 *	 "by":"function","rows":[{"name":"main","self_percent":14.3,"total_percent":100,"samples":1,
 *	 "weight":100,"module":"app","function":"main","file":"app.c","line":10}]}]}}
 *
 * Where there is interpreted code, "python" stands behind "events": see view/interpreted_report.h.
 *
 * Recordings of memory in use have "in_use" there: {"peak_seconds":1.5,"peak_bytes":4096,
 * "end_bytes":1024,"points":[[0.5,1024,512]]}: seconds since the start, the most bytes from the
 * last point on, and the bytes behind it.
 *
 * Of a row only what is known of it; a line has the function that it is of.
 */

#include "profile/hot/event_ratio.h"
#include "profile/hot/hot_list.h"
#include "profile/memory/memory_lines.h"
#include "profile/named_profile.h"
#include "view/json/json_writer.h"

#include <stddef.h>
#include <stdint.h>

/** Once, before the first event. */
void report_json_begin(const struct named_profile *profile, struct json_writer *json);

/** An event's object with its sums; behind them, what the rows are by, and the rows. @whole: of the
 *  samples that are shown. */
void report_json_begin_event(const struct named_profile *profile, uint32_t event,
			     struct named_total whole, struct json_writer *json);
void report_json_end_event(struct json_writer *json);

/** The members "by" and "rows", and "instructions" with ratios. @ratios: NULL: the event has none.
 *  @max_rows: 0 for all. */
struct error *report_json_hot(const struct named_profile *profile, const struct hot_list *list,
			      const struct hot_ratios *ratios, size_t max_rows,
			      struct json_writer *json);

/** A member of a row, if it is known. @key: "cpi", "mpki". */
void report_json_ratio(const char *key, const struct ratio *ratio, struct json_writer *json);

/** Of an event: the one that its ratios are of. */
void report_json_instructions(const struct named_profile *profile, const struct event_ratio *ratio,
			      struct json_writer *json);

/** Behind report_json_end_events(): the member "memory", lines with their bytes by event. */
void report_json_memory_lines(const struct memory_lines *lines, size_t max_rows,
			      struct json_writer *json);

/** Behind report_json_end_events(): the member "in_use", if the recording has memory over time. */
void report_json_memory(const struct named_profile *profile, struct json_writer *json);

/** Behind the last event, before any member beside "events". */
void report_json_end_events(struct json_writer *json);

void report_json_end(struct json_writer *json);

#endif
