// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_lines.h"

#include "base/container/array.h"
#include "base/container/bisect.h"
#include "base/text/ascii.h"
#include "base/text/string_builder.h"
#include "object/dwarf/dwarf_attribute.h"
#include "object/dwarf/dwarf_file.h"
#include "object/dwarf/dwarf_rows.h"

#include <dwarf.h>
#include <string.h>

// A line table has a header with directories and files, and a program that makes the rows (DWARF
// 5, 6.2.4). They are used at different times: paths of inlined functions need the header only, so
// dwarf_lines_create() reads this and leaves the program to dwarf_rows.c
// (dwarf_lines_need_rows()).
//
// Up to DWARF 4 the lists are strings up to an empty one, files count from 1, and directory 0 is
// that of the compilation. DWARF 5 (6.2.4.1) describes each list by pairs of content and form, and
// counts from 0. The old lists get an item 0 here, so that numbers are indices in both. Version
// and offset size are the table's own and may differ from those of the unit.
//
// dwarf_lines_read_table() ends the reader at the length of the table; an entry that takes no bytes
// ends its list, since a count in the file could otherwise ask for four billion of them.

static struct error *dwarf_lines_add_folder(struct dwarf_lines *lines, const char *folder)
{
	struct error *err =
		array_reserve(&lines->folders, &lines->cap_folders, lines->num_folders + 1);
	if (!err)
		lines->folders[lines->num_folders++] = folder;
	return err;
}

static struct error *dwarf_lines_add_file(struct dwarf_lines *lines, const char *name,
					  uint64_t folder)
{
	struct error *err = array_reserve(&lines->files, &lines->cap_files, lines->num_files + 1);
	if (!err)
		lines->files[lines->num_files++] =
			(struct dwarf_lines_file){.name = name, .folder = folder};
	return err;
}

/** Before DWARF 5: strings up to an empty one. What the unit itself says is the first. */
static struct error *read_old_folders(struct dwarf_lines *lines, struct reader *reader)
{
	struct error *err = dwarf_lines_add_folder(lines, lines->folder);
	while (!err) {
		const char *folder = reader_string(reader);
		if (!folder || !*folder)
			return NULL;
		err = dwarf_lines_add_folder(lines, folder);
	}
	return err;
}

static struct error *read_old_files(struct dwarf_lines *lines, struct reader *reader)
{
	struct error *err = dwarf_lines_add_file(lines, NULL, 0);
	while (!err) {
		const char *name = reader_string(reader);
		if (!name || !*name)
			return NULL;
		uint64_t folder = reader_uleb128(reader);
		reader_uleb128(reader); // when it was changed
		reader_uleb128(reader); // its size
		err = dwarf_lines_add_file(lines, name, folder);
	}
	return err;
}

/** How DWARF 5 writes the entries of a list: pairs of what it is and its form. */
struct entry_format {
	struct reader pairs;
	uint8_t num_pairs;
};

static struct entry_format dwarf_lines_read_format(struct reader *reader)
{
	struct entry_format format = {.num_pairs = reader_u8(reader)};
	format.pairs = *reader;
	for (unsigned i = 0; i < format.num_pairs; i++) {
		reader_uleb128(reader);
		reader_uleb128(reader);
	}
	return format;
}

static struct dwarf_lines_file dwarf_lines_read_entry(const struct dwarf_header *header,
						      const struct dwarf_encoding *encoding,
						      struct entry_format format,
						      struct reader *reader)
{
	struct dwarf_lines_file entry = {0};
	for (unsigned i = 0; i < format.num_pairs; i++) {
		uint64_t content = reader_uleb128(&format.pairs);
		uint64_t form = reader_uleb128(&format.pairs);
		struct dwarf_value value = dwarf_form_read(form <= UINT16_MAX ? (uint16_t)form : 0,
							   0, encoding, reader);
		if (content == DW_LNCT_path)
			entry.name = dwarf_attribute_string(header, &value);
		else if (content == DW_LNCT_directory_index)
			dwarf_attribute_number(&value, &entry.folder);
	}
	return entry;
}

/** @is_files: else of folders. */
static struct error *read_entries(struct dwarf_lines *lines, const struct dwarf_header *header,
				  const struct dwarf_encoding *encoding, bool is_files,
				  struct reader *reader)
{
	struct entry_format format = dwarf_lines_read_format(reader);
	uint64_t count = reader_uleb128(reader);
	struct error *err = NULL;
	for (uint64_t i = 0; !err && i < count; i++) {
		size_t before = reader->offset;
		struct dwarf_lines_file entry =
			dwarf_lines_read_entry(header, encoding, format, reader);
		if (reader->failed || reader->offset == before)
			return NULL;
		err = is_files ? dwarf_lines_add_file(lines, entry.name, entry.folder)
			       : dwarf_lines_add_folder(lines, entry.name);
	}
	return err;
}

