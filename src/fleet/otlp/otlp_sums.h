/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_OTLP_OTLP_SUMS_H
#define WPERF_FLEET_OTLP_OTLP_SUMS_H

/** Samples of a profile, summed up where OTLP would not tell them apart: equal in all but the
 *  time. */

#include "profile/named_profile.h"

struct otlp_sum {
	struct named_sample sample; /* the first one; its weight and count are not the sum's */
	struct named_total total;
	uint32_t next; /* of the same event; NAMED_NONE: the last one */
};

struct otlp_sums {
	struct otlp_sum *sums; /* in the order of their first samples */
	size_t num_sums, cap_sums;
	uint32_t *first;            /* by event; NAMED_NONE: no samples */
	struct named_total *totals; /* by event */
};

#define OTLP_SUMS_INIT \
	{              \
	}

/** @ret: set only on success. */
struct error *otlp_sums_create(const struct named_profile *profile, struct otlp_sums *ret);
void otlp_sums_deinit(struct otlp_sums *sums);

/**
 * How many samples a value stands for, if nothing says so: those of its period.
 * @period: 0: not known.
 */
uint64_t otlp_sums_count(uint64_t value, uint64_t period);

#endif
