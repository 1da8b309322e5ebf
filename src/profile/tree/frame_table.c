// SPDX-License-Identifier: Apache-2.0

#include "profile/tree/frame_table.h"

#include "base/container/array.h"

#include <stdbool.h>
#include <stdlib.h>

// A frame before it has names: an address in a module. Each is kept once, and a stack is a list of
// their numbers, so that the symbolizer is asked once per place, not once per sample.

static bool is_frame(const void *owner, uint32_t index, const void *key)
{
	const struct frame *a = &((const struct frame_table *)owner)->items[index];
	const struct frame *b = key;
	return a->address == b->address && a->module == b->module;
}

struct error *frame_table_intern(struct frame_table *table, const struct frame *frame,
				 uint32_t *ret)
{
	uint64_t words[] = {frame->address, frame->module};
	uint64_t hash = hash_bytes(words, sizeof(words));
	uint32_t index = hash_table_find(&table->index, hash, is_frame, table, frame);
	if (index != HASH_TABLE_NONE) {
		*ret = index;
		return NULL;
	}
	struct error *err = array_reserve(&table->items, &table->cap_items, table->num_items + 1);
	if (!err)
		err = hash_table_insert(&table->index, hash, (uint32_t)table->num_items);
	if (err)
		return err;
	*ret = (uint32_t)table->num_items;
	table->items[table->num_items++] = *frame;
	return NULL;
}

void frame_table_deinit(struct frame_table *table)
{
	free(table->items);
	hash_table_deinit(&table->index);
	*table = (struct frame_table)FRAME_TABLE_INIT;
}
