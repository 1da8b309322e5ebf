// SPDX-License-Identifier: Apache-2.0

#include "session/thread_times.h"

#include "base/container/array.h"

#include <stdlib.h>

// A hash table over the pair of event and thread, whose items stay in the order of their first
// samples, so that reports are the same from run to run. Each item has one sum for each state of
// the GIL: unknown, held, waited for and so on (enum gil_state). A server may have thousands of
// threads, and every sample comes through here: a list would be too slow.

struct time_key {
	uint32_t event, thread;
};

void thread_times_deinit(struct thread_times *times)
{
	free(times->items);
	hash_table_deinit(&times->index);
	*times = (struct thread_times)THREAD_TIMES_INIT;
}

static bool thread_times_has_key(const void *owner, uint32_t index, const void *key)
{
	const struct thread_time *time = &((const struct thread_times *)owner)->items[index];
	const struct time_key *wanted = key;
	return time->event == wanted->event && time->thread == wanted->thread;
}

static uint32_t thread_times_look_up(const struct thread_times *times, const struct time_key *key)
{
	return hash_table_find(&times->index, hash_bytes(key, sizeof(*key)), thread_times_has_key,
			       times, key);
}

static struct error *thread_times_add_item(struct thread_times *times, const struct time_key *key)
{
	struct error *err = array_reserve(&times->items, &times->cap_items, times->num_items + 1);
	if (!err)
		err = hash_table_insert(&times->index, hash_bytes(key, sizeof(*key)),
					(uint32_t)times->num_items);
	if (err)
		return err;
	times->items[times->num_items++] =
		(struct thread_time){.event = key->event, .thread = key->thread};
	return NULL;
}

struct error *thread_times_add(struct thread_times *times, const struct named_sample *sample)
{
	struct time_key key = {sample->event, sample->thread};
	uint32_t index = thread_times_look_up(times, &key);
	if (index == HASH_TABLE_NONE) {
		index = (uint32_t)times->num_items;
		struct error *err = thread_times_add_item(times, &key);
		if (err)
			return err;
	}
	struct named_total sum = {sample->count, sample->weight};
	named_total_add(&times->items[index].totals[sample->gil], sum);
	times->knows_gil |= sample->gil != GIL_UNKNOWN;
	return NULL;
}

struct named_total thread_time_total(const struct thread_time *time)
{
	struct named_total sum = {0};
	for (size_t i = 0; i < GIL_NUM_STATES; i++)
		named_total_add(&sum, time->totals[i]);
	return sum;
}

const struct thread_time *thread_times_find(const struct thread_times *times, uint32_t event,
					    uint32_t thread)
{
	struct time_key key = {event, thread};
	uint32_t index = thread_times_look_up(times, &key);
	return index == HASH_TABLE_NONE ? NULL : &times->items[index];
}
