// SPDX-License-Identifier: Apache-2.0

#include "object/pdb/pdb_lines.h"

#include "base/container/array.h"

#include <stdlib.h>

// The C13 line information of a module: subsections with a kind and a size each (DEBUG_S_*, from
// cvinfo.h of microsoft-pdb). DEBUG_S_LINES is about one contiguous piece of code and has blocks
// of rows, one block for each file; DEBUG_S_FILECHKSMS is the list of files that rows refer to by
// byte offset; DEBUG_S_INLINEELINES says where inlined functions are defined.
//
// All rows of the module go into one array sorted by address. Each piece adds a row without code
// at its end, so that a search behind it does not find the last line before the gap. Where the end
// of one piece is the start of the next, the end must come first (pdb_lines_compare_rows()). The
// order is stable: of rows at one address the last one counts, and qsort() does not keep the order
// by itself.

enum {
	PART_LINES = 0xf2,      // DEBUG_S_LINES
	PART_FILES = 0xf4,      // DEBUG_S_FILECHKSMS
	PART_INLINEES = 0xf6,   // DEBUG_S_INLINEELINES
	LINES_WITH_COLUMNS = 1, // CV_LINES_HAVE_COLUMNS
	LINE_MASK = 0xffffff,   // CV_Line_t.linenumStart
	// Lines that stand for code of which a debugger shows none.
	LINE_NEVER_STEP = 0xfeefee,
	LINE_ALWAYS_STEP = 0xf00f00,
	LINE_SIZE = 8,
	COLUMN_SIZE = 4,
};

/** The piece of code that a table of lines is about. */
struct piece {
	uint32_t start, size;
	bool has_columns;
};

static struct error *pdb_lines_add_row(struct pdb_module *module, const struct pdb_row *row)
{
	struct error *err = array_reserve(&module->rows, &module->cap_rows, module->num_rows + 1);
	if (!err)
		module->rows[module->num_rows++] = *row;
	return err;
}

/** A block: the rows of one file. */
static struct error *pdb_lines_read_block(struct pdb_module *module, const struct piece *piece,
					  struct reader *reader)
{
	uint32_t file = reader_u32(reader);
	uint32_t count = reader_u32(reader);
	uint32_t size = reader_u32(reader); // with this header
	enum { HEADER_SIZE = 12 };
	struct reader block = reader_sub(reader, size < HEADER_SIZE ? 0 : size - HEADER_SIZE);
	// All lines of the block come first, then all columns: two readers go side by side.
	struct reader columns = block;
	reader_skip(&columns, (size_t)count * LINE_SIZE);
	if (count > reader_left(&block) / LINE_SIZE)
		count = (uint32_t)(reader_left(&block) / LINE_SIZE);
	struct error *err =
		array_reserve(&module->rows, &module->cap_rows, module->num_rows + count);
	for (uint32_t i = 0; !err && i < count; i++) {
		uint32_t offset = reader_u32(&block);
		uint32_t line = reader_u32(&block) & LINE_MASK;
		bool hidden = line == LINE_NEVER_STEP || line == LINE_ALWAYS_STEP;
		struct pdb_row row = {piece->start + offset, file, hidden ? 0 : line, 1, 0};
		if (piece->has_columns && reader_left(&columns) >= COLUMN_SIZE) {
			row.column = reader_u16(&columns);
			reader_skip(&columns, 2); // where it ends
		}
		if (offset < piece->size)
			module->rows[module->num_rows++] = row;
	}
	return err;
}

static struct error *pdb_lines_read_piece(struct pdb_module *module, const struct pdb_file *file,
					  struct reader reader)
{
	uint32_t offset = reader_u32(&reader);
	uint16_t section = reader_u16(&reader);
	struct piece piece = {.has_columns = reader_u16(&reader) & LINES_WITH_COLUMNS};
	piece.size = reader_u32(&reader);
	if (reader.failed || !pdb_file_address(file, section, offset, &piece.start) ||
	    piece.size > UINT32_MAX - piece.start)
		return NULL;
	struct error *err = NULL;
	size_t first = module->num_rows;
	while (!err && reader_left(&reader))
		err = pdb_lines_read_block(module, &piece, &reader);
	// Code before the first row is what a call does before the first line.
	if (!err && module->num_rows > first && module->rows[first].address > piece.start) {
		struct pdb_row row = module->rows[first];
		row.address = piece.start;
		err = pdb_lines_add_row(module, &row);
	}
	return err ? err
		   : pdb_lines_add_row(module,
				       &(struct pdb_row){.address = piece.start + piece.size});
}

