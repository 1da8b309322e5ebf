// SPDX-License-Identifier: Apache-2.0

#include "session/live/live_samples.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

// An array and an index of its blocks. What was freed stays as an entry that is marked, because the
// index forgets nothing, and because a block may be freed before its sample comes (they take
// different ways, and one may be faster). When most entries are marked, all of them are dropped at
// once, and the index is made again.

enum { LEAST_FREED = 1024 };

void live_samples_deinit(struct live_samples *live)
{
	for (size_t i = 0; i < live->num_items; i++)
		free((void *)live->items[i].words);
	free(live->items);
	hash_table_deinit(&live->index);
	*live = (struct live_samples)LIVE_SAMPLES_INIT;
}

static bool live_samples_is_block(const void *owner, uint32_t index, const void *key)
{
	const struct live_samples *live = owner;
	return live->items[index].block == *(const uint64_t *)key;
}

static struct live_sample *live_samples_find(const struct live_samples *live, uint64_t block)
{
	uint32_t index = hash_table_find(&live->index, block, live_samples_is_block, live, &block);
	return index == HASH_TABLE_NONE ? NULL : &live->items[index];
}

static void live_samples_mark(struct live_samples *live, struct live_sample *sample)
{
	free((void *)sample->words);
	sample->words = NULL;
	live->num_freed += !sample->is_freed;
	sample->is_freed = true;
}

static struct error *live_samples_compact(struct live_samples *live)
{
	if (live->num_freed < LEAST_FREED || live->num_freed < live->num_items / 2)
		return NULL;
	size_t num = 0;
	for (size_t i = 0; i < live->num_items; i++)
		if (!live->items[i].is_freed)
			live->items[num++] = live->items[i];
	live->num_items = num;
	live->num_freed = 0;
	hash_table_deinit(&live->index);
	live->index = (struct hash_table)HASH_TABLE_INIT;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < num; i++)
		err = hash_table_insert(&live->index, live->items[i].block, (uint32_t)i);
	return err;
}

/** @sample: its words become those of the list, also after a failure. */
static struct error *live_samples_append(struct live_samples *live,
					 const struct live_sample *sample)
{
	struct error *err = live_samples_compact(live);
	if (!err)
		err = array_reserve(&live->items, &live->cap_items, live->num_items + 1);
	if (!err)
		err = hash_table_insert(&live->index, sample->block, (uint32_t)live->num_items);
	if (err) {
		free((void *)sample->words);
		return err;
	}
	live->items[live->num_items++] = *sample;
	live->num_freed += sample->is_freed;
	return NULL;
}

struct error *live_samples_add(struct live_samples *live, const struct live_sample *sample)
{
	if (live_samples_find(live, sample->block))
		return NULL;
	uint64_t *words = malloc((sample->num_words + 1) * sizeof(*words));
	if (!words)
		return &error_no_memory;
	memcpy(words, sample->words, sample->num_words * sizeof(*words));
	struct live_sample copy = *sample;
	copy.words = words;
	return live_samples_append(live, &copy);
}

struct error *live_samples_free(struct live_samples *live, uint64_t block)
{
	struct live_sample *sample = live_samples_find(live, block);
	if (sample) {
		live_samples_mark(live, sample);
		return NULL;
	}
	return live_samples_append(live, &(struct live_sample){.block = block, .is_freed = true});
}

void live_samples_drop(struct live_samples *live, uint32_t pid)
{
	for (size_t i = 0; i < live->num_items; i++)
		if (live->items[i].pid == pid)
			live_samples_mark(live, &live->items[i]);
}

const struct live_sample *live_samples_next(const struct live_samples *live, size_t *index)
{
	while (*index < live->num_items) {
		const struct live_sample *sample = &live->items[(*index)++];
		if (!sample->is_freed)
			return sample;
	}
	return NULL;
}
