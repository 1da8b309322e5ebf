// SPDX-License-Identifier: Apache-2.0

#include "object/python_image_lines.h"

#include "base/array.h"
#include "base/cleanup.h"
#include "base/reader.h"
#include "object/python_image_layout.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/** Lines that follow one another, of a function. */
struct piece {
	uint64_t address, size;
	const char *function; // NULL: not known
	uint32_t file, line, column, definition_line;
};

struct python_image_lines {
	struct piece *pieces; // in the order of their addresses
	size_t num_pieces, cap_pieces;
	const char **files; // by number, from 1 on
	size_t num_files, cap_files;
};

bool python_image_lines_are_in(const struct elf_image *image)
{
	return elf_image_find_section(image, PYTHON_IMAGE_MARK) != NULL;
}

void python_image_lines_destroy(struct python_image_lines *lines)
{
	if (!lines)
		return;
	free(lines->pieces);
	free(lines->files);
	free(lines);
}

static void python_image_lines_destroyp(struct python_image_lines **lines)
{
	python_image_lines_destroy(*lines);
}

static struct reader section_of(const struct elf_image *image, const char *name)
{
	const struct elf_section *section = elf_image_find_section(image, name);
	struct object_bytes bytes =
		section ? elf_image_bytes(image, section) : (struct object_bytes){0};
	return reader_create(bytes.data, bytes.size);
}

static struct error *add_file(struct python_image_lines *lines, const char *name)
{
	struct error *err = array_reserve(&lines->files, &lines->cap_files, lines->num_files + 1);
	if (!err)
		lines->files[lines->num_files++] = name;
	return err;
}

/** The header of .debug_line, up to the rows. */
static struct error *read_files(struct python_image_lines *lines, struct reader *reader)
{
	enum { NUM_OPERANDS = 12 };
	reader_skip(reader, 4 + 2 + 4 + 1 + 1 + 1 + 1 + 1 + 1 + NUM_OPERANDS + 1);
	struct error *err = NULL;
	const char *name = reader_string(reader);
	while (!err && name && *name) {
		for (int i = 0; i < 3; i++) // folder, time, size
			reader_uleb128(reader);
		err = add_file(lines, name);
		name = reader_string(reader);
	}
	return err;
}

/** One range of lines, as the writer puts it. False: it is none. */
static bool read_piece(struct reader *reader, struct piece *ret)
{
	uint8_t start[] = {reader_u8(reader), reader_u8(reader), reader_u8(reader)};
	*ret = (struct piece){.address = reader_u64(reader), .line = 1};
	if (start[0] != 0 || start[1] != 1 + sizeof(uint64_t) || start[2] != DW_LNE_set_address)
		return false;
	uint64_t num_rows = 0;
	for (;;) {
		uint8_t operation = reader_u8(reader);
		if (reader->failed || operation == 0)
			break;
		if (operation == DW_LNS_set_file)
			ret->file = (uint32_t)reader_uleb128(reader);
		else if (operation == DW_LNS_set_column)
			ret->column = (uint32_t)reader_uleb128(reader);
		else if (operation == DW_LNS_advance_line && num_rows == 0)
			ret->line += (uint32_t)reader_sleb128(reader);
		else if (operation == DW_LNS_advance_line)
			reader_sleb128(reader); // the next line
		else if (operation == DW_LNS_advance_pc)
			reader_uleb128(reader); // the next eight bytes
		else if (operation == DW_LNS_copy)
			num_rows++;
		else
			return false;
	}
	reader_skip(reader, 2); // of the end of a sequence
	ret->size = num_rows * PYTHON_IMAGE_LINE_SIZE;
	return !reader->failed;
}

static struct error *read_pieces(struct python_image_lines *lines, struct reader *reader)
{
	struct error *err = NULL;
	struct piece piece;
	uint64_t end = 0;
	while (!err && reader_left(reader) && read_piece(reader, &piece)) {
		if (piece.address < end || piece.size > UINT64_MAX - piece.address)
			break; // ours are in order
		end = piece.address + piece.size;
		err = array_reserve(&lines->pieces, &lines->cap_pieces, lines->num_pieces + 1);
		if (!err)
			lines->pieces[lines->num_pieces++] = piece;
	}
	return err;
}

static struct piece *find_piece(const struct python_image_lines *lines, uint64_t address)
{
	size_t low = 0, high = lines->num_pieces;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (lines->pieces[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	struct piece *piece = low ? &lines->pieces[low - 1] : NULL;
	return piece && address - piece->address < piece->size ? piece : NULL;
}

/** Functions of .debug_info, each of one piece. */
static void name_pieces(struct python_image_lines *lines, struct reader *reader)
{
	reader_skip(reader, 4 + 2 + 4 + 1); // size, version, abbreviations, size of addresses
	reader_uleb128(reader);
	reader_string(reader);          // producer
	reader_skip(reader, 2);         // language
	reader_string(reader);          // name
	reader_skip(reader, 4 + 8 + 4); // lines, first address, size
	while (!reader->failed && reader_uleb128(reader)) {
		const char *function = reader_string(reader);
		reader_uleb128(reader); // file
		uint32_t line = (uint32_t)reader_uleb128(reader);
		struct piece *piece = find_piece(lines, reader_u64(reader));
		reader_skip(reader, 4); // size
		if (!piece || reader->failed)
			continue;
		piece->function = function;
		piece->definition_line = line;
	}
}

struct error *python_image_lines_create(const struct elf_image *image,
					struct python_image_lines **ret)
{
	_cleanup_(python_image_lines_destroyp) struct python_image_lines *lines =
		calloc(1, sizeof(*lines));
	if (!lines)
		return &error_no_memory;
	struct reader rows = section_of(image, ".debug_line");
	struct reader functions = section_of(image, ".debug_info");
	struct error *err = read_files(lines, &rows);
	if (!err)
		err = read_pieces(lines, &rows);
	if (err)
		return err;
	name_pieces(lines, &functions);
	*ret = take_ptr(lines);
	return NULL;
}

bool python_image_lines_find(const struct python_image_lines *lines, uint64_t address,
			     struct object_line *ret)
{
	const struct piece *piece = find_piece(lines, address);
	if (!piece || piece->file == 0 || piece->file > lines->num_files)
		return false;
	const char *file = lines->files[piece->file - 1];
	*ret = (struct object_line){
		.function = piece->function,
		.file = file,
		.line = piece->line +
			(uint32_t)((address - piece->address) / PYTHON_IMAGE_LINE_SIZE),
		.column = piece->column,
		.definition_line = piece->definition_line,
		.definition_file = file,
	};
	return true;
}
