// SPDX-License-Identifier: Apache-2.0

#include "profile/values/value_table.h"

#include "base/container/array.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Payloads are bytes of a recording, or of a ring that a BPF program writes: they are copied once,
// and each string is one only if it ends within its room.

static bool value_tuple_equals(const void *owner, uint32_t index, const void *key)
{
	const struct value_table *table = owner;
	const struct value_tuple *a = &table->items[index], *b = key;
	return a->num == b->num && a->strings == b->strings && a->unread == b->unread &&
	       a->is_unsigned == b->is_unsigned &&
	       memcmp(a->numbers, b->numbers, sizeof(a->numbers)) == 0;
}

static uint64_t value_tuple_hash(const struct value_tuple *tuple)
{
	return hash_bytes(tuple, sizeof(*tuple));
}

/** @bytes: behind the payload's fixed part. False: damaged. */
static struct error *take_strings(const struct probe_payload *payload, const uint8_t *bytes,
				  size_t size, struct string_table *strings,
				  struct value_tuple *tuple, bool *ret_is_whole)
{
	*ret_is_whole = false;
	for (size_t i = 0; i < payload->num; i++) {
		if (!(payload->strings >> i & 1))
			continue;
		if (size < PROBE_STRING_BYTES || !memchr(bytes, 0, PROBE_STRING_BYTES))
			return NULL;
		uint32_t id;
		struct error *err = string_table_intern(strings, (const char *)bytes, &id);
		if (err)
			return err;
		tuple->numbers[i] = id;
		bytes += PROBE_STRING_BYTES;
		size -= PROBE_STRING_BYTES;
	}
	*ret_is_whole = true;
	return NULL;
}

static struct error *value_table_insert(struct value_table *table, const struct value_tuple *tuple,
					uint32_t *ret)
{
	uint64_t hash = value_tuple_hash(tuple);
	uint32_t index = hash_table_find(&table->index, hash, value_tuple_equals, table, tuple);
	if (index != HASH_TABLE_NONE) {
		*ret = index;
		return NULL;
	}
	if (table->num_items >= VALUE_TABLE_MAX)
		return NULL;
	// Place 0 stands for none.
	size_t place = table->num_items ? table->num_items : 1;
	struct error *err = array_reserve(&table->items, &table->cap_items, place + 1);
	if (!err)
		err = hash_table_insert(&table->index, hash, (uint32_t)place);
	if (err)
		return err;
	if (place == 1)
		table->items[0] = (struct value_tuple){0};
	table->items[place] = *tuple;
	table->num_items = place + 1;
	*ret = (uint32_t)place;
	return NULL;
}

struct error *value_table_add(struct value_table *table, struct string_table *strings,
			      const uint8_t *payload, size_t size, uint32_t *ret)
{
	struct probe_payload head;
	struct value_tuple tuple;
	*ret = 0;
	if (size < sizeof(head))
		return NULL;
	memcpy(&head, payload, sizeof(head));
	if (head.magic != PROBE_PAYLOAD_MAGIC)
		return NULL;
	if (!head.num || head.num > PROBE_MAX_VALUES)
		return NULL;
	memset(&tuple, 0, sizeof(tuple)); // it is hashed as bytes
	const uint8_t all = (uint8_t)((1U << head.num) - 1);
	tuple.num = head.num;
	tuple.strings = head.strings & all;
	tuple.unread = head.unread & all;
	tuple.is_unsigned = head.is_unsigned & all;
	for (size_t i = 0; i < head.num; i++)
		tuple.numbers[i] = tuple.unread >> i & 1 ? 0 : head.numbers[i];
	bool is_whole;
	struct error *err = take_strings(&head, payload + sizeof(head), size - sizeof(head),
					 strings, &tuple, &is_whole);
	if (err || !is_whole)
		return err;
	return value_table_insert(table, &tuple, ret);
}

void value_table_deinit(struct value_table *table)
{
	free(table->items);
	hash_table_deinit(&table->index);
	*table = (struct value_table)VALUE_TABLE_INIT;
}
