// SPDX-License-Identifier: Apache-2.0

#include "fleet/otlp/otlp_sums.h"

#include "base/container/array.h"
#include "base/container/hash_table.h"
#include "base/saturating_sum.h"

#include <string.h>

// What tells sums apart, without gaps, to be hashed and compared as bytes.
struct otlp_sum_key {
	uint32_t event, thread, stack, cpu, gil;
};

static struct otlp_sum_key otlp_sum_key(const struct named_sample *sample)
{
	return (struct otlp_sum_key){sample->event, sample->thread, sample->stack, sample->cpu,
				     sample->gil};
}

static bool otlp_sums_has_key(const void *owner, uint32_t index, const void *key)
{
	const struct otlp_sums *sums = owner;
	struct otlp_sum_key has = otlp_sum_key(&sums->sums[index].sample);
	return memcmp(&has, key, sizeof(has)) == 0;
}

static struct error *otlp_sums_add(struct otlp_sums *sums, struct hash_table *index,
				   const struct named_sample *sample)
{
	struct otlp_sum_key key = otlp_sum_key(sample);
	uint64_t hash = hash_bytes(&key, sizeof(key));
	uint32_t found = hash_table_find(index, hash, otlp_sums_has_key, sums, &key);
	if (found == HASH_TABLE_NONE) {
		found = (uint32_t)sums->num_sums;
		struct error *err = array_reserve(&sums->sums, &sums->cap_sums, sums->num_sums + 1);
		if (!err)
			err = hash_table_insert(index, hash, found);
		if (err)
			return err;
		sums->sums[sums->num_sums++] =
			(struct otlp_sum){.sample = *sample, .next = NAMED_NONE};
	}
	struct named_total *total = &sums->sums[found].total;
	struct named_total *all = &sums->totals[sample->event];
	total->count = saturating_sum(total->count, sample->count);
	total->weight = saturating_sum(total->weight, sample->weight);
	all->count = saturating_sum(all->count, sample->count);
	all->weight = saturating_sum(all->weight, sample->weight);
	return NULL;
}

// Backwards, so that the list of each event has them in their order.
static void otlp_sums_link(struct otlp_sums *sums, size_t num_events)
{
	for (size_t i = 0; i < num_events; i++)
		sums->first[i] = NAMED_NONE;
	for (size_t i = sums->num_sums; i > 0; i--) {
		struct otlp_sum *sum = &sums->sums[i - 1];
		sum->next = sums->first[sum->sample.event];
		sums->first[sum->sample.event] = (uint32_t)(i - 1);
	}
}

struct error *otlp_sums_create(const struct named_profile *profile, struct otlp_sums *ret)
{
	_cleanup_(hash_table_deinit) struct hash_table index = HASH_TABLE_INIT;
	_cleanup_(otlp_sums_deinit) struct otlp_sums sums = {
		.first = calloc(profile->num_events + 1, sizeof(*sums.first)),
		.totals = calloc(profile->num_events + 1, sizeof(*sums.totals)),
	};
	if (!sums.first || !sums.totals)
		return &error_no_memory;
	for (size_t i = 0; i < profile->num_samples; i++) {
		struct error *err = otlp_sums_add(&sums, &index, &profile->samples[i]);
		if (err)
			return err;
	}
	otlp_sums_link(&sums, profile->num_events);
	*ret = sums;
	sums = (struct otlp_sums)OTLP_SUMS_INIT;
	return NULL;
}

void otlp_sums_deinit(struct otlp_sums *sums)
{
	free(sums->sums);
	free(sums->first);
	free(sums->totals);
	*sums = (struct otlp_sums)OTLP_SUMS_INIT;
}

uint64_t otlp_sums_count(uint64_t value, uint64_t period)
{
	return period && value && value % period == 0 ? value / period : 1;
}
