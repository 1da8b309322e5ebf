/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_VALUES_VALUE_TABLES_H
#define WPERF_REPORT_VALUES_VALUE_TABLES_H

/**
 * The values of a probe's samples: of numbers their sum, mean, least and greatest and a histogram
 * of powers of two, of strings the most frequent ones; as a whole, or by the code that passed them.
 */

#include "profile/profile_filter.h"
#include "profile/values/value_sums.h"
#include "report/output.h"

struct value_tables_request {
	const struct named_profile *profile;
	uint32_t event;
	const struct profile_filter *filter; /* of the event's samples */
	enum value_row row;
	uint32_t max_rows; /* of strings, and of code; 0: all */
};

/** Behind the event's table. Nothing of an event without values. */
struct error *value_tables_print(const struct value_tables_request *request,
				 struct table_layout layout, FILE *stream);

/** As the member "values" of an open object. */
struct error *value_tables_write_json(const struct value_tables_request *request,
				      struct json_writer *json);

#endif
