/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_VALUES_VALUE_COUNTS_H
#define WPERF_PROFILE_VALUES_VALUE_COUNTS_H

/** Values of probes that were summed up where they were passed, beside counts of the probes. */

#include "base/error.h"
#include "profile/values/number_sum.h"
#include "record/probe_values.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct value_count_text {
	char text[PROBE_STRING_BYTES];
	uint64_t count;
};

struct value_count {
	char *event;
	char *label; /* "arg1" */
	bool is_string;
	uint64_t num_passages, num_unread;
	struct number_sum sum;
	struct value_count_text *texts; /* most frequent first */
	size_t num_texts, cap_texts;
};

struct value_counts {
	struct value_count *items;
	size_t num_items, cap_items;
	uint64_t num_busy;      /* passages that were not counted: too many at once on a core */
	uint64_t num_without;   /* strings that had no room */
	uint64_t num_undecided; /* passages whose condition could not be read */
};

#define VALUE_COUNTS_INIT \
	{                 \
	}

/** @ret: zeroed but for copies of the texts; valid until the next one is added. */
struct error *value_counts_add(struct value_counts *counts, const char *event, const char *label,
			       struct value_count **ret);
struct error *value_count_add_text(struct value_count *count, const char *text, uint64_t times);
void value_counts_sort(struct value_counts *counts);
void value_counts_deinit(struct value_counts *counts);

#endif