static struct error *read_lists(struct dwarf_lines *lines, const struct dwarf_header *header,
				const struct dwarf_encoding *encoding, struct reader *reader)
{
	struct error *err = encoding->version >= 5
				    ? read_entries(lines, header, encoding, false, reader)
				    : read_old_folders(lines, reader);
	if (err)
		return err;
	return encoding->version >= 5 ? read_entries(lines, header, encoding, true, reader)
				      : read_old_files(lines, reader);
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

static struct error *dwarf_lines_read_table(struct dwarf_lines *lines,
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
	struct error *err = read_lists(lines, header, &encoding, &reader);
	*budget -= reader.offset - before;
	return err;
}

struct error *dwarf_lines_create(const struct dwarf_header *header, uint64_t offset,
				 struct dwarf_lines **ret)
{
	struct dwarf_lines *lines = calloc(1, sizeof(*lines));
	if (!lines)
		return &error_no_memory;
	lines->offset = offset;
	lines->folder = header->folder;
	struct error *err = dwarf_lines_read_table(lines, header);
	if (err)
		dwarf_lines_destroy(lines);
	else
		*ret = lines;
	return err;
}

void dwarf_lines_destroy(struct dwarf_lines *lines)
{
	if (!lines)
		return;
	free(lines->folders);
	free(lines->files);
	free(lines->rows);
	free(lines);
}

struct error *dwarf_lines_need_rows(struct dwarf_lines *lines, const struct elf_image *code,
				    size_t *budget, struct read_allowance *allowance)
{
	if (lines->rows_are_read)
		return NULL;
	size_t length = reader_left(&lines->program.reader);
	struct error *err = NULL;
	if (length <= *budget) {
		*budget -= length;
		err = dwarf_rows_read(lines, code, allowance);
	} else if (!lines->program.reader.failed) {
		read_allowance_note(allowance);
	}
	lines->rows_are_read = !err;
	return err;
}

uint32_t dwarf_lines_find(const struct dwarf_lines *lines, uint64_t address)
{
	size_t count = BISECT_U64(lines->rows, lines->num_rows, address, address);
	bool is_known = count && count <= DWARF_LINES_NONE && !lines->rows[count - 1].is_end;
	return is_known ? (uint32_t)(count - 1) : DWARF_LINES_NONE;
}

/** From a root on, of whichever system it is of. */
static bool dwarf_lines_is_whole(const char *path)
{
	if (!path || !path[0])
		return false;
	char first = ascii_lower(path[0]);
	return first == '/' || first == '\\' || (first >= 'a' && first <= 'z' && path[1] == ':');
}

static void append_folder(struct string_builder *path, const char *folder)
{
	size_t length = folder ? strlen(folder) : 0;
	if (!length)
		return;
	string_builder_append_n(path, folder, length);
	if (folder[length - 1] != '/' && folder[length - 1] != '\\')
		string_builder_append(path, "/");
}

static const char *dwarf_lines_folder_of(const struct dwarf_lines *lines, uint64_t number)
{
	return number < lines->num_folders ? lines->folders[number] : NULL;
}

/** The folder of the file may be within the first one, and that within the unit's. */
static void append_folders(struct string_builder *path, const struct dwarf_lines *lines,
			   uint64_t number)
{
	const char *folder = dwarf_lines_folder_of(lines, number);
	const char *first = number ? dwarf_lines_folder_of(lines, 0) : NULL;
	const char *outer = first ? first : folder;
	bool is_in_unit = !dwarf_lines_is_whole(folder) && !dwarf_lines_is_whole(first) &&
			  lines->folder && (!outer || strcmp(outer, lines->folder) != 0);
	append_folder(path, is_in_unit ? lines->folder : NULL);
	append_folder(path, dwarf_lines_is_whole(folder) ? NULL : first);
	append_folder(path, folder);
}

struct error *dwarf_lines_path(struct dwarf_lines *lines, uint64_t number,
			       struct string_table *paths, const char **ret)
{
	struct dwarf_lines_file *file = number < lines->num_files ? &lines->files[number] : NULL;
	*ret = file ? file->path : NULL;
	if (*ret || !file || !file->name)
		return NULL;
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	if (!dwarf_lines_is_whole(file->name))
		append_folders(&path, lines, file->folder);
	string_builder_append(&path, file->name);
	if (path.failed)
		return &error_no_memory;
	uint32_t id;
	struct error *err = string_table_intern(paths, path.text, &id);
	if (!err)
		*ret = file->path = string_table_get(paths, id);
	return err;
}
