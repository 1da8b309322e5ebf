/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_JSON_DIFF_JSON_H
#define WPERF_VIEW_JSON_DIFF_JSON_H

/**
 * What changed from one profile to another, for programs:
 *
 *	{"diff":{"by":"function","before":{"event":"cycles","unit":"events","samples":750,
 *	 "weight":750000,"lost":0},"after":{...},"rows":[{"name":"matches","module":"search.py",
 *	 "self_change":30.66,"self_change_low":26.2,"self_change_high":34.9,"total_change":30.66,
 *	 "before":{"self_percent":52.67,"total_percent":52.67,"samples":395,"weight":395000},
 *	 "after":{...}}]}}
 *
 * With a limit, "fail_above" has it, and "fails" of each row whether it grew by more.
 */

#include "profile/hot/profile_diff.h"
#include "view/json/json_writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diff_json {
	const struct profile_diff *diff;
	const struct named_profile *profiles[2]; /* before and after */
	uint32_t events[2];                      /* of each, which are compared */
	size_t max_rows;                         /* 0 for all */
	bool has_max_growth;
	double max_growth; /* in percentage points */
};

void diff_json_write(const struct diff_json *facts, struct json_writer *json);

#endif
