/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_STORE_PAIR_H
#define WPERF_FLEET_STORE_STORE_PAIR_H

/** Sums by stack, as engines keep them of each window. */

#include "profile/named_profile.h"

#include <stddef.h>
#include <stdint.h>

struct store_pair {
	uint64_t stack; /* the engine's number */
	struct named_total total;
};

/** Sort by stack, and make pairs of equal stacks one. @num: how many are left. */
void store_pair_sort(struct store_pair *pairs, size_t *num);

/** What a sample weighs, if all weigh the same; else 0. */
uint64_t store_pair_scale(const struct store_pair *pairs, size_t num);

/** The sum of all, as far as engines keep it: each part at most INT64_MAX. */
struct named_total store_pair_sum(const struct store_pair *pairs, size_t num);

/** At most INT64_MAX, which is what SQLite can keep: engines answer alike. */
static inline uint64_t store_pair_limit(uint64_t amount)
{
	return amount > INT64_MAX ? INT64_MAX : amount;
}

#endif
