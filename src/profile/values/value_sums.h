/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_VALUES_VALUE_SUMS_H
#define WPERF_PROFILE_VALUES_VALUE_SUMS_H

/** One value of a probe, summed up over its samples: as a whole, or by the code that passed it. */

#include "profile/named_profile.h"
#include "profile/profile_filter.h"
#include "profile/values/number_sum.h"

enum value_row {
	VALUE_ROW_ALL,
	VALUE_ROW_FUNCTION,
	VALUE_ROW_LINE,
};

struct value_text {
	uint32_t frame; /* NAMED_NONE with VALUE_ROW_ALL, and where the code is not known */
	uint32_t text;  /* a string of the profile */
	uint64_t count;
};

struct value_number {
	uint32_t frame;
	struct number_sum sum;
};

struct value_sums {
	bool is_string;
	uint64_t num_unread;
	uint64_t num_left_out;        /* passages whose values are damaged, or had no room */
	struct value_number *numbers; /* most frequent first */
	size_t num_numbers, cap_numbers;
	struct value_text *texts; /* likewise */
	size_t num_texts, cap_texts;
	struct hash_table index;
};

#define VALUE_SUMS_INIT \
	{               \
	}

/** How many values samples of this event have; 0: it is no probe with values. */
size_t value_sums_num_values(const struct named_profile *profile, uint32_t event);

/** Which code of a stack passed a value. */
enum value_code {
	VALUE_CODE_LEAF,   /* where the probe is */
	VALUE_CODE_CALLER, /* who called the probed function: the first with a known line */
};

/**
 * @value: from 0 on. @filter: of the event's samples, as of a hot list.
 * @code: of native code; where an interpreter runs, it is the interpreted code.
 */
struct error *value_sums_create(const struct named_profile *profile, uint32_t event, size_t value,
				enum value_row row, enum value_code code,
				const struct profile_filter *filter, struct value_sums *ret);
void value_sums_deinit(struct value_sums *sums);

#endif
