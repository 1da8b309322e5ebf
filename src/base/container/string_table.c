// SPDX-License-Identifier: Apache-2.0

#include "base/container/string_table.h"

#include "base/container/array.h"

#include <string.h>

// The text of each string is copied once into an arena, so that its address never changes, and the
// hash table over the entries finds it again. Ids are places in the array of entries: what refers
// to a string keeps 4 bytes, and two strings are equal if their ids are.

struct slice {
	const char *text;
	size_t length;
};

static bool has_text(const void *owner, uint32_t index, const void *key)
{
	const struct string_table *table = owner;
	const struct string_table_entry *entry = &table->entries[index];
	const struct slice *slice = key;
	// An empty slice may be NULL, which memcmp() does not take.
	return entry->length == slice->length &&
	       (!slice->length || memcmp(entry->text, slice->text, slice->length) == 0);
}

/** Copy a text for an entry. */
static struct error *string_table_copy(struct string_table *table, const struct slice *slice,
				       struct string_table_entry *ret)
{
	if (slice->length >= UINT32_MAX)
		return error_create(ERROR_FAILED, "a string of %zu bytes is too long",
				    slice->length);
	char *copy = arena_alloc(&table->arena, slice->length + 1);
	if (!copy)
		return &error_no_memory;
	if (slice->length)
		memcpy(copy, slice->text, slice->length);
	*ret = (struct string_table_entry){.text = copy, .length = (uint32_t)slice->length};
	return NULL;
}

struct error *string_table_intern_n(struct string_table *table, const char *text, size_t length,
				    uint32_t *ret)
{
	struct slice slice = {text, length};
	uint64_t hash = hash_bytes(text, length);
	uint32_t id = hash_table_find(&table->index, hash, has_text, table, &slice);
	if (id != HASH_TABLE_NONE) {
		*ret = id;
		return NULL;
	}
	struct string_table_entry entry;
	struct error *err =
		array_reserve(&table->entries, &table->cap_entries, table->num_entries + 1);
	if (!err)
		err = string_table_copy(table, &slice, &entry);
	if (err)
		return err;
	id = (uint32_t)table->num_entries;
	err = hash_table_insert(&table->index, hash, id);
	if (err)
		return err;
	// The hash table compares with entries: from here on it may find this one.
	table->entries[table->num_entries++] = entry;
	*ret = id;
	return NULL;
}

struct error *string_table_intern(struct string_table *table, const char *text, uint32_t *ret)
{
	return string_table_intern_n(table, text, strlen(text), ret);
}

const char *string_table_get(const struct string_table *table, uint32_t id)
{
	return table->entries[id].text;
}

uint32_t string_table_length(const struct string_table *table, uint32_t id)
{
	return table->entries[id].length;
}

struct error *string_table_replace(struct string_table *table, uint32_t id, const char *text)
{
	struct slice slice = {text, strlen(text)};
	struct string_table_entry entry;
	struct error *err = string_table_copy(table, &slice, &entry);
	// What the index has of the old text stays, and finds nothing: it is no longer there.
	if (!err && string_table_find(table, text) == HASH_TABLE_NONE)
		err = hash_table_insert(&table->index, hash_bytes(text, slice.length), id);
	if (!err)
		table->entries[id] = entry;
	return err;
}

uint32_t string_table_find(const struct string_table *table, const char *text)
{
	struct slice slice = {text, strlen(text)};
	return hash_table_find(&table->index, hash_bytes(text, slice.length), has_text, table,
			       &slice);
}

void string_table_deinit(struct string_table *table)
{
	hash_table_deinit(&table->index);
	arena_deinit(&table->arena);
	free(table->entries);
	*table = (struct string_table)STRING_TABLE_INIT;
}
