// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_file.h"

#include "base/container/array.h"
#include "base/container/bisect.h"

#include <stdlib.h>

// Opening a file reads only the headers of its units, by jumping from length to length through
// .debug_info. Everything else follows on demand: abbreviations, the line table and the trees of
// DIEs. Units may share abbreviations and line tables (type units use the line table of their
// compilation unit), so both are kept in hash tables by their offset and read once. The array of
// headers is complete after dwarf_file_init(); pointers to its items stay valid.
//
// Offsets in hostile files may make each unit point to another byte of one large table: time and
// memory would grow with units times size. The budgets bound the sum of bytes that are read from
// each section by its size in the file, and the allowances (read_budget.h) the memory made from
// it.

// Units may share lists of ranges and lines; damaged ones may point anywhere. What compilers write
// is hardly ever packed to less than a sixteenth.
enum { BUDGET_FACTOR = 16, BUDGET_LEAST = 1 << 16, BUDGET_UNPACKED = 1 << 22 };

static size_t budget_of(const struct dwarf_file *file, enum dwarf_section section)
{
	size_t unpacked = file->sections.bytes[section].size;
	size_t size = BUDGET_FACTOR * file->sections.sizes_in_file[section];
	if (unpacked > BUDGET_UNPACKED)
		unpacked = BUDGET_UNPACKED;
	return (size > unpacked ? size : unpacked) + BUDGET_LEAST;
}

static struct error *read_headers(struct dwarf_file *file)
{
	struct reader reader = dwarf_sections_reader(&file->sections, DWARF_SECTION_INFO, 0);
	// What stays of .debug_info: headers, and units with their scopes.
	enum { BYTES_OF_UNIT = sizeof(struct dwarf_header) + 256 };
	while (reader_left(&reader) && read_allowance_take(&file->units_allowance, BYTES_OF_UNIT)) {
		struct error *err =
			array_reserve(&file->headers, &file->cap_headers, file->num_headers + 1);
		if (err)
			return err;
		struct dwarf_header *header = &file->headers[file->num_headers];
		if (dwarf_header_read(&reader, header))
			file->num_headers++;
		header->file = file;
	}
	return NULL;
}

struct error *dwarf_file_init(struct dwarf_file *file, const struct elf_image *image, bool is_split)
{
	*file = (struct dwarf_file)DWARF_FILE_INIT;
	struct error *err = dwarf_sections_init(&file->sections, image, is_split);
	file->abbreviations_budget = budget_of(file, DWARF_SECTION_ABBREV);
	file->lines_budget = budget_of(file, DWARF_SECTION_LINE);
	file->ranges_budget =
		budget_of(file, DWARF_SECTION_RANGES) + budget_of(file, DWARF_SECTION_RNGLISTS);
	struct read_budget *budget = image->budget ? image->budget : &file->own_budget;
	const size_t *sizes = file->sections.sizes_in_file;
	file->rows_allowance = read_allowance_of(budget, sizes[DWARF_SECTION_LINE]);
	file->units_allowance = read_allowance_of(budget, sizes[DWARF_SECTION_INFO]);
	return err ? err : read_headers(file);
}

void dwarf_file_deinit(struct dwarf_file *file)
{
	for (size_t i = 0; i < file->num_abbreviations; i++) {
		dwarf_abbreviations_deinit(file->abbreviations[i]);
		free(file->abbreviations[i]);
	}
	free(file->abbreviations);
	hash_table_deinit(&file->abbreviations_index);
	for (size_t i = 0; i < file->num_lines; i++)
		dwarf_lines_destroy(file->lines[i]);
	free(file->lines);
	hash_table_deinit(&file->lines_index);
	free(file->headers);
	arena_deinit(&file->arena);
	dwarf_sections_deinit(&file->sections);
	*file = (struct dwarf_file)DWARF_FILE_INIT;
}

struct dwarf_header *dwarf_file_find_header(struct dwarf_file *file, uint64_t offset)
{
	size_t count = BISECT_U64(file->headers, file->num_headers, offset, offset);
	struct dwarf_header *found = count ? &file->headers[count - 1] : NULL;
	return found && offset >= found->root && offset < found->end ? found : NULL;
}

static bool abbreviations_are_at(const void *owner, uint32_t index, const void *key)
{
	const struct dwarf_file *file = owner;
	const uint64_t *offset = key;
	return file->abbreviations[index]->offset == *offset;
}

struct error *dwarf_file_need_abbreviations(struct dwarf_header *header)
{
	struct dwarf_file *file = header->file;
	if (header->abbreviations)
		return NULL;
	uint64_t offset = header->abbreviations_offset;
	uint64_t hash = hash_bytes(&offset, sizeof(offset));
	uint32_t index = hash_table_find(&file->abbreviations_index, hash, abbreviations_are_at,
					 file, &offset);
	if (index != HASH_TABLE_NONE) {
		header->abbreviations = file->abbreviations[index];
		return NULL;
	}
	struct error *err = array_reserve(&file->abbreviations, &file->cap_abbreviations,
					  file->num_abbreviations + 1);
	if (err)
		return err;
	struct dwarf_abbreviations *table = calloc(1, sizeof(*table));
	if (!table)
		return &error_no_memory;
	dwarf_abbreviations_init(
		table, dwarf_sections_reader(&file->sections, DWARF_SECTION_ABBREV, offset),
		&file->arena, &file->abbreviations_budget);
	table->offset = offset;
	index = (uint32_t)file->num_abbreviations;
	file->abbreviations[file->num_abbreviations++] = table;
	header->abbreviations = table;
	return hash_table_insert(&file->abbreviations_index, hash, index);
}
