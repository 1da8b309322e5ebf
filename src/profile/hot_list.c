// SPDX-License-Identifier: Apache-2.0

#include "profile/hot_list.h"

#include "base/array.h"
#include "profile/stack_preorder.h"
#include "profile/stack_sums.h"

#include <inttypes.h>
#include <string.h>

// What entries are told apart by: numbers, to be hashed and compared as bytes.
struct group_key {
	uint64_t words[2];
};

struct grouping {
	struct hash_table index;
	struct group_key *keys; /* of each entry of the list */
	size_t cap_keys;
	struct hot_list *list;
};

static void grouping_deinit(struct grouping *grouping)
{
	hash_table_deinit(&grouping->index);
	free(grouping->keys);
}

static bool has_key(const void *owner, uint32_t index, const void *key)
{
	const struct grouping *grouping = owner;
	return memcmp(&grouping->keys[index], key, sizeof(grouping->keys[index])) == 0;
}

static struct error *add_entry(struct grouping *grouping, const struct group_key *key,
			       uint64_t hash, uint32_t item)
{
	struct hot_list *list = grouping->list;
	size_t index = list->num_entries;
	struct error *err = array_reserve(&list->entries, &list->cap_entries, index + 1);
	if (!err)
		err = array_reserve(&grouping->keys, &grouping->cap_keys, index + 1);
	if (!err)
		err = hash_table_insert(&grouping->index, hash, (uint32_t)index);
	if (err)
		return err;
	list->entries[index] = (struct hot_entry){.item = item};
	grouping->keys[index] = *key;
	list->num_entries++;
	return NULL;
}

// The number of the entry with this key; if it is new, @item is what it stands for.
static struct error *find_entry(struct grouping *grouping, struct group_key key, uint32_t item,
				uint32_t *ret)
{
	uint64_t hash = hash_bytes(&key, sizeof(key));
	uint32_t index = hash_table_find(&grouping->index, hash, has_key, grouping, &key);
	if (index == HASH_TABLE_NONE) {
		index = (uint32_t)grouping->list->num_entries;
		struct error *err = add_entry(grouping, &key, hash, item);
		if (err)
			return err;
	}
	*ret = index;
	return NULL;
}

