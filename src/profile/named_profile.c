// SPDX-License-Identifier: Apache-2.0

#include "profile/named_profile.h"

#include "base/container/array.h"

#include <string.h>

// Items (modules, functions, frames, threads) are interned: each kind has an array, whose index is
// the item's number, and a hash table over the words that tell items of the kind apart. Code that
// adds and finds is the same for all kinds; struct item_store says where the array and the index of
// one are. Numbers never change and refer to each other (a frame to its function, a function to its
// module), so that a profile can be copied and compared by numbers alone. String 0 is the empty
// one, for what is not known.
//
//	sample      stack, thread, event
//	stack       frames
//	frame       function, file, line, address
//	function    name, linkage name, module, file, line
//	module      name, path, build id

// What tells an item from the others of its kind: numbers without gaps between them, to be hashed
// and compared as bytes.
struct item_key {
	uint64_t words[3];
};

static uint64_t named_profile_join(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

static struct item_key named_profile_module_key(const struct named_module *module)
{
	// By path alone: a library that several processes mapped is one module.
	return (struct item_key){{module->path}};
}

static struct item_key named_profile_function_key(const struct named_function *function)
{
	return (struct item_key){{
		named_profile_join(function->name, function->linkage_name),
		named_profile_join(function->module, function->file),
		named_profile_join(function->line, function->kind),
	}};
}

static struct item_key frame_key(const struct named_frame *frame)
{
	return (struct item_key){{
		named_profile_join(frame->function, frame->file),
		named_profile_join(frame->line, (uint32_t)frame->is_inlined |
							(uint32_t)frame->is_compiled << 1 |
							frame->discriminator << 2),
		frame->address,
	}};
}

static struct item_key named_profile_thread_key(const struct named_thread *thread)
{
	return (struct item_key){{named_profile_join(thread->pid, thread->tid), thread->name}};
}

static bool equal_keys(struct item_key key, const void *wanted)
{
	return memcmp(&key, wanted, sizeof(key)) == 0;
}

static bool has_module_key(const void *owner, uint32_t index, const void *key)
{
	const struct named_profile *profile = owner;
	return equal_keys(named_profile_module_key(&profile->modules[index]), key);
}

static bool has_function_key(const void *owner, uint32_t index, const void *key)
{
	const struct named_profile *profile = owner;
	return equal_keys(named_profile_function_key(&profile->functions[index]), key);
}

static bool has_frame_key(const void *owner, uint32_t index, const void *key)
{
	const struct named_profile *profile = owner;
	return equal_keys(frame_key(&profile->frames[index]), key);
}

static bool has_thread_key(const void *owner, uint32_t index, const void *key)
{
	const struct named_profile *profile = owner;
	return equal_keys(named_profile_thread_key(&profile->threads[index]), key);
}

struct error *named_profile_init(struct named_profile *profile)
{
	*profile = (struct named_profile){.language = &language_unknown};
	uint32_t empty;
	return string_table_intern(&profile->strings, "", &empty);
}

void named_profile_deinit(struct named_profile *profile)
{
	value_table_deinit(&profile->values);
	string_table_deinit(&profile->strings);
	free(profile->modules);
	free(profile->functions);
	free(profile->frames);
	free(profile->threads);
	free(profile->events);
	free(profile->samples);
	hash_table_deinit(&profile->function_index);
	hash_table_deinit(&profile->frame_index);
	hash_table_deinit(&profile->module_index);
	hash_table_deinit(&profile->thread_index);
	stack_table_deinit(&profile->stacks);
	spe_profile_destroy(profile->spe);
	memory_curve_deinit(&profile->memory);
	wait_table_deinit(&profile->waits);
	run_queue_deinit(&profile->run_queue);
	free(profile->named_language);
	file_roots_deinit(&profile->roots);
	*profile = (struct named_profile){0};
}

struct error *named_profile_string(struct named_profile *profile, const char *text, uint32_t *ret)
{
	return string_table_intern(&profile->strings, text, ret);
}

const char *named_profile_text(const struct named_profile *profile, uint32_t string)
{
	return string_table_get(&profile->strings, string);
}

struct error *named_profile_set_language(struct named_profile *profile, const char *name)
{
	struct language *language = language_create(name);
	if (!language)
		return &error_no_memory;
	free(profile->named_language);
	profile->language = profile->named_language = language;
	return NULL;
}

// One kind of items: their array, the index over it, and how an item is compared with a key.
struct item_store {
	void *items; /* address of the pointer to the array's items */
	size_t item_size;
	size_t *num, *capacity;
	struct hash_table *index;
	hash_table_equal_fn has_key;
};

#define ITEM_STORE(profile, kind, has_kind_key)                                          \
	{                                                                                \
		.items = &(profile)->kind##s, .item_size = sizeof(*(profile)->kind##s),  \
		.num = &(profile)->num_##kind##s, .capacity = &(profile)->cap_##kind##s, \
		.index = &(profile)->kind##_index, .has_key = (has_kind_key),            \
	}

static struct error *intern_item(const struct named_profile *profile,
				 const struct item_store *store, struct item_key key,
				 const void *item, uint32_t *ret)
{
	uint64_t hash = hash_bytes(&key, sizeof(key));
	uint32_t index = hash_table_find(store->index, hash, store->has_key, profile, &key);
	if (index == HASH_TABLE_NONE) {
		index = (uint32_t)*store->num;
		struct error *err = array_reserve_bytes(store->items, store->capacity,
							*store->num + 1, store->item_size);
		if (!err)
			err = hash_table_insert(store->index, hash, index);
		if (err)
			return err;
		// The array's pointer has another type than any that could be named here.
		char *items;
		memcpy(&items, store->items, sizeof(items));
		memcpy(items + *store->num * store->item_size, item, store->item_size);
		(*store->num)++;
	}
	*ret = index;
	return NULL;
}

struct error *named_profile_module(struct named_profile *profile, const struct named_module *module,
				   uint32_t *ret)
{
	struct item_store store = ITEM_STORE(profile, module, has_module_key);
	return intern_item(profile, &store, named_profile_module_key(module), module, ret);
}

/** Of a build that is not the first one of its path. */
static struct item_key named_profile_build_key(const struct named_module *module)
{
	return (struct item_key){{module->path, module->build_id, 1}};
}

static bool has_build_key(const void *owner, uint32_t index, const void *key)
{
	const struct named_profile *profile = owner;
	return equal_keys(named_profile_build_key(&profile->modules[index]), key);
}

struct error *named_profile_build(struct named_profile *profile, const struct named_module *module,
				  uint32_t *ret)
{
	struct error *err = named_profile_module(profile, module, ret);
	if (err || profile->modules[*ret].build_id == module->build_id)
		return err;
	struct item_store store = ITEM_STORE(profile, module, has_build_key);
	return intern_item(profile, &store, named_profile_build_key(module), module, ret);
}

struct error *named_profile_function(struct named_profile *profile,
				     const struct named_function *function, uint32_t *ret)
{
	struct item_store store = ITEM_STORE(profile, function, has_function_key);
	return intern_item(profile, &store, named_profile_function_key(function), function, ret);
}

struct error *named_profile_frame(struct named_profile *profile, const struct named_frame *frame,
				  uint32_t *ret)
{
	struct item_store store = ITEM_STORE(profile, frame, has_frame_key);
	return intern_item(profile, &store, frame_key(frame), frame, ret);
}

struct error *named_profile_thread(struct named_profile *profile, const struct named_thread *thread,
				   uint32_t *ret)
{
	struct item_store store = ITEM_STORE(profile, thread, has_thread_key);
	return intern_item(profile, &store, named_profile_thread_key(thread), thread, ret);
}

struct error *named_profile_rename_thread(struct named_profile *profile, uint32_t thread,
					  uint32_t name)
{
	// The index finds it by its new key. Under the old one it finds it as well, and sees that
	// the name is another.
	profile->threads[thread].name = name;
	struct item_key key = named_profile_thread_key(&profile->threads[thread]);
	return hash_table_insert(&profile->thread_index, hash_bytes(&key, sizeof(key)), thread);
}

struct error *named_profile_event(struct named_profile *profile, const struct named_event *event,
				  uint32_t *ret)
{
	struct error *err =
		array_reserve(&profile->events, &profile->cap_events, profile->num_events + 1);
	if (err)
		return err;
	*ret = (uint32_t)profile->num_events;
	profile->events[profile->num_events++] = *event;
	return NULL;
}

struct error *named_profile_add(struct named_profile *profile, const struct named_sample *sample)
{
	struct error *err =
		array_reserve(&profile->samples, &profile->cap_samples, profile->num_samples + 1);
	if (err)
		return err;
	profile->samples[profile->num_samples++] = *sample;
	return NULL;
}

bool named_profile_is_of_spe(const struct named_profile *profile, uint32_t event)
{
	const struct spe_profile *spe = profile->spe;
	if (!spe || event == spe->latency_event)
		return spe;
	for (size_t i = 0; i < spe->sums.num_groups; i++)
		if (spe->sums.groups[i].event == event)
			return true;
	return false;
}

struct error *named_profile_marker(struct named_profile *profile, const char *name, uint32_t *ret)
{
	struct named_function function = {.module = NAMED_NONE, .kind = FRAME_MARKER};
	struct named_frame frame = {.line = 0};
	struct error *err = named_profile_string(profile, name, &function.name);
	if (!err)
		err = named_profile_function(profile, &function, &frame.function);
	return err ? err : named_profile_frame(profile, &frame, ret);
}
