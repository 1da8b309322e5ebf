/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_AGENT_SAMPLE_THINNING_H
#define WPERF_AGENT_SAMPLE_THINNING_H

/**
 * Fewer samples with the same weight: each sample is kept by chance, and what is kept weighs so
 * much more that the expectation of every sum is what it was. Counts are those of the samples that
 * are left.
 */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stddef.h>
#include <stdint.h>

/** A generator of random numbers; not for secrets. */
struct sample_dice {
	uint64_t state; /* not 0 */
};

/** From the system's random numbers. */
struct error *sample_dice_init(struct sample_dice *dice);

/** Below 1. */
double sample_dice_roll(struct sample_dice *dice);

/** Each sample with the probability @keep. Returns how many sums are left, at the beginning. */
size_t sample_thinning_apply(struct sample_dice *dice, struct named_sample *samples, size_t num,
			     double keep);

/** All of them weigh @factor times as much: of windows that were sampled by chance. */
void sample_thinning_scale(struct named_sample *samples, size_t num, double factor);

/** So many samples a service may have: a budget that grows with time. */
struct sample_budget {
	char *service;
	double left;
	uint64_t grown_ns; /* when it has grown last */
};

struct sample_budgets {
	uint32_t per_hour; /* 0: no limit */
	struct sample_budget *items;
	size_t num_items, cap_items;
};

/**
 * What part of a service's samples may be kept, in (0, 1]; it is taken from the budget. A service
 * may save what it has not used, up to an hour's; at least one sample in each window is expected to
 * be kept.
 * @window_ns: a service that is new has the budget of this time.
 */
struct error *sample_budgets_take(struct sample_budgets *budgets, const char *service,
				  uint64_t num_samples, uint64_t now_ns, uint64_t window_ns,
				  double *ret_keep);
void sample_budgets_deinit(struct sample_budgets *budgets);

#endif
