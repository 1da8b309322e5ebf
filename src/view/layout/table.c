// SPDX-License-Identifier: Apache-2.0
#include "view/layout/table.h"

#include "base/container/arena.h"
#include "base/container/array.h"
#include "view/json/json_writer.h"
#include "view/layout/decimal.h"
#include "view/layout/safe_text.h"
#include "view/layout/short_name.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

// Cells are kept until the table is printed, because a column is as wide as its widest cell. A cell
// has its text and, for JSON, its number. A cell can be a table itself, as WindowsPerf prints
// disassembly: it has several lines, and the row is as high as its highest cell. Therefore drawing
// goes by lines of the screen: draw_row_line() draws one of them across all cells, and
// draw_table_line() one of a nested table.
//
// If there is less room than the table needs, the widest column that may lose something gets
// narrower, column by column of the screen (table_narrow()). Numbers are never cut.
//
// Blanks are drawn only when something follows them on the line (struct drawing), so that lines
// have none at their ends; --compat pads them as the peer does.
//
// A table of three columns, with its margin of six blanks:
//
//	        overhead  count  symbol
//	        ========  =====  ======
//	           97.87    138  add
//	            0.71      1  irqentry_exit_to_user_mode:[kernel]

enum {
	TABLE_MARGIN = 6,
	TABLE_GAP = 2,          /* before every column */
	TABLE_HEADER_LINES = 2, /* names, underlines */
};

enum table_cell_type { CELL_STRING, CELL_NUMBER, CELL_DOUBLE, CELL_NULL, CELL_TABLE };

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

