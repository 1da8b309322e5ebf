/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_STRING_TABLE_H
#define WPERF_BASE_STRING_TABLE_H

/**
 * Each different string once; a string is known by a small id, in order of arrival. Strings are
 * bytes: they may hold NUL, and every one is followed by a NUL that does not count.
 */

#include "base/arena.h"
#include "base/error.h"
#include "base/hash_table.h"

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

/** The string of an id that intern gave; it stays where it is as long as the table lives. */
const char *string_table_get(const struct string_table *table, uint32_t id);
uint32_t string_table_length(const struct string_table *table, uint32_t id);

/** Id of a string, or HASH_TABLE_NONE if it was never interned. */
uint32_t string_table_find(const struct string_table *table, const char *text);

void string_table_deinit(struct string_table *table);

#endif
