// SPDX-License-Identifier: Apache-2.0

#include "session/sample_sums.h"

// A profile with millions of samples has few different ones: those that agree in stack, thread,
// event, CPU, state of the GIL and values are one entry with a count and a weight, at the time of
// the first. The entries are the samples of the profile itself, so nothing has to be converted at
// the end; the hash table here only finds them. It is too large for the caches, hence the
// prefetches: see add_up() in profile_builder.c.

uint64_t sample_sums_hash(const struct named_sample *sample)
{
	const uint32_t key[] = {sample->stack, sample->thread, sample->event,
				sample->cpu,   sample->gil,    sample->values};
	return hash_bytes(key, sizeof(key));
}

static bool sample_sums_is_like(const void *owner, uint32_t index, const void *key)
{
	const struct named_sample *a = &((const struct named_profile *)owner)->samples[index];
	const struct named_sample *b = key;
	return a->stack == b->stack && a->thread == b->thread && a->event == b->event &&
	       a->cpu == b->cpu && a->gil == b->gil && a->values == b->values;
}

void sample_sums_prefetch_index(const struct sample_sums *sums, uint64_t hash)
{
	hash_table_prefetch(&sums->index, hash);
}

void sample_sums_prefetch_sample(const struct sample_sums *sums,
				 const struct named_profile *profile, uint64_t hash)
{
	uint32_t index = hash_table_guess(&sums->index, hash);
	if (index == HASH_TABLE_NONE)
		return;
	const struct named_sample *sample = &profile->samples[index];
	// It may lie across two lines of the cache.
	__builtin_prefetch(&sample->time_ns);
	__builtin_prefetch(&sample->cpu);
}

struct error *sample_sums_add(struct sample_sums *sums, struct named_profile *profile,
			      uint64_t hash, const struct named_sample *sample)
{
	uint32_t index = hash_table_find(&sums->index, hash, sample_sums_is_like, profile, sample);
	if (index != HASH_TABLE_NONE) {
		profile->samples[index].count++;
		profile->samples[index].weight += sample->weight;
		return NULL;
	}
	struct error *err = hash_table_insert(&sums->index, hash, (uint32_t)profile->num_samples);
	return err ? err : named_profile_add(profile, sample);
}

void sample_sums_deinit(struct sample_sums *sums)
{
	hash_table_deinit(&sums->index);
}
