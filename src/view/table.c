// SPDX-License-Identifier: Apache-2.0
#include "view/table.h"

#include "base/arena.h"
#include "base/array.h"
#include "view/decimal.h"
#include "view/json_writer.h"
#include "view/safe_text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

enum {
	TABLE_MARGIN = 6,
	TABLE_GAP = 2,          /* before every column */
	TABLE_HEADER_LINES = 2, /* names, underlines */
};

enum table_cell_type { CELL_STRING, CELL_NUMBER, CELL_DOUBLE, CELL_TABLE };

struct table_cell {
	enum table_cell_type type;
	size_t width;     /* columns of the screen */
	size_t height;    /* lines of the screen */
	const char *text; /* what is printed; the JSON key of a CELL_TABLE */
	union {
		uint64_t number;
		double real;
		struct table *nested;
	};
};

struct table {
	const struct table_column *columns;
	size_t num_columns;
	const char **keys; /* of JSON, one per column */
	size_t *widths;    /* of the widest cell so far, one per column */
	struct table_cell *cells;
	size_t num_cells;
	size_t cap_cells;
	struct arena arena; /* keys, widths, texts */
	bool holds_tables;
	bool failed; /* a cell was lost; later ones are dropped, or they would shift */
};

static size_t text_width(const char *text)
{
	return safe_text_width(text, strlen(text));
}

static bool init_column(struct table *table, size_t column)
{
	const char *name = table->columns[column].name;
	char *key = arena_strdup(&table->arena, name);
	if (!key)
		return false;
	for (char *blank = key; (blank = strchr(blank, ' '));)
		*blank = '_';
	table->keys[column] = key;
	table->widths[column] = text_width(name);
	return true;
}

static bool init_columns(struct table *table)
{
	table->keys = arena_alloc_array(&table->arena, table->num_columns, sizeof(*table->keys));
	table->widths =
		arena_alloc_array(&table->arena, table->num_columns, sizeof(*table->widths));
	if (!table->keys || !table->widths)
		return false;
	for (size_t i = 0; i < table->num_columns; i++) {
		if (!init_column(table, i))
			return false;
	}
	return true;
}

struct error *table_create(const struct table_column *columns, size_t num_columns,
			   struct table **ret)
{
	if (num_columns == 0)
		return error_create(ERROR_FAILED, "a table needs at least one column");
	_cleanup_(table_destroyp) struct table *table = calloc(1, sizeof(*table));
	if (!table)
		return &error_no_memory;
	table->columns = columns;
	table->num_columns = num_columns;
	if (!init_columns(table))
		return &error_no_memory;
	*ret = take_ptr(table);
	return NULL;
}

void table_destroy(struct table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->num_cells; i++) {
		if (table->cells[i].type == CELL_TABLE)
			table_destroy(table->cells[i].nested);
	}
	free(table->cells);
	arena_deinit(&table->arena);
	free(table);
}

static bool add_cell(struct table *table, struct table_cell cell)
{
	if (table->failed)
		return false;
	struct error *err = array_reserve(&table->cells, &table->cap_cells, table->num_cells + 1);
	if (err) {
		error_destroy(err);
		table->failed = true;
		return false;
	}
	size_t *width = &table->widths[table->num_cells % table->num_columns];
	if (cell.width > *width)
		*width = cell.width;
	table->cells[table->num_cells++] = cell;
	return true;
}

static void add_text_cell(struct table *table, struct table_cell cell, const char *text)
{
	cell.text = arena_strdup(&table->arena, text);
	if (!cell.text)
		table->failed = true;
	cell.width = text_width(text);
	cell.height = 1;
	add_cell(table, cell);
}

void table_add_string(struct table *table, const char *text)
{
	add_text_cell(table, (struct table_cell){.type = CELL_STRING}, text);
}

void table_add_u64(struct table *table, uint64_t value)
{
	table_add_u64_as(table, value, decimal_grouped(value).text);
}

void table_add_u64_as(struct table *table, uint64_t value, const char *text)
{
	add_text_cell(table, (struct table_cell){.type = CELL_NUMBER, .number = value}, text);
}

void table_add_u32(struct table *table, uint32_t value)
{
	struct table_cell cell = {.type = CELL_NUMBER, .number = value};
	char text[16];
	snprintf(text, sizeof(text), "%" PRIu32, value);
	add_text_cell(table, cell, text);
}

void table_add_double(struct table *table, double value, int decimals)
{
	struct table_cell cell = {.type = CELL_DOUBLE, .real = value};
	add_text_cell(table, cell, decimal_fixed(value, decimals).text);
}

size_t table_num_rows(const struct table *table)
{
	return table->num_cells / table->num_columns + (table->num_cells % table->num_columns != 0);
}

/** The cell, or NULL where the last row has none. */
static const struct table_cell *cell_at(const struct table *table, size_t row, size_t column)
{
	size_t index = row * table->num_columns + column;
	return index < table->num_cells ? &table->cells[index] : NULL;
}

static size_t row_height(const struct table *table, size_t row)
{
	if (!table->holds_tables)
		return 1;
	size_t height = 1;
	for (size_t i = 0; i < table->num_columns; i++) {
		const struct table_cell *cell = cell_at(table, row, i);
		if (cell && cell->height > height)
			height = cell->height;
	}
	return height;
}

