// SPDX-License-Identifier: Apache-2.0

#include "profile/wait_table.h"

#include "base/container/array.h"
#include "profile/tree/stack_table.h"

#include <stdlib.h>

void wait_table_deinit(struct wait_table *table)
{
	free(table->items);
	hash_table_deinit(&table->index);
	*table = (struct wait_table)WAIT_TABLE_INIT;
}

static uint64_t wait_table_hash(const struct wait_sum *wait)
{
	const uint32_t words[] = {wait->stack, wait->thread,        wait->waker_stack,
				  wait->waker, (uint32_t)wait->end, wait->has_gil_wait};
	return hash_bytes(words, sizeof(words));
}

static bool wait_table_has(const void *owner, uint32_t index, const void *key)
{
	const struct wait_sum *a = &((const struct wait_table *)owner)->items[index], *b = key;
	return a->stack == b->stack && a->thread == b->thread && a->waker_stack == b->waker_stack &&
	       a->waker == b->waker && a->end == b->end && a->has_gil_wait == b->has_gil_wait;
}

static struct error *wait_table_find(struct wait_table *table, const struct wait_sum *like,
				     struct wait_sum **ret)
{
	uint64_t hash = wait_table_hash(like);
	uint32_t index = hash_table_find(&table->index, hash, wait_table_has, table, like);
	struct error *err = NULL;
	if (index == HASH_TABLE_NONE) {
		index = (uint32_t)table->num_items;
		err = array_reserve(&table->items, &table->cap_items, table->num_items + 1);
		if (!err)
			err = hash_table_insert(&table->index, hash, index);
		if (err)
			return err;
		table->items[table->num_items++] = *like;
	}
	*ret = &table->items[index];
	return NULL;
}

struct error *wait_table_add(struct wait_table *table, const struct wait_sum *wait, uint64_t ns)
{
	struct wait_sum *sum;
	struct error *err = wait_table_find(table, wait, &sum);
	if (err)
		return err;
	sum->count++;
	sum->total_ns += ns;
	if (ns > sum->max_ns)
		sum->max_ns = ns;
	return NULL;
}

void wait_table_renumber(struct wait_table *table, const uint32_t *stacks)
{
	for (size_t i = 0; i < table->num_items; i++) {
		struct wait_sum *sum = &table->items[i];
		if (sum->stack != STACK_NONE)
			sum->stack = stacks[sum->stack];
		if (sum->waker_stack != STACK_NONE)
			sum->waker_stack = stacks[sum->waker_stack];
	}
}
