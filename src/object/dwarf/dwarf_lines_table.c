// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_lines_table.h"

#include "base/container/array.h"
#include "object/dwarf/dwarf_attribute.h"
#include "object/dwarf/dwarf_file.h"

#include <dwarf.h>
#include <stdlib.h>

// A line table has a header with directories and files, and a program that makes the rows (DWARF
// 5, 6.2.4). They are used at different times: paths of inlined functions need the header only, so
// dwarf_lines_table_create() reads this and leaves the program to dwarf_rows.c.
//
// Up to DWARF 4 the lists are strings up to an empty one, files count from 1, and directory 0 is
// that of the compilation. DWARF 5 (6.2.4.1) describes each list by pairs of content and form, and
// counts from 0. The old lists get an item 0 here, so that numbers are indices in both. Version
// and offset size are the table's own and may differ from those of the unit.
//
// dwarf_lines_table_read() ends the reader at the length of the table; an entry that takes no bytes
// ends its list, since a count in the file could otherwise ask for four billion of them.

static struct error *dwarf_lines_table_add_folder(struct dwarf_lines *lines, const char *folder)
{
	struct error *err =
		array_reserve(&lines->folders, &lines->cap_folders, lines->num_folders + 1);
	if (!err)
		lines->folders[lines->num_folders++] = folder;
	return err;
}

static struct error *dwarf_lines_table_add_file(struct dwarf_lines *lines, const char *name,
						uint64_t folder)
{
	struct error *err = array_reserve(&lines->files, &lines->cap_files, lines->num_files + 1);
	if (!err)
		lines->files[lines->num_files++] =
			(struct dwarf_lines_file){.name = name, .folder = folder};
	return err;
}

/** Before DWARF 5: strings up to an empty one. What the unit itself says is the first folder. */
static struct error *read_old_lists(struct dwarf_lines *lines, struct reader *reader)
{
	struct error *err = dwarf_lines_table_add_folder(lines, lines->folder);
	const char *folder, *name;
	while (!err && (folder = reader_string(reader)) != NULL && *folder)
		err = dwarf_lines_table_add_folder(lines, folder);
	if (!err)
		err = dwarf_lines_table_add_file(lines, NULL, 0);
	while (!err && (name = reader_string(reader)) != NULL && *name) {
		uint64_t in_folder = reader_uleb128(reader);
		reader_uleb128(reader); // when it was changed
		reader_uleb128(reader); // its size
		err = dwarf_lines_table_add_file(lines, name, in_folder);
	}
	return err;
}

/** The entries of DWARF 5. @is_files: else of folders. */
static struct error *read_entries(struct dwarf_lines *lines, const struct dwarf_header *header,
				  const struct dwarf_encoding *encoding, bool is_files,
				  struct reader *reader)
{
	// First the format of all entries: pairs of what it is and its form.
	uint8_t num_pairs = reader_u8(reader);
	const struct reader format = *reader;
	for (unsigned i = 0; i < num_pairs; i++) {
		reader_uleb128(reader);
		reader_uleb128(reader);
	}
	uint64_t count = reader_uleb128(reader);
	struct error *err = NULL;
	for (uint64_t i = 0; !err && i < count; i++) {
		size_t before = reader->offset;
		struct reader pairs = format;
		struct dwarf_lines_file entry = {0};
		for (unsigned pair = 0; pair < num_pairs; pair++) {
			uint64_t content = reader_uleb128(&pairs);
			uint64_t form = reader_uleb128(&pairs);
			struct dwarf_value value = dwarf_form_read(
				form <= UINT16_MAX ? (uint16_t)form : 0, 0, encoding, reader);
			if (content == DW_LNCT_path)
				entry.name = dwarf_attribute_string(header, &value);
			else if (content == DW_LNCT_directory_index)
				dwarf_attribute_number(&value, &entry.folder);
		}
		if (reader->failed || reader->offset == before)
			return NULL;
		err = is_files ? dwarf_lines_table_add_file(lines, entry.name, entry.folder)
			       : dwarf_lines_table_add_folder(lines, entry.name);
	}
	return err;
}