static uint64_t join(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

static const struct named_function *function_of(const struct named_profile *profile, uint32_t frame)
{
	return &profile->functions[profile->frames[frame].function];
}

static struct group_key function_key(const struct named_profile *profile, uint32_t frame)
{
	return (struct group_key){{profile->frames[frame].function}};
}

static struct group_key line_key(const struct named_profile *profile, uint32_t index)
{
	const struct named_frame *frame = &profile->frames[index];
	return (struct group_key){{join(frame->function, frame->file), frame->line}};
}

static struct group_key module_key(const struct named_profile *profile, uint32_t frame)
{
	return (struct group_key){{function_of(profile, frame)->module}};
}

static struct group_key address_key(const struct named_profile *profile, uint32_t index)
{
	const struct named_frame *frame = &profile->frames[index];
	if (!frame->address)
		return line_key(profile, index);
	// No line's key has this function.
	return (struct group_key){
		{join(NAMED_NONE, function_of(profile, index)->module), frame->address}};
}

static struct group_key thread_key(const struct named_profile *profile, uint32_t thread)
{
	return (struct group_key){{thread}};
}

static struct group_key process_key(const struct named_profile *profile, uint32_t thread)
{
	return (struct group_key){{profile->threads[thread].process_name}};
}

static struct group_key cpu_key(const struct named_profile *profile, uint32_t cpu)
{
	return (struct group_key){{cpu}};
}

static uint32_t frame_function(const struct named_profile *profile, uint32_t frame)
{
	return profile->frames[frame].function;
}

static uint32_t frame_module(const struct named_profile *profile, uint32_t frame)
{
	return function_of(profile, frame)->module;
}

static uint32_t frame_itself(const struct named_profile *profile, uint32_t frame)
{
	return frame;
}

static uint32_t sample_thread(const struct named_sample *sample)
{
	return sample->thread;
}

static uint32_t sample_cpu(const struct named_sample *sample)
{
	return sample->cpu;
}

struct hot_key_info {
	const char *name;
	/** The key of a frame; or, where sample_item is set, of what that gives. */
	struct group_key (*key)(const struct named_profile *profile, uint32_t index);
	uint32_t (*frame_item)(const struct named_profile *profile, uint32_t frame);
	uint32_t (*sample_item)(const struct named_sample *sample);
};

static const struct hot_key_info key_infos[HOT_NUM_KEYS] = {
	[HOT_FUNCTION] = {"function", function_key, .frame_item = frame_function},
	[HOT_LINE] = {"line", line_key, .frame_item = frame_itself},
	[HOT_MODULE] = {"module", module_key, .frame_item = frame_module},
	[HOT_ADDRESS] = {"address", address_key, .frame_item = frame_itself},
	[HOT_THREAD] = {"thread", thread_key, .sample_item = sample_thread},
	[HOT_PROCESS] = {"process", process_key, .sample_item = sample_thread},
	[HOT_CPU] = {"cpu", cpu_key, .sample_item = sample_cpu},
};

const char *hot_key_name(enum hot_key key)
{
	return key_infos[key].name;
}

enum hot_key hot_key_find(const char *name)
{
	enum hot_key key = 0;
	while (key < HOT_NUM_KEYS && strcmp(key_infos[key].name, name) != 0)
		key++;
	return key;
}

// Samples come in runs of the same thread, on the same CPU: only a change asks the index.
static struct error *sum_samples(const struct named_profile *profile,
				 const struct profile_filter *filter, struct grouping *grouping)
{
	struct hot_list *list = grouping->list;
	const struct hot_key_info *info = &key_infos[list->key];
	uint32_t item = 0;
	uint32_t entry = NAMED_NONE;
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		if (!profile_filter_takes(filter, sample))
			continue;
		if (entry == NAMED_NONE || item != info->sample_item(sample)) {
			item = info->sample_item(sample);
			struct error *err =
				find_entry(grouping, info->key(profile, item), item, &entry);
			if (err)
				return err;
		}
		struct named_total sum = {sample->count, sample->weight};
		named_total_add(&list->entries[entry].self, sum);
		named_total_add(&list->whole, sum);
	}
	for (size_t i = 0; i < list->num_entries; i++)
		list->entries[i].total = list->entries[i].self;
	return NULL;
}

// An instruction's inlined frames have its address, too; it stands for the function around.
static void prefer_outer_frame(const struct named_profile *profile, uint32_t frame,
			       struct hot_entry *entry)
{
	if (profile->frames[entry->item].is_inlined && !profile->frames[frame].is_inlined)
		entry->item = frame;
}

static struct error *group_frames(const struct named_profile *profile, struct grouping *grouping,
				  uint32_t *groups)
{
	struct hot_list *list = grouping->list;
	const struct hot_key_info *info = &key_infos[list->key];
	for (uint32_t i = 0; i < profile->num_frames; i++) {
		struct error *err = find_entry(grouping, info->key(profile, i),
					       info->frame_item(profile, i), &groups[i]);
		if (err)
			return err;
		if (list->key == HOT_ADDRESS)
			prefer_outer_frame(profile, i, &list->entries[groups[i]]);
	}
	return NULL;
}

// Walks the tree with the path to each node: a total goes to an entry only where no caller is of
// the same entry. @num_open: how many nodes of the path are of each entry.
static struct error *add_stacks(const struct named_profile *profile, const struct stack_sums *sums,
				const uint32_t *groups, struct hot_list *list)
{
	const struct stack_table *stacks = &profile->stacks;
	_cleanup_free_ uint32_t *order = NULL;
	_cleanup_free_ uint32_t *path = calloc(stacks->num_nodes + 1, sizeof(*path));
	_cleanup_free_ uint32_t *num_open = calloc(list->num_entries + 1, sizeof(*num_open));
	if (!path || !num_open)
		return &error_no_memory;
	struct error *err = stack_preorder_create(stacks, NULL, &order);
	if (err)
		return err;
	uint32_t path_length = 0;
	for (size_t i = 0; i < stacks->num_nodes; i++) {
		const struct stack_node *node = &stacks->nodes[order[i]];
		while (path_length >= node->depth)
			num_open[path[--path_length]]--;
		uint32_t group = groups[node->frame];
		path[path_length++] = group;
		named_total_add(&list->entries[group].self, sums->self[order[i]]);
		if (num_open[group]++ == 0)
			named_total_add(&list->entries[group].total, sums->total[order[i]]);
	}
	return NULL;
}

