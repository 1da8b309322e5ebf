/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_CONTAINER_STRING_TABLE_H
#define WPERF_BASE_CONTAINER_STRING_TABLE_H

/**
 * Interned strings: each different string is stored once, and has an id, from 0 on in the order of
 * interning. Strings are bytes and may contain NUL; a NUL that is not part of it follows each one.
 */

#include "base/container/arena.h"
#include "base/container/hash_table.h"
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct string_table_entry {
	const char *text;
	uint32_t length;
};

struct string_table {
	struct arena arena;
	struct hash_table index;
	struct string_table_entry *entries;
	size_t num_entries;
	size_t cap_entries;
};

#define STRING_TABLE_INIT \
	{                 \
	}

/** Intern @length bytes. @ret: set only on success. */
struct error *string_table_intern_n(struct string_table *table, const char *text, size_t length,
				    uint32_t *ret);
struct error *string_table_intern(struct string_table *table, const char *text, uint32_t *ret);

/** The string of an id; the pointer is valid as long as the table. */
const char *string_table_get(const struct string_table *table, uint32_t id);
uint32_t string_table_length(const struct string_table *table, uint32_t id);

/** The id of a string; HASH_TABLE_NONE if it was not interned. */
uint32_t string_table_find(const struct string_table *table, const char *text);

/** Another text for an id. If the table has the text already, string_table_find() gives the id that
 *  had it first, and both stay. */
struct error *string_table_replace(struct string_table *table, uint32_t id, const char *text);

void string_table_deinit(struct string_table *table);

#endif
