// SPDX-License-Identifier: Apache-2.0

#include "profile/sample_groups.h"

#include "base/container/array.h"

// Formats without time need equal samples once. Two stacks are equal if their functions are, though
// their lines may differ; fill_stacks() interns them again by function and lets the first one stand
// for the others. Threads with the same name stand for each other, too, if the format knows threads
// by name.
//
// Samples of two threads with one name, in two lines of f:
//
//	thread 7 "worker"  main:3 -> f:10    2 samples
//	thread 8 "worker"  main:3 -> f:12    1 sample
//
// become one group by name, with 3 samples.

// Which thread and which stack stand for each: itself, or the first one that reads the same.
struct stand_ins {
	uint32_t *threads, *stacks;
};

static void stand_ins_deinit(struct stand_ins *stand_ins)
{
	free(stand_ins->threads);
	free(stand_ins->stacks);
}

static struct error *fill_threads(const struct named_profile *profile, uint32_t *threads)
{
	_cleanup_free_ uint32_t *first_with_name =
		calloc(profile->strings.num_entries, sizeof(*first_with_name));
	if (!first_with_name)
		return &error_no_memory;
	// Backwards, so that the first thread with a name is the one that stays.
	for (uint32_t i = (uint32_t)profile->num_threads; i > 0; i--)
		first_with_name[profile->threads[i - 1].name] = i - 1;
	for (uint32_t i = 0; i < profile->num_threads; i++)
		threads[i] = first_with_name[profile->threads[i].name];
	return NULL;
}

// Equal ways of functions are one node of a stack table whose frames are functions.
static struct error *fill_stacks(const struct named_profile *profile, uint32_t *stacks)
{
	_cleanup_(stack_table_deinit) struct stack_table ways = STACK_TABLE_INIT;
	size_t num_stacks = profile->stacks.num_nodes;
	_cleanup_free_ uint32_t *way_of = calloc(num_stacks + 1, sizeof(*way_of));
	_cleanup_free_ uint32_t *first = calloc(num_stacks + 1, sizeof(*first));
	if (!way_of || !first)
		return &error_no_memory;
	for (uint32_t i = 0; i < num_stacks; i++) {
		const struct stack_node *node = &profile->stacks.nodes[i];
		uint32_t parent = node->parent == STACK_NONE ? STACK_NONE : way_of[node->parent];
		size_t num_ways = ways.num_nodes;
		struct error *err = stack_table_push(
			&ways, parent, profile->frames[node->frame].function, &way_of[i]);
		if (err)
			return err;
		if (ways.num_nodes > num_ways)
			first[way_of[i]] = i;
		stacks[i] = first[way_of[i]];
	}
	return NULL;
}

static struct error *sample_groups_fill(const struct named_profile *profile,
					enum sample_grouping grouping, struct stand_ins *stand_ins)
{
	stand_ins->threads = calloc(profile->num_threads + 1, sizeof(uint32_t));
	stand_ins->stacks = calloc(profile->stacks.num_nodes + 1, sizeof(uint32_t));
	if (!stand_ins->threads || !stand_ins->stacks)
		return &error_no_memory;
	if (grouping == SAMPLE_GROUPS_BY_NAME) {
		struct error *err = fill_threads(profile, stand_ins->threads);
		return err ? err : fill_stacks(profile, stand_ins->stacks);
	}
	for (uint32_t i = 0; i < profile->num_threads; i++)
		stand_ins->threads[i] = i;
	for (uint32_t i = 0; i < profile->stacks.num_nodes; i++)
		stand_ins->stacks[i] = i;
	return NULL;
}

struct group_key {
	uint32_t thread, stack;
};

static bool sample_groups_has_key(const void *owner, uint32_t index, const void *key)
{
	const struct sample_groups *groups = owner;
	const struct group_key *wanted = key;
	return groups->groups[index].thread == wanted->thread &&
	       groups->groups[index].stack == wanted->stack;
}

static struct error *sample_groups_add(struct sample_groups *groups, struct hash_table *index,
				       struct group_key key, const struct named_sample *sample)
{
	uint64_t hash = hash_bytes(&key, sizeof(key));
	uint32_t found = hash_table_find(index, hash, sample_groups_has_key, groups, &key);
	if (found == HASH_TABLE_NONE) {
		found = (uint32_t)groups->num_groups;
		struct error *err =
			array_reserve(&groups->groups, &groups->cap_groups, groups->num_groups + 1);
		if (!err)
			err = hash_table_insert(index, hash, found);
		if (err)
			return err;
		groups->groups[groups->num_groups++] =
			(struct sample_group){.thread = key.thread, .stack = key.stack};
	}
	named_total_add(&groups->groups[found].total,
			(struct named_total){sample->count, sample->weight});
	return NULL;
}

struct error *sample_groups_create(const struct named_profile *profile, uint32_t event,
				   enum sample_grouping grouping, struct sample_groups *ret)
{
	_cleanup_(stand_ins_deinit) struct stand_ins stand_ins = {0};
	_cleanup_(hash_table_deinit) struct hash_table index = HASH_TABLE_INIT;
	_cleanup_(sample_groups_deinit) struct sample_groups groups = SAMPLE_GROUPS_INIT;
	struct error *err = sample_groups_fill(profile, grouping, &stand_ins);
	for (size_t i = 0; !err && i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		if (event != NAMED_NONE && sample->event != event)
			continue;
		struct group_key key = {.thread = stand_ins.threads[sample->thread],
					.stack = STACK_NONE};
		if (sample->stack != STACK_NONE)
			key.stack = stand_ins.stacks[sample->stack];
		err = sample_groups_add(&groups, &index, key, sample);
	}
	if (err)
		return err;
	*ret = groups;
	groups = (struct sample_groups)SAMPLE_GROUPS_INIT;
	return NULL;
}

void sample_groups_deinit(struct sample_groups *groups)
{
	free(groups->groups);
	*groups = (struct sample_groups)SAMPLE_GROUPS_INIT;
}
