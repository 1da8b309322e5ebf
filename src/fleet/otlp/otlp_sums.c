// SPDX-License-Identifier: Apache-2.0

#include "fleet/otlp/otlp_sums.h"

#include "base/container/array.h"
#include "base/container/hash_table.h"
#include "base/saturating_sum.h"

#include <string.h>

// What tells sums apart, without gaps, to be hashed and compared as bytes. OTLP has a weight for
// each time, but no count: where times are kept, samples with counts of their own are sums apart.
struct otlp_sum_key {
	uint32_t event, thread, stack, cpu, gil, has_count, count;
};

static struct otlp_sum_key otlp_sum_key(const struct named_sample *sample, bool has_count)
{
	return (struct otlp_sum_key){
		.event = sample->event,
		.thread = sample->thread,
		.stack = sample->stack,
		.cpu = sample->cpu,
		.gil = sample->gil,
		.has_count = has_count,
		.count = has_count ? sample->count : 0,
	};
}

static bool otlp_sums_has_key(const void *owner, uint32_t index, const void *key)
{
	const struct otlp_sums *sums = owner;
	const struct otlp_sum *sum = &sums->sums[index];
	struct otlp_sum_key has = otlp_sum_key(&sum->sample, sum->has_count);
	return memcmp(&has, key, sizeof(has)) == 0;
}

/** @has_count: only where times are kept. */
static struct error *otlp_sums_find(struct otlp_sums *sums, struct hash_table *index,
				    const struct named_sample *sample, bool has_count,
				    struct otlp_sum **ret)
{
	struct otlp_sum_key key = otlp_sum_key(sample, has_count);
	uint64_t hash = hash_bytes(&key, sizeof(key));
	uint32_t found = hash_table_find(index, hash, otlp_sums_has_key, sums, &key);
	if (found == HASH_TABLE_NONE) {
		found = (uint32_t)sums->num_sums;
		struct error *err = array_reserve(&sums->sums, &sums->cap_sums, sums->num_sums + 1);
		if (!err)
			err = hash_table_insert(index, hash, found);
		if (err)
			return err;
		sums->sums[sums->num_sums++] = (struct otlp_sum){.sample = *sample,
								 .has_count = has_count,
								 .next = NAMED_NONE,
								 .first_sample = NAMED_NONE};
	}
	*ret = &sums->sums[found];
	return NULL;
}

static void otlp_sums_add(struct named_total *total, const struct named_sample *sample)
{
	total->count = saturating_sum(total->count, sample->count);
	total->weight = saturating_sum(total->weight, sample->weight);
}

static struct error *otlp_sums_take(struct otlp_sums *sums, struct hash_table *index,
				    const struct named_profile *profile, uint32_t number)
{
	const struct named_sample *sample = &profile->samples[number];
	uint64_t period = sums->periods[sample->event];
	bool has_count =
		sums->next_sample && sample->count != otlp_sums_count(sample->weight, period);
	struct otlp_sum *sum;
	struct error *err = otlp_sums_find(sums, index, sample, has_count, &sum);
	if (err)
		return err;
	otlp_sums_add(&sum->total, sample);
	if (!sums->next_sample)
		return NULL;
	sums->next_sample[number] = NAMED_NONE;
	if (sum->first_sample == NAMED_NONE)
		sum->first_sample = number;
	else
		sums->next_sample[sum->last_sample] = number;
	sum->last_sample = number;
	return NULL;
}

// Never 0: receivers refuse that.
static struct error *otlp_sums_find_periods(struct otlp_sums *sums,
					    const struct named_profile *profile)
{
	_cleanup_free_ struct named_total *totals =
		calloc(profile->num_events + 1, sizeof(*totals));
	if (!totals)
		return &error_no_memory;
	for (size_t i = 0; i < profile->num_samples; i++)
		otlp_sums_add(&totals[profile->samples[i].event], &profile->samples[i]);
	for (size_t i = 0; i < profile->num_events; i++) {
		uint64_t period = profile->events[i].period;
		if (!period && totals[i].count)
			period = totals[i].weight / totals[i].count;
		period = period < INT64_MAX ? period : INT64_MAX;
		sums->periods[i] = period ? period : 1;
	}
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

struct error *otlp_sums_create(const struct named_profile *profile, bool keeps_times,
			       struct otlp_sums *ret)
{
	_cleanup_(hash_table_deinit) struct hash_table index = HASH_TABLE_INIT;
	_cleanup_(otlp_sums_deinit) struct otlp_sums sums = {
		.first = calloc(profile->num_events + 1, sizeof(*sums.first)),
		.periods = calloc(profile->num_events + 1, sizeof(*sums.periods)),
	};
	if (keeps_times)
		sums.next_sample = calloc(profile->num_samples + 1, sizeof(*sums.next_sample));
	if (!sums.first || !sums.periods || (keeps_times && !sums.next_sample))
		return &error_no_memory;
	struct error *err = otlp_sums_find_periods(&sums, profile);
	for (uint32_t i = 0; !err && i < profile->num_samples; i++)
		err = otlp_sums_take(&sums, &index, profile, i);
	if (err)
		return err;
	otlp_sums_link(&sums, profile->num_events);
	*ret = sums;
	sums = (struct otlp_sums)OTLP_SUMS_INIT;
	return NULL;
}

void otlp_sums_deinit(struct otlp_sums *sums)
{
	free(sums->sums);
	free(sums->first);
	free(sums->periods);
	free(sums->next_sample);
	*sums = (struct otlp_sums)OTLP_SUMS_INIT;
}

uint64_t otlp_sums_count(uint64_t value, uint64_t period)
{
	return period && value && value % period == 0 ? value / period : 1;
}
