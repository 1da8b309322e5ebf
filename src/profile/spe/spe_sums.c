// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/spe_sums.h"

#include "base/container/array.h"
#include "record/spe/spe_source_name.h"

#include <stdlib.h>
#include <string.h>

// The key of a group is the beginning of its structure, compared and hashed as bytes (KEY_BYTES,
// without padding): events, data source, operation, stack, thread, event, CPU type. There are few
// different combinations at a place, so groups stay few although there may be billions of samples.
// Latencies are histograms in the group.
//
//	key    events, data source, operation (64 bits each), stack, thread, event, midr (32 bits)
//	value  origin of the data, number of samples, a histogram for each kind of latency

// What a group is told apart by stands in front of all else, without gaps.
enum { KEY_BYTES = offsetof(struct spe_group, origin) };

_Static_assert(KEY_BYTES == 3 * sizeof(uint64_t) + 4 * sizeof(uint32_t),
	       "no gaps in what is compared as bytes");

static bool spe_sums_is_like(const void *owner, uint32_t index, const void *key)
{
	const struct spe_sums *sums = owner;
	return memcmp(&sums->groups[index], key, KEY_BYTES) == 0;
}

static uint64_t spe_sums_value_of(const struct spe_record *record, enum spe_value value)
{
	return spe_record_has(record, value) ? record->values[value] : SPE_VALUE_ABSENT;
}

static struct spe_group make_group(const struct spe_record *record, const struct spe_place *place)
{
	return (struct spe_group){
		.events = record->values[SPE_VALUE_EVENTS],
		.data_source = spe_sums_value_of(record, SPE_VALUE_DATA_SOURCE),
		.operation = spe_sums_value_of(record, SPE_VALUE_OPERATION),
		.stack = place->stack,
		.thread = place->thread,
		.event = place->event,
		.midr = place->midr,
	};
}

static struct error *spe_sums_find_group(struct spe_sums *sums, const struct spe_group *wanted,
					 struct spe_group **ret)
{
	uint64_t hash = hash_bytes(wanted, KEY_BYTES);
	uint32_t index = hash_table_find(&sums->index, hash, spe_sums_is_like, sums, wanted);
	if (index == HASH_TABLE_NONE) {
		index = (uint32_t)sums->num_groups;
		struct error *err =
			array_reserve(&sums->groups, &sums->cap_groups, sums->num_groups + 1);
		if (!err)
			err = hash_table_insert(&sums->index, hash, index);
		if (err)
			return err;
		sums->groups[sums->num_groups++] = *wanted;
	}
	*ret = &sums->groups[index];
	return NULL;
}

struct error *spe_latency_add(struct spe_latency *latency, uint32_t cycles)
{
	latency->count++;
	latency->sum += cycles;
	if (cycles > latency->max)
		latency->max = cycles;
	return log_histogram_add(&latency->histogram, cycles);
}

struct error *spe_latency_merge(struct spe_latency *latency, const struct spe_latency *other)
{
	latency->count += other->count;
	latency->sum += other->sum;
	if (other->max > latency->max)
		latency->max = other->max;
	return log_histogram_merge(&latency->histogram, &other->histogram);
}

void spe_latency_deinit(struct spe_latency *latency)
{
	log_histogram_deinit(&latency->histogram);
}

struct error *spe_sums_add(struct spe_sums *sums, const struct spe_record *record,
			   const struct spe_place *place)
{
	const struct spe_group wanted = make_group(record, place);
	struct spe_group *group;
	struct error *err = spe_sums_find_group(sums, &wanted, &group);
	if (err)
		return err;
	sums->num_samples++;
	// All that the origin depends on is in the key: one look-up per group.
	if (!group->count++)
		group->origin = spe_origin_of(record, place->midr);
	for (unsigned i = 0; !err && i < SPE_NUM_LATENCIES; i++)
		if (spe_record_has_latency(record, i))
			err = spe_latency_add(&group->latencies[i], spe_record_latency(record, i));
	return err;
}

uint64_t spe_sums_hash(const struct spe_record *record, const struct spe_place *place)
{
	const struct spe_group group = make_group(record, place);
	return hash_bytes(&group, KEY_BYTES);
}

void spe_sums_prefetch_group(const struct spe_sums *sums, uint64_t hash)
{
	enum { LINE = 64 };
	uint32_t index = hash_table_guess(&sums->index, hash);
	if (index == HASH_TABLE_NONE)
		return;
	const char *bytes = (const char *)&sums->groups[index];
	for (size_t i = 0; i < sizeof(*sums->groups); i += LINE)
		__builtin_prefetch(bytes + i);
}

void spe_sums_prefetch_latencies(const struct spe_sums *sums, uint64_t hash,
				 const struct spe_record *record)
{
	uint32_t index = hash_table_guess(&sums->index, hash);
	for (unsigned i = 0; index != HASH_TABLE_NONE && i < SPE_NUM_LATENCIES; i++)
		if (spe_record_has_latency(record, i))
			log_histogram_prefetch(&sums->groups[index].latencies[i].histogram,
					       spe_record_latency(record, i));
}

uint32_t spe_group_name_key(const struct spe_group *group)
{
	struct spe_record record = {};
	record.values[SPE_VALUE_EVENTS] = group->events;
	if (group->operation != SPE_VALUE_ABSENT)
		record.values[SPE_VALUE_OPERATION] = group->operation;
	return spe_source_name_key(&record);
}

void spe_sums_deinit(struct spe_sums *sums)
{
	for (size_t i = 0; i < sums->num_groups; i++)
		for (size_t k = 0; k < SPE_NUM_LATENCIES; k++)
			spe_latency_deinit(&sums->groups[i].latencies[k]);
	free(sums->groups);
	hash_table_deinit(&sums->index);
	*sums = (struct spe_sums)SPE_SUMS_INIT;
}