// Modules may have an entry of what is in none; what has no stack joins it.
static struct error *add_unknown(struct hot_list *list, struct named_total none)
{
	if (!none.count)
		return NULL;
	size_t i = 0;
	while (list->entries && i < list->num_entries && list->entries[i].item != NAMED_NONE)
		i++;
	struct error *err = array_reserve(&list->entries, &list->cap_entries, i + 1);
	if (err)
		return err;
	if (i == list->num_entries)
		list->entries[list->num_entries++] = (struct hot_entry){.item = NAMED_NONE};
	named_total_add(&list->entries[i].self, none);
	named_total_add(&list->entries[i].total, none);
	return NULL;
}

static struct error *sum_stacks(const struct named_profile *profile,
				const struct profile_filter *filter, struct grouping *grouping)
{
	struct hot_list *list = grouping->list;
	_cleanup_(stack_sums_deinit) struct stack_sums sums = STACK_SUMS_INIT;
	_cleanup_free_ uint32_t *groups = calloc(profile->num_frames + 1, sizeof(*groups));
	if (!groups)
		return &error_no_memory;
	struct error *err = stack_sums_create(profile, filter, &sums);
	if (!err)
		err = group_frames(profile, grouping, groups);
	if (!err && list->entries)
		err = add_stacks(profile, &sums, groups, list);
	if (err)
		return err;
	list->whole = sums.whole;
	return add_unknown(list, sums.none);
}

static void drop_empty(struct hot_list *list)
{
	size_t num_kept = 0;
	for (size_t i = 0; i < list->num_entries; i++) {
		if (list->entries[i].total.count)
			list->entries[num_kept++] = list->entries[i];
	}
	list->num_entries = num_kept;
}

static int compare_totals(struct named_total a, struct named_total b)
{
	if (a.weight != b.weight)
		return a.weight > b.weight ? -1 : 1;
	return a.count == b.count ? 0 : a.count > b.count ? -1 : 1;
}

static int by_self(const void *left, const void *right)
{
	const struct hot_entry *a = left;
	const struct hot_entry *b = right;
	int order = compare_totals(a->self, b->self);
	if (!order)
		order = compare_totals(a->total, b->total);
	return order ? order : (a->item > b->item) - (a->item < b->item);
}

static int by_total(const void *left, const void *right)
{
	const struct hot_entry *a = left;
	const struct hot_entry *b = right;
	int order = compare_totals(a->total, b->total);
	return order ? order : by_self(left, right);
}

struct error *hot_list_create(const struct named_profile *profile, enum hot_key key,
			      enum hot_order order, const struct profile_filter *filter,
			      struct hot_list *ret)
{
	_cleanup_(hot_list_deinit) struct hot_list list = {.key = key};
	_cleanup_(grouping_deinit) struct grouping grouping = {.list = &list};
	struct error *err = key_infos[key].sample_item ? sum_samples(profile, filter, &grouping)
						       : sum_stacks(profile, filter, &grouping);
	if (err)
		return err;
	drop_empty(&list);
	if (list.num_entries)
		qsort(list.entries, list.num_entries, sizeof(*list.entries),
		      order == HOT_BY_TOTAL ? by_total : by_self);
	*ret = list;
	list = (struct hot_list)HOT_LIST_INIT;
	return NULL;
}

void hot_list_deinit(struct hot_list *list)
{
	free(list->entries);
	*list = (struct hot_list)HOT_LIST_INIT;
}