static size_t table_height(const struct table *table)
{
	size_t height = TABLE_HEADER_LINES;
	size_t num_rows = table_num_rows(table);
	for (size_t row = 0; row < num_rows; row++)
		height += row_height(table, row);
	return height;
}

/** Without the margin. */
static size_t table_width(const struct table *table)
{
	size_t width = 0;
	for (size_t i = 0; i < table->num_columns; i++)
		width += TABLE_GAP + table->widths[i];
	return width;
}

void table_add_table(struct table *table, const char *key, struct table *nested)
{
	_cleanup_(table_destroyp) struct table *owned = nested;
	struct table_cell cell = {
		.type = CELL_TABLE,
		.width = table_width(nested),
		.height = table_height(nested),
		.text = key,
		.nested = nested,
	};
	if (!add_cell(table, cell))
		return;
	owned = NULL;
	table->holds_tables = true;
	if (nested->failed)
		table->failed = true;
}

struct error *table_check(const struct table *table)
{
	return table->failed ? &error_no_memory : NULL;
}

static void print_repeated(char c, size_t count, FILE *stream)
{
	for (size_t i = 0; i < count; i++)
		fputc(c, stream);
}

/** One of the TABLE_HEADER_LINES: the names, or their underlines. */
static void print_header_line(const struct table *table, size_t line, FILE *stream)
{
	for (size_t i = 0; i < table->num_columns; i++) {
		const struct table_column *column = &table->columns[i];
		size_t width = text_width(column->name);
		size_t padding = table->widths[i] - width;
		print_repeated(' ', TABLE_GAP, stream);
		if (column->align == TABLE_RIGHT)
			print_repeated(' ', padding, stream);
		if (line == 0)
			safe_text_print(column->name, strlen(column->name), stream);
		else
			print_repeated('=', width, stream);
		if (column->align == TABLE_LEFT)
			print_repeated(' ', padding, stream);
	}
}

static void print_table_line(const struct table *table, size_t line, FILE *stream);

static void print_cell_line(const struct table_cell *cell, size_t line, FILE *stream)
{
	if (cell->type == CELL_TABLE)
		print_table_line(cell->nested, line, stream);
	else
		safe_text_print(cell->text, strlen(cell->text), stream);
}

/** Line @line of the row; cells that are not that high are blank there. */
static void print_row_line(const struct table *table, size_t row, size_t line, FILE *stream)
{
	for (size_t i = 0; i < table->num_columns; i++) {
		const struct table_cell *cell = cell_at(table, row, i);
		bool is_blank = !cell || line >= cell->height;
		size_t padding = table->widths[i] - (is_blank ? 0 : cell->width);
		print_repeated(' ', TABLE_GAP, stream);
		if (table->columns[i].align == TABLE_RIGHT)
			print_repeated(' ', padding, stream);
		if (!is_blank)
			print_cell_line(cell, line, stream);
		if (table->columns[i].align == TABLE_LEFT)
			print_repeated(' ', padding, stream);
	}
}

static void print_table_line(const struct table *table, size_t line, FILE *stream)
{
	if (line < TABLE_HEADER_LINES) {
		print_header_line(table, line, stream);
		return;
	}
	line -= TABLE_HEADER_LINES;
	if (!table->holds_tables) {
		print_row_line(table, line, 0, stream);
		return;
	}
	size_t row = 0;
	for (; line >= row_height(table, row); row++)
		line -= row_height(table, row);
	print_row_line(table, row, line, stream);
}

static void print_row(const struct table *table, size_t row, FILE *stream)
{
	size_t height = row_height(table, row);
	for (size_t line = 0; line < height; line++) {
		print_repeated(' ', TABLE_MARGIN, stream);
		print_row_line(table, row, line, stream);
		fputc('\n', stream);
	}
}

void table_print(const struct table *table, FILE *stream)
{
	for (size_t line = 0; line < TABLE_HEADER_LINES; line++) {
		print_repeated(' ', TABLE_MARGIN, stream);
		print_header_line(table, line, stream);
		fputc('\n', stream);
	}
	size_t num_rows = table_num_rows(table);
	for (size_t row = 0; row < num_rows; row++)
		print_row(table, row, stream);
}

static void write_json_cell(const struct table_cell *cell, struct json_writer *json)
{
	switch (cell->type) {
	case CELL_STRING:
		json_text(json, cell->text);
		break;
	case CELL_NUMBER:
		json_u64(json, cell->number);
		break;
	case CELL_DOUBLE:
		json_double(json, cell->real);
		break;
	case CELL_TABLE:
		json_begin_object(json);
		json_key(json, cell->text);
		table_write_json(cell->nested, json);
		json_end_object(json);
		break;
	}
}

static void write_json_row(const struct table *table, size_t row, struct json_writer *json)
{
	json_begin_object(json);
	for (size_t i = 0; i < table->num_columns; i++) {
		const struct table_cell *cell = cell_at(table, row, i);
		if (!cell)
			break;
		json_key(json, table->keys[i]);
		write_json_cell(cell, json);
	}
	json_end_object(json);
}

void table_write_json(const struct table *table, struct json_writer *json)
{
	size_t num_rows = table_num_rows(table);
	json_begin_array(json);
	for (size_t row = 0; row < num_rows; row++)
		write_json_row(table, row, json);
	json_end_array(json);
}
