/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_OTLP_OTLP_SUMS_H
#define WPERF_FLEET_OTLP_OTLP_SUMS_H

/** Samples of a profile, summed up where OTLP would not tell them apart: equal in all but the
 *  time. Where times are kept, a sum has those of its samples. */

#include "profile/named_profile.h"

#include <stdbool.h>

struct otlp_sum {
	struct named_sample sample; /* the first one; its weight and count are not the sum's */
	struct named_total total;
	bool has_count; /* the counts of its samples are not what their weights say */
	uint32_t next;  /* of the same event; NAMED_NONE: the last one */
	/** Where times are kept: its samples, which go on in next_sample. */
	uint32_t first_sample, last_sample;
};

struct otlp_sums {
	struct otlp_sum *sums; /* in the order of their first samples */
	size_t num_sums, cap_sums;
	uint32_t *first;   /* by event; NAMED_NONE: no samples */
	uint64_t *periods; /* by event; never 0 */
	/** By sample: the next one of its sum; NAMED_NONE: the last one. NULL: times are not kept.
	 */
	uint32_t *next_sample;
};

#define OTLP_SUMS_INIT \
	{              \
	}

/** @ret: set only on success. */
struct error *otlp_sums_create(const struct named_profile *profile, bool keeps_times,
			       struct otlp_sums *ret);
void otlp_sums_deinit(struct otlp_sums *sums);

/**
 * How many samples a value stands for, if nothing says so: those of its period.
 * @period: 0: not known.
 */
uint64_t otlp_sums_count(uint64_t value, uint64_t period);

#endif
