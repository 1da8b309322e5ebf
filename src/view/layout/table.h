/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_LAYOUT_TABLE_H
#define WPERF_VIEW_LAYOUT_TABLE_H

/**
 * A table as people read it and as programs read it: filled once, cell by cell, then printed as
 * text or as JSON. Row by row from the left; a row is complete when every column has its cell.
 * A last row that is not complete is shown as far as it goes: blanks in text, no keys in JSON.
 *
 *	static const struct table_column columns[] = {
 *		{"counter value", TABLE_RIGHT},
 *		{"event name", TABLE_LEFT},
 *	};
 *	err = table_create(columns, ARRAY_SIZE(columns), &table);
 *	table_add_u64(table, 1234);
 *	table_add_string(table, "cycle");
 *	table_print(table, TABLE_LAYOUT_WIDE, stdout);
 *
 * Memory: adding a cell does not fail visibly; table_check() tells whether all of it is there.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum table_align {
	TABLE_LEFT,
	TABLE_RIGHT,
	TABLE_SENTENCE, /* left-aligned; what is too long loses its end, not its middle */
};

struct table_column {
	const char *name; /* JSON key: blanks become '_' */
	enum table_align align;
};

/** How a table fits the place where it is read. */
struct table_layout {
	size_t max_columns; /* names are shortened to this width; 0: as wide as its cells */
	bool is_padded;     /* lines end with blanks, as wperf 3.8.0 prints them */
};

#define TABLE_LAYOUT_WIDE ((struct table_layout){0})

struct table;
struct json_writer;

/** @columns, at least one, must outlive the table. @ret: set only on success. */
struct error *table_create(const struct table_column *columns, size_t num_columns,
			   struct table **ret);
void table_destroy(struct table *table);

static inline void table_destroyp(struct table **table)
{
	table_destroy(*table);
}

/** The text is copied. Text: made safe for terminals as view/layout/safe_text.h says. */
void table_add_string(struct table *table, const char *text);

/** Text: decimal with ',' every three digits. JSON: number. */
void table_add_u64(struct table *table, uint64_t value);

/** Text: @text, for a number that people would misread, made safe. JSON: number. */
void table_add_u64_as(struct table *table, uint64_t value, const char *text);

/** Text: @text. JSON: null. */
void table_add_null_as(struct table *table, const char *text);

/** Text: plain decimal. JSON: number. */
void table_add_u32(struct table *table, uint32_t value);

/** Text: fixed with @decimals. JSON: number of six significant digits. */
void table_add_double(struct table *table, double value, int decimals);

/**
 * A table inside a cell, drawn over several lines without the margin; ownership passes.
 * JSON: {@key: [rows]}; @key must outlive the table.
 */
void table_add_table(struct table *table, const char *key, struct table *nested);

/** With the incomplete one, if there is one. */
size_t table_num_rows(const struct table *table);

/** NULL if every cell that was added is there. */
struct error *table_check(const struct table *table);

/**
 * Six blanks of margin; two blanks before every column; header; a line of '=', as long as the
 * header's words; the rows. If it is too wide, texts in left-aligned columns are shortened, the
 * widest column's first; names of columns stay, so that it may remain too wide.
 */
void table_print(const struct table *table, struct table_layout layout, FILE *stream);

/** The rows as an array of objects, keys in column order. */
void table_write_json(const struct table *table, struct json_writer *json);

#endif
