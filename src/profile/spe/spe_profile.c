// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/spe_profile.h"

#include "profile/tree/stack_table.h"
#include "record/record.h"
#include "record/spe/spe_core.h"
#include "record/spe/spe_event.h"
#include "record/spe/spe_operation.h"

#include <stdlib.h>

// One SPE sample goes to three sums: groups by place and events (spe_sums.c), cache lines if it has
// the address of data (cache_lines.c), and branches with their targets (spe_targets.c).
//
// All three tables are larger than the caches, so that adding a sample alone would wait for memory
// several times. Samples are added in batches instead: three passes of prefetches, each for what
// the pass before has made known (the index, the items, their counts), and then the additions
// (spe_batch.c).

struct error *spe_profile_create(struct spe_profile **ret)
{
	struct spe_profile *profile = calloc(1, sizeof(*profile));
	if (!profile)
		return &error_no_memory;
	profile->lines = (struct cache_lines)CACHE_LINES_INIT;
	profile->latency_event = UINT32_MAX;
	*ret = profile;
	return NULL;
}

void spe_profile_destroy(struct spe_profile *profile)
{
	if (!profile)
		return;
	spe_sums_deinit(&profile->sums);
	spe_targets_deinit(&profile->targets);
	cache_lines_deinit(&profile->lines);
	free(profile);
}

bool spe_profile_is_of_arm(const struct spe_profile *profile)
{
	// A recording is of one machine.
	return !profile->sums.num_groups || profile->sums.groups[0].midr != SPE_CORE_OF_PERF;
}

bool spe_sample_has_data(const struct spe_sample *sample)
{
	return spe_record_has_address(&sample->record, SPE_ADDRESS_VIRTUAL);
}

bool spe_sample_has_target(const struct spe_sample *sample)
{
	return spe_record_has_address(&sample->record, SPE_ADDRESS_BRANCH_TARGET);
}

// Another core's cache had it; or had changed it, wherever it was found then.
static bool is_shared(const struct spe_record *record, uint32_t midr)
{
	struct spe_origin origin = spe_origin_of(record, midr);
	return origin.level == SPE_DISTANCE_PEER_CORE ||
	       origin.level == SPE_DISTANCE_PEER_CLUSTER ||
	       (origin.source && origin.source->is_modified) ||
	       spe_record_has_event(record, SPE_EVENT_MODIFIED) ||
	       spe_record_has_event(record, SPE_EVENT_SNOOPED);
}

// The kernel's addresses are those of all processes.
static struct cache_line_key spe_profile_line_key(const struct spe_sample *sample)
{
	uint64_t address = spe_record_address(&sample->record, SPE_ADDRESS_VIRTUAL);
	return (struct cache_line_key){address / CACHE_LINE_BYTES,
				       record_is_kernel_address(address) ? 0 : sample->pid};
}

static struct error *spe_profile_add_line(struct spe_profile *profile,
					  const struct spe_sample *sample)
{
	const struct spe_record *record = &sample->record;
	struct spe_operation operation =
		spe_operation_of(spe_record_class(record), spe_record_operation(record));
	const struct cache_line_sample line = {
		.address = spe_record_address(record, SPE_ADDRESS_VIRTUAL),
		.pid = spe_profile_line_key(sample).pid,
		.thread = sample->line_thread,
		.stack = sample->place.stack,
		.is_write = operation.flags & (SPE_OPERATION_IS_STORE | SPE_OPERATION_IS_ATOMIC),
		.is_shared = is_shared(record, sample->place.midr),
		.has_latency = spe_record_has_latency(record, SPE_COUNTER_TOTAL),
		.latency = spe_record_latency(record, SPE_COUNTER_TOTAL),
	};
	return cache_lines_add(&profile->lines, &line);
}

struct error *spe_profile_add(struct spe_profile *profile, const struct spe_sample *sample)
{
	struct error *err = spe_sums_add(&profile->sums, &sample->record, &sample->place);
	if (!err && spe_sample_has_data(sample))
		err = spe_profile_add_line(profile, sample);
	if (err || !spe_sample_has_target(sample))
		return err;
	const struct spe_target target = {
		.from = sample->place.stack,
		.to = sample->target_stack,
		.event = sample->place.event,
		.thread = sample->place.thread,
	};
	return spe_targets_add(&profile->targets, &target,
			       spe_record_has_event(&sample->record, SPE_EVENT_MISPREDICTED));
}

void spe_profile_prefetch_index(const struct spe_profile *profile, struct spe_sample *sample)
{
	sample->hash = spe_sums_hash(&sample->record, &sample->place);
	hash_table_prefetch(&profile->sums.index, sample->hash);
	if (spe_sample_has_data(sample))
		cache_lines_prefetch_set(&profile->lines, spe_profile_line_key(sample));
}

void spe_profile_prefetch_items(const struct spe_profile *profile, struct spe_sample *sample)
{
	spe_sums_prefetch_group(&profile->sums, sample->hash);
	if (spe_sample_has_data(sample))
		sample->line_place =
			cache_lines_prefetch_line(&profile->lines, spe_profile_line_key(sample));
}

void spe_profile_prefetch_counts(const struct spe_profile *profile, const struct spe_sample *sample)
{
	spe_sums_prefetch_latencies(&profile->sums, sample->hash, &sample->record);
	if (spe_sample_has_data(sample))
		cache_lines_prefetch_access(&profile->lines, sample->line_place);
}

static void spe_profile_renumber(uint32_t *stack, const uint32_t *stacks)
{
	if (*stack != STACK_NONE)
		*stack = stacks[*stack];
}

void spe_profile_renumber_stacks(struct spe_profile *profile, const uint32_t *stacks)
{
	for (size_t i = 0; i < profile->sums.num_groups; i++)
		spe_profile_renumber(&profile->sums.groups[i].stack, stacks);
	for (size_t i = 0; i < profile->targets.num_items; i++) {
		spe_profile_renumber(&profile->targets.items[i].from, stacks);
		spe_profile_renumber(&profile->targets.items[i].to, stacks);
	}
	for (size_t i = 0; i < profile->lines.num_accesses; i++)
		spe_profile_renumber(&profile->lines.accesses[i].stack, stacks);
}
