// SPDX-License-Identifier: Apache-2.0

#include "fleet/store/store_pair.h"

#include "base/saturating_sum.h"

#include <stdlib.h>

static int store_pair_compare(const void *a, const void *b)
{
	const struct store_pair *one = a, *other = b;
	return (one->stack > other->stack) - (one->stack < other->stack);
}

void store_pair_sort(struct store_pair *pairs, size_t *num)
{
	size_t kept = 0;
	if (*num)
		qsort(pairs, *num, sizeof(*pairs), store_pair_compare);
	for (size_t i = 0; i < *num; i++) {
		struct named_total *last = kept ? &pairs[kept - 1].total : NULL;
		if (!last || pairs[kept - 1].stack != pairs[i].stack) {
			pairs[kept++] = pairs[i];
			continue;
		}
		last->count = saturating_sum(last->count, pairs[i].total.count);
		last->weight = saturating_sum(last->weight, pairs[i].total.weight);
	}
	*num = kept;
}

uint64_t store_pair_scale(const struct store_pair *pairs, size_t num)
{
	uint64_t scale =
		num && pairs[0].total.count ? pairs[0].total.weight / pairs[0].total.count : 0;
	for (size_t i = 0; i < num; i++) {
		uint64_t weight;
		if (__builtin_mul_overflow(pairs[i].total.count, scale, &weight) ||
		    weight != pairs[i].total.weight)
			return 0;
	}
	return scale;
}

struct named_total store_pair_sum(const struct store_pair *pairs, size_t num)
{
	struct named_total sum = {0, 0};
	for (size_t i = 0; i < num; i++) {
		sum.count = saturating_sum(sum.count, pairs[i].total.count);
		sum.weight = saturating_sum(sum.weight, pairs[i].total.weight);
	}
	return (struct named_total){store_pair_limit(sum.count), store_pair_limit(sum.weight)};
}