static bool init_columns(struct table *table)
{
	table->keys = arena_alloc_array(&table->arena, table->num_columns, sizeof(*table->keys));
	table->widths =
		arena_alloc_array(&table->arena, table->num_columns, sizeof(*table->widths));
	if (!table->keys || !table->widths)
		return false;
	for (size_t i = 0; i < table->num_columns; i++) {
		const char *name = table->columns[i].name;
		char *key = arena_strdup(&table->arena, name);
		if (!key)
			return false;
		for (char *blank = key; (blank = strchr(blank, ' '));)
			*blank = '_';
		table->keys[i] = key;
		table->widths[i] = text_width(name);
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

static bool table_add_cell(struct table *table, struct table_cell cell)
{
	if (table->failed)
		return false;
	struct error *err = array_reserve(&table->cells, &table->cap_cells, table->num_cells + 1);
	if (err) {
		error_destroy(err);
		table->failed = true;
		return false;
	}
	// Cells come row by row.
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
	table_add_cell(table, cell);
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

void table_add_null_as(struct table *table, const char *text)
{
	add_text_cell(table, (struct table_cell){.type = CELL_NULL}, text);
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
		.height = TABLE_HEADER_LINES,
		.text = key,
		.nested = nested,
	};
	size_t num_rows = table_num_rows(nested);
	for (size_t row = 0; row < num_rows; row++)
		cell.height += row_height(nested, row);
	if (!table_add_cell(table, cell))
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

/** A table while it is printed. */
struct drawing {
	const struct table *table;
	const size_t *widths; /* of its columns */
	bool is_padded;
	size_t num_blanks; /* that nothing stands behind yet */
	FILE *stream;
};

static void draw_blanks(struct drawing *drawing, size_t count)
{
	drawing->num_blanks += count;
}

static void draw_waiting_blanks(struct drawing *drawing)
{
	for (; drawing->num_blanks; drawing->num_blanks--)
		fputc(' ', drawing->stream);
}

static void draw_text(struct drawing *drawing, const char *text)
{
	if (!*text)
		return;
	draw_waiting_blanks(drawing);
	safe_text_print(text, strlen(text), drawing->stream);
}

static void end_line(struct drawing *drawing)
{
	if (drawing->is_padded)
		draw_waiting_blanks(drawing);
	drawing->num_blanks = 0;
	fputc('\n', drawing->stream);
}

/** One of the TABLE_HEADER_LINES: the names, or their underlines. */
static void draw_header_line(struct drawing *drawing, const struct table *table,
			     const size_t *widths, size_t line)
{
	for (size_t i = 0; i < table->num_columns; i++) {
		const struct table_column *column = &table->columns[i];
		size_t width = text_width(column->name);
		size_t padding = widths[i] - width;
		draw_blanks(drawing, TABLE_GAP);
		if (column->align == TABLE_RIGHT)
			draw_blanks(drawing, padding);
		if (line == 0) {
			draw_text(drawing, column->name);
		} else {
			draw_waiting_blanks(drawing);
			for (size_t k = 0; k < width; k++)
				fputc('=', drawing->stream);
		}
		if (column->align != TABLE_RIGHT)
			draw_blanks(drawing, padding);
	}
}

static void draw_table_line(struct drawing *drawing, const struct table *table, size_t line);

/** Shortened if there is no room; the result is the rest of the width. */
static size_t draw_cell_text(struct drawing *drawing, const char *text, size_t width,
			     enum table_align align)
{
	enum short_name_cut cut = align == TABLE_SENTENCE ? SHORT_NAME_END : SHORT_NAME_MIDDLE;
	_cleanup_free_ char *name = short_name_create(text, width, cut);
	if (name)
		text = name;
	draw_text(drawing, text);
	size_t drawn = text_width(text);
	return drawn < width ? width - drawn : 0;
}

/** Line @line of the row; cells that are not that high are blank there. */
static void draw_row_line(struct drawing *drawing, const struct table *table, const size_t *widths,
			  size_t row, size_t line)
{
	for (size_t i = 0; i < table->num_columns; i++) {
		const struct table_cell *cell = cell_at(table, row, i);
		enum table_align align = table->columns[i].align;
		bool is_blank = !cell || line >= cell->height;
		size_t padding = widths[i];
		if (!is_blank)
			padding = cell->width < widths[i] ? widths[i] - cell->width : 0;
		draw_blanks(drawing, TABLE_GAP);
		if (align == TABLE_RIGHT)
			draw_blanks(drawing, padding);
		if (!is_blank && cell->type == CELL_TABLE)
			draw_table_line(drawing, cell->nested, line);
		else if (!is_blank)
			padding = draw_cell_text(drawing, cell->text, widths[i], align);
		if (align != TABLE_RIGHT)
			draw_blanks(drawing, padding);
	}
}

/** Of a table inside a cell. */
static void draw_table_line(struct drawing *drawing, const struct table *table, size_t line)
{
	if (line < TABLE_HEADER_LINES) {
		draw_header_line(drawing, table, table->widths, line);
		return;
	}
	line -= TABLE_HEADER_LINES;
	size_t row = table->holds_tables ? 0 : line;
	for (; table->holds_tables && line >= row_height(table, row); row++)
		// Rows of different heights: the line belongs to the row in which it ends up.
		line -= row_height(table, row);
	draw_row_line(drawing, table, table->widths, row, table->holds_tables ? line : 0);
}

static void table_draw(struct drawing *drawing)
{
	for (size_t line = 0; line < TABLE_HEADER_LINES; line++) {
		draw_blanks(drawing, TABLE_MARGIN);
		draw_header_line(drawing, drawing->table, drawing->widths, line);
		end_line(drawing);
	}
	size_t num_rows = table_num_rows(drawing->table);
	for (size_t row = 0; row < num_rows; row++) {
		size_t height = row_height(drawing->table, row);
		for (size_t line = 0; line < height; line++) {
			draw_blanks(drawing, TABLE_MARGIN);
			draw_row_line(drawing, drawing->table, drawing->widths, row, line);
			end_line(drawing);
		}
	}
}

/** What cannot be less without a loss that nobody wants. */
static size_t least_width(const struct table *table, size_t column)
{
	enum { LEAST_TEXT = 12 };
	if (table->columns[column].align == TABLE_RIGHT || table->holds_tables)
		return table->widths[column];
	size_t name = text_width(table->columns[column].name);
	return name < LEAST_TEXT ? LEAST_TEXT : name;
}

/** Takes from the widest column that may be narrower, as long as there is one. */
static void table_narrow(const struct table *table, size_t max_columns, size_t *widths)
{
	size_t num_columns = table->num_columns;
	for (size_t width = TABLE_MARGIN + table_width(table); width > max_columns; width--) {
		size_t widest = num_columns;
		for (size_t i = 0; i < num_columns; i++) {
			bool is_wider = widest == num_columns || widths[i] >= widths[widest];
			if (is_wider && widths[i] > least_width(table, i))
				widest = i;
		}
		if (widest == num_columns)
			return;
		widths[widest]--;
	}
}

void table_print(const struct table *table, struct table_layout layout, FILE *stream)
{
	_cleanup_free_ size_t *widths = NULL;
	if (layout.max_columns)
		widths = calloc(table->num_columns, sizeof(*widths));
	if (widths) {
		memcpy(widths, table->widths, table->num_columns * sizeof(*widths));
		table_narrow(table, layout.max_columns, widths);
	}
	table_draw(&(struct drawing){
		.table = table,
		.widths = widths ? widths : table->widths,
		.is_padded = layout.is_padded,
		.stream = stream,
	});
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
	case CELL_NULL:
		json_none(json);
		break;
	case CELL_TABLE:
		json_begin_object(json);
		json_key(json, cell->text);
		table_write_json(cell->nested, json);
		json_end_object(json);
		break;
	}
}

void table_write_json(const struct table *table, struct json_writer *json)
{
	size_t num_rows = table_num_rows(table);
	json_begin_array(json);
	for (size_t row = 0; row < num_rows; row++) {
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
	json_end_array(json);
}