/** Where the functions are defined whose calls are inlined in this module. */
static struct error *read_inlinees(struct pdb_module *module, struct reader reader)
{
	enum { WITH_MORE_FILES = 1 }; // CV_INLINEE_SOURCE_LINE_SIGNATURE_EX
	bool with_more = reader_u32(&reader) == WITH_MORE_FILES;
	while (reader_left(&reader)) {
		struct pdb_inlinee inlinee = {.id = reader_u32(&reader)};
		inlinee.file = reader_u32(&reader);
		inlinee.line = reader_u32(&reader);
		if (with_more)
			reader_skip(&reader, (size_t)reader_u32(&reader) * 4);
		if (reader.failed)
			return NULL;
		struct error *err = array_reserve(&module->inlinees, &module->cap_inlinees,
						  module->num_inlinees + 1);
		if (err)
			return err;
		module->inlinees[module->num_inlinees++] = inlinee;
	}
	return NULL;
}

/** The end of a piece is before what begins there; else the order of the file stays. */
struct placed_row {
	struct pdb_row row;
	size_t place;
};

static int pdb_lines_compare_rows(const void *left, const void *right)
{
	const struct placed_row *a = left, *b = right;
	if (a->row.address != b->row.address)
		return a->row.address < b->row.address ? -1 : 1;
	if (a->row.is_code != b->row.is_code)
		return a->row.is_code < b->row.is_code ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

static struct error *pdb_lines_sort_rows(struct pdb_module *module)
{
	const struct pdb_row *rows = module->rows;
	size_t num_sorted = 1;
	while (num_sorted < module->num_rows &&
	       (rows[num_sorted].address > rows[num_sorted - 1].address ||
		(rows[num_sorted].address == rows[num_sorted - 1].address &&
		 rows[num_sorted].is_code)))
		num_sorted++;
	if (num_sorted >= module->num_rows)
		return NULL;
	_cleanup_free_ struct placed_row *placed = calloc(module->num_rows, sizeof(*placed));
	if (!placed)
		return &error_no_memory;
	for (size_t i = 0; i < module->num_rows; i++)
		placed[i] = (struct placed_row){module->rows[i], i};
	qsort(placed, module->num_rows, sizeof(*placed), pdb_lines_compare_rows);
	for (size_t i = 0; i < module->num_rows; i++)
		module->rows[i] = placed[i].row;
	return NULL;
}

static int compare_inlinees(const void *left, const void *right)
{
	const struct pdb_inlinee *a = left, *b = right;
	return a->id < b->id ? -1 : a->id > b->id;
}

struct error *pdb_lines_read(struct pdb_module *module, const struct pdb_file *file,
			     struct reader reader)
{
	module->num_rows = module->num_inlinees = 0; // of a try that ran out of memory
	struct error *err = NULL;
	while (!err && reader_left(&reader)) {
		uint32_t kind = reader_u32(&reader);
		uint32_t size = reader_u32(&reader);
		struct reader part = reader_sub(&reader, size);
		if (kind == PART_LINES)
			err = pdb_lines_read_piece(module, file, part);
		if (kind == PART_FILES)
			module->files = (struct object_bytes){.data = part.data, .size = part.size};
		if (kind == PART_INLINEES)
			err = read_inlinees(module, part);
		if (!reader.failed)
			reader_align(&reader, 4);
	}
	if (!err && module->num_inlinees)
		qsort(module->inlinees, module->num_inlinees, sizeof(*module->inlinees),
		      compare_inlinees);
	return err ? err : pdb_lines_sort_rows(module);
}
