// SPDX-License-Identifier: Apache-2.0

#include "session/live/live_samples.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

// An array and an index of its blocks. What was freed stays as an entry that is marked, because the
// index forgets nothing, and because a block may be freed before its sample comes (they take
// different ways, and one may be faster). When most entries are marked, all of them are dropped at
// once, and the index is made again.
//
// A rule that asks what becomes of a block keeps its sample until a record says that it counts, and
// from then on.
//
// For the peak, a block that was in use at the peak so far is not marked when it is freed, but
// noted in `until_peak`. When more is in use than ever, those in the list are no longer needed. At
// the end, what counts is what came before the peak and is not marked. Each block is noted and
// dropped once. A moment that somebody chooses is a peak by word.

enum { LEAST_FREED = 1024 };

void live_samples_deinit(struct live_samples *live)
{
	for (size_t i = 0; i < live->num_items; i++)
		free((void *)live->items[i].words);
	free(live->items);
	free(live->until_peak);
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
	live->num_freed += sample->state != LIVE_FREED;
	sample->state = LIVE_FREED;
}

/** ... that has been, so that blocks are kept when they are freed. */
static bool live_samples_is_of_moment(const struct live_samples *live)
{
	return live->rule == RECORD_BLOCK_AT_PEAK || live->rule == RECORD_BLOCK_AT_MOMENT;
}

static struct error *live_samples_note_until_peak(struct live_samples *live, uint32_t index)
{
	struct error *err =
		array_reserve(&live->until_peak, &live->cap_until_peak, live->num_until_peak + 1);
	if (!err)
		live->until_peak[live->num_until_peak++] = index;
	return err;
}

static struct error *live_samples_compact(struct live_samples *live)
{
	if (!live->items || live->num_freed < LEAST_FREED || live->num_freed < live->num_items / 2)
		return NULL;
	size_t num = 0;
	for (size_t i = 0; i < live->num_items; i++)
		if (live->items[i].state != LIVE_FREED)
			live->items[num++] = live->items[i];
	live->num_items = num;
	live->num_freed = live->num_until_peak = 0;
	hash_table_deinit(&live->index);
	live->index = (struct hash_table)HASH_TABLE_INIT;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < num; i++) {
		err = hash_table_insert(&live->index, live->items[i].block, (uint32_t)i);
		if (!err && live->items[i].state == LIVE_UNTIL_PEAK)
			err = live_samples_note_until_peak(live, (uint32_t)i);
	}
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
	live->num_freed += sample->state == LIVE_FREED;
	return NULL;
}

void live_samples_mark_moment(struct live_samples *live)
{
	live->peak_order = live->last_order;
	for (size_t i = 0; i < live->num_until_peak; i++)
		live_samples_mark(live, &live->items[live->until_peak[i]]);
	live->num_until_peak = 0;
}

/** Is this the new peak? */
static void live_samples_rise(struct live_samples *live, uint64_t weight)
{
	live->weight += weight;
	if (live->rule != RECORD_BLOCK_AT_PEAK || live->weight <= live->peak_weight)
		return;
	live->peak_weight = live->weight;
	live_samples_mark_moment(live);
}

struct error *live_samples_add(struct live_samples *live, const struct live_sample *sample)
{
	struct live_sample *early = live_samples_find(live, sample->block);
	if (early && early->state != LIVE_AWAITED)
		return NULL;
	uint64_t *words = malloc((sample->num_words + 1) * sizeof(*words));
	if (!words)
		return &error_no_memory;
	memcpy(words, sample->words, sample->num_words * sizeof(*words));
	struct live_sample copy = *sample;
	copy.words = words;
	copy.state = LIVE_IN_USE;
	copy.order = ++live->last_order;
	if (early) {
		*early = copy;
		early->state = LIVE_COUNTED;
		return NULL;
	}
	struct error *err = live_samples_append(live, &copy);
	if (!err)
		live_samples_rise(live, sample->sample.weight);
	return err;
}

static struct error *live_samples_end(struct live_samples *live, struct live_sample *sample)
{
	if (sample->state != LIVE_IN_USE)
		return NULL;
	live->weight -= sample->sample.weight;
	if (!live_samples_is_of_moment(live) || sample->order > live->peak_order) {
		live_samples_mark(live, sample);
		return NULL;
	}
	sample->state = LIVE_UNTIL_PEAK;
	return live_samples_note_until_peak(live, (uint32_t)(sample - live->items));
}

struct error *live_samples_free(struct live_samples *live, uint64_t block, bool counts)
{
	struct live_sample *sample = live_samples_find(live, block);
	if (sample && counts && sample->state == LIVE_IN_USE)
		sample->state = LIVE_COUNTED;
	if (sample)
		return live_samples_end(live, sample);
	enum live_state state = counts ? LIVE_AWAITED : LIVE_FREED;
	return live_samples_append(live, &(struct live_sample){.block = block, .state = state});
}

struct error *live_samples_drop(struct live_samples *live, uint32_t pid)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < live->num_items; i++)
		if (live->items[i].pid == pid)
			err = live_samples_end(live, &live->items[i]);
	return err;
}

static bool live_samples_counts(const struct live_samples *live, const struct live_sample *sample)
{
	if (live_samples_is_of_moment(live))
		return sample->state != LIVE_FREED && sample->order <= live->peak_order;
	bool is_at_end = live->rule == RECORD_BLOCK_AT_END || live->rule == RECORD_BLOCK_NUMBER;
	return sample->state == (is_at_end ? LIVE_IN_USE : LIVE_COUNTED);
}

const struct live_sample *live_samples_next(const struct live_samples *live, size_t *index)
{
	while (*index < live->num_items) {
		const struct live_sample *sample = &live->items[(*index)++];
		if (live_samples_counts(live, sample))
			return sample;
	}
	return NULL;
}