/** Up to the lists; @reader is over the table behind its length. */
static bool read_constants(struct dwarf_lines_program *program, struct dwarf_encoding *encoding,
			   struct reader *reader)
{
	uint16_t version = reader_u16(reader);
	if (version < 2 || version > 5)
		return false;
	encoding->version = (uint8_t)version;
	if (version >= 5) {
		encoding->address_size = reader_u8(reader);
		reader_skip(reader, 1); // the size of selectors of segments
	}
	uint64_t length = dwarf_form_number(reader, encoding->offset_size);
	program->reader = *reader;
	reader_skip(&program->reader, length);
	program->version = encoding->version;
	program->address_size = encoding->address_size;
	program->instruction_size = reader_u8(reader);
	program->instructions_in_bundle = version >= 4 ? reader_u8(reader) : 1;
	reader_skip(reader, 1); // default_is_stmt
	program->line_base = (int8_t)reader_u8(reader);
	program->line_range = reader_u8(reader);
	program->first_special = reader_u8(reader);
	if (program->first_special)
		program->num_arguments = reader_bytes(reader, program->first_special - 1U);
	return program->first_special && !reader->failed;
}

static struct error *dwarf_lines_table_read(struct dwarf_lines *lines,
					    const struct dwarf_header *header)
{
	struct reader reader =
		dwarf_sections_reader(&header->file->sections, DWARF_SECTION_LINE, lines->offset);
	struct dwarf_encoding encoding = header->encoding;
	uint64_t length = dwarf_form_unit_length(&reader, &encoding.offset_size);
	size_t *budget = &header->file->lines_budget;
	bool is_whole = length <= reader_left(&reader);
	if (is_whole && length > *budget)
		read_allowance_note(&header->file->rows_allowance);
	if (!is_whole || length > *budget) {
		lines->program.reader.failed = true;
		return NULL;
	}
	reader.size = reader.offset + length;
	if (!read_constants(&lines->program, &encoding, &reader)) {
		lines->program.reader.failed = true;
		return NULL;
	}
	size_t before = reader.offset;
	bool is_new = encoding.version >= 5;
	struct error *err = is_new ? read_entries(lines, header, &encoding, false, &reader)
				   : read_old_lists(lines, &reader);
	if (!err && is_new)
		err = read_entries(lines, header, &encoding, true, &reader);
	*budget -= reader.offset - before;
	return err;
}

struct error *dwarf_lines_table_create(const struct dwarf_header *header, uint64_t offset,
				       struct dwarf_lines **ret)
{
	struct dwarf_lines *lines = calloc(1, sizeof(*lines));
	if (!lines)
		return &error_no_memory;
	lines->offset = offset;
	lines->folder = header->folder;
	struct error *err = dwarf_lines_table_read(lines, header);
	if (err)
		dwarf_lines_destroy(lines);
	else
		*ret = lines;
	return err;
}

static bool lines_are_at(const void *owner, uint32_t index, const void *key)
{
	const struct dwarf_file *file = owner;
	const uint64_t *offset = key;
	return file->lines[index]->offset == *offset;
}

struct error *dwarf_lines_table_need(const struct dwarf_header *header, struct dwarf_lines **ret)
{
	*ret = NULL;
	bool is_split = header->skeleton;
	if (is_split && !header->file->sections.bytes[DWARF_SECTION_LINE].size)
		header = header->skeleton;
	else if (!header->has_lines && !is_split)
		return NULL;
	// A .dwo file has one table at most, of files only, and need not say where it is.
	struct dwarf_file *file = header->file;
	uint64_t offset = header->has_lines ? header->lines_offset : 0;
	uint64_t hash = hash_bytes(&offset, sizeof(offset));
	uint32_t index = hash_table_find(&file->lines_index, hash, lines_are_at, file, &offset);
	if (index != HASH_TABLE_NONE) {
		*ret = file->lines[index];
		return NULL;
	}
	struct error *err = array_reserve(&file->lines, &file->cap_lines, file->num_lines + 1);
	if (!err)
		err = dwarf_lines_table_create(header, offset, &file->lines[file->num_lines]);
	if (err)
		return err;
	index = (uint32_t)file->num_lines;
	*ret = file->lines[file->num_lines++];
	return hash_table_insert(&file->lines_index, hash, index);
}
