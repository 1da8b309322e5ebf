// SPDX-License-Identifier: Apache-2.0

#include "session/spe_batch.h"

#include "profile/tree/stack_table.h"
#include "record/spe/spe_core.h"

// The same idea as the batch of profile_builder.c, for the tables of SPE. spe_batch_prefetch() goes
// over the batch three times, from the index of each table to its items to the counts in them, and
// each pass needs what the one before has fetched. Only then are the samples added, one by one.
//
// Each sample is added twice. The tables of SPE get what it says of one operation: its events, its
// data source, the target of its branch. And it becomes a sample of the event SPE_LATENCY_EVENT
// (or MEMORY_LATENCY_EVENT), with its total latency in cycles as the weight, so that hot lists,
// call trees and flame graphs can show by code where operations wait.

struct spe_sample *spe_batch_add(struct spe_batch *batch, const struct record *record,
				 const struct named_sample *named, bool tells_threads)
{
	struct spe_sample *sample = &batch->samples[batch->num];
	*sample = (struct spe_sample){
		.record = *record->sample.spe,
		.place = {.thread = tells_threads ? named->thread : NAMED_NONE,
			  .event = named->event,
			  .midr = record->sample.spe_midr},
		.pid = record->pid,
		.line_thread = named->thread,
		.target_stack = STACK_NONE,
	};
	batch->named[batch->num++] = *named;
	return sample;
}

void spe_batch_set_stack(struct spe_batch *batch, size_t number, uint32_t stack)
{
	batch->samples[number].place.stack = stack;
	batch->named[number].stack = stack;
}

static struct error *add_latency_event(struct named_profile *profile, uint32_t midr)
{
	const char *name = midr == SPE_CORE_OF_PERF ? MEMORY_LATENCY_EVENT : SPE_LATENCY_EVENT;
	struct named_event event = {0};
	if (profile->spe->latency_event != NAMED_NONE)
		return NULL;
	struct error *err = named_profile_string(profile, name, &event.name);
	if (!err)
		err = named_profile_string(profile, "cycles", &event.unit);
	return err ? err : named_profile_event(profile, &event, &profile->spe->latency_event);
}

/** Not all operations have a latency: the packet may be missing. */
static bool has_latency(const struct spe_sample *sample)
{
	return spe_record_has_latency(&sample->record, SPE_COUNTER_TOTAL);
}

static struct error *set_latencies(struct spe_batch *batch, struct named_profile *profile)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < batch->num; i++) {
		if (!has_latency(&batch->samples[i]))
			continue;
		err = add_latency_event(profile, batch->samples[i].place.midr);
		batch->named[i].event = profile->spe->latency_event;
		batch->named[i].weight =
			spe_record_latency(&batch->samples[i].record, SPE_COUNTER_TOTAL);
	}
	return err;
}

static void spe_batch_prefetch(struct spe_batch *batch, const struct named_profile *profile,
			       const struct sample_sums *sums)
{
	for (size_t i = 0; i < batch->num; i++) {
		spe_profile_prefetch_index(profile->spe, &batch->samples[i]);
		batch->hashes[i] = sample_sums_hash(&batch->named[i]);
		if (sums)
			sample_sums_prefetch_index(sums, batch->hashes[i]);
	}
	for (size_t i = 0; i < batch->num; i++) {
		spe_profile_prefetch_items(profile->spe, &batch->samples[i]);
		if (sums)
			sample_sums_prefetch_sample(sums, profile, batch->hashes[i]);
	}
	for (size_t i = 0; i < batch->num; i++)
		spe_profile_prefetch_counts(profile->spe, &batch->samples[i]);
}

struct error *spe_batch_take(struct spe_batch *batch, struct named_profile *profile,
			     struct sample_sums *sums)
{
	if (!batch->num)
		return NULL;
	struct error *err = profile->spe ? NULL : spe_profile_create(&profile->spe);
	if (!err)
		err = set_latencies(batch, profile);
	if (!err)
		spe_batch_prefetch(batch, profile, sums);
	for (size_t i = 0; !err && i < batch->num; i++) {
		err = spe_profile_add(profile->spe, &batch->samples[i]);
		if (err || !has_latency(&batch->samples[i]))
			continue;
		err = sums ? sample_sums_add(sums, profile, batch->hashes[i], &batch->named[i])
			   : named_profile_add(profile, &batch->named[i]);
	}
	batch->num = 0;
	return err;
}
