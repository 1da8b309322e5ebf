// SPDX-License-Identifier: Apache-2.0
#include "view/json/timeline_json.h"

#include "view/json/json_writer.h"

// "stat -t --json": the head is written before the first count and the end after the last one, so
// that the counts between them can be written as they come. A run that is killed leaves JSON
// without an end, whose counts are all there.
//
//	{"count_duration": 1, "count_interval": 0, "count_timeline": 2,
//	 "timeline": [{"core": ...}, ...]}

void timeline_json_begin(const struct timeline_json *timeline, struct json_writer *json)
{
	json_begin_object(json);
	json_key(json, "count_duration");
	json_double(json, timeline->count_duration_s);
	json_key(json, "count_interval");
	json_double(json, timeline->count_interval_s);
	json_key_u64(json, "count_timeline", timeline->count_timeline);
	json_key(json, "timeline");
	json_begin_array(json);
}

void timeline_json_end(struct json_writer *json)
{
	json_end_array(json);
	json_end_object(json);
}
