/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_JSON_TIMELINE_JSON_H
#define WPERF_VIEW_JSON_TIMELINE_JSON_H

/**
 * The object of `stat -t --json`: what was asked for, around one stat object per count.
 *
 *	timeline_json_begin(&(struct timeline_json){.count_duration_s = 1, ...}, &json);
 *	stat_report_write_json(&report, &json); // for each count
 *	timeline_json_end(&json);
 */

#include <stdint.h>

struct json_writer;

struct timeline_json {
	double count_duration_s;
	double count_interval_s;
	uint64_t count_timeline; /* -n */
};

void timeline_json_begin(const struct timeline_json *timeline, struct json_writer *json);
void timeline_json_end(struct json_writer *json);

#endif
