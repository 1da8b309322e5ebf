// SPDX-License-Identifier: Apache-2.0
// DWARF 4, which every tool of today reads.

#include "object/line_image/line_image_dwarf.h"

#include "base/container/array.h"
#include "object/line_image/byte_writer.h"
#include "object/line_image/line_image_layout.h"

#include <dwarf.h>
#include <stdlib.h>

// The smallest DWARF 4 that has functions and lines: one unit with one DIE per range
// (.debug_abbrev, .debug_info), a line program with three opcodes per line (.debug_line, DWARF 4,
// 6.2.5), and .debug_aranges, by which some tools look for the unit. Special opcodes would be
// shorter, but the image is small. Sizes in front of tables are written as 0 and set at the end
// (byte_writer_set_u32()).

enum {
	DWARF_VERSION = 4,
	ADDRESS_SIZE = sizeof(uint64_t),
	NO_FILE = 0, /* as a number of a file: they count from 1 */
};

enum abbreviation { ABBREVIATION_END, ABBREVIATION_UNIT, ABBREVIATION_FUNCTION };

void line_image_dwarf_deinit(struct line_image_dwarf *dwarf)
{
	string_builder_deinit(&dwarf->abbreviations);
	string_builder_deinit(&dwarf->info);
	string_builder_deinit(&dwarf->lines);
	string_builder_deinit(&dwarf->ranges);
	free(dwarf->file_numbers);
}

static const char *line_image_dwarf_text_of(const struct line_image_dwarf *dwarf, uint32_t string)
{
	return string_table_get(&dwarf->image->strings, string);
}

static void put_abbreviations(struct line_image_dwarf *dwarf)
{
	static const uint8_t words[] = {
		ABBREVIATION_UNIT,
		DW_TAG_compile_unit,
		DW_CHILDREN_yes,
		DW_AT_producer,
		DW_FORM_string,
		DW_AT_language,
		DW_FORM_data2,
		DW_AT_name,
		DW_FORM_string,
		DW_AT_stmt_list,
		DW_FORM_sec_offset,
		DW_AT_low_pc,
		DW_FORM_addr,
		DW_AT_high_pc,
		DW_FORM_data4,
		0,
		0,
		ABBREVIATION_FUNCTION,
		DW_TAG_subprogram,
		DW_CHILDREN_no,
		DW_AT_name,
		DW_FORM_string,
		DW_AT_decl_file,
		DW_FORM_udata,
		DW_AT_decl_line,
		DW_FORM_udata,
		DW_AT_low_pc,
		DW_FORM_addr,
		DW_AT_high_pc,
		DW_FORM_data4,
		DW_AT_external,
		DW_FORM_flag_present,
		0,
		0,
		ABBREVIATION_END,
	};
	byte_writer_put(&dwarf->abbreviations, words, sizeof(words));
}

/** The unit, and a die for each range. */
static void put_unit(struct line_image_dwarf *dwarf)
{
	struct string_builder *info = &dwarf->info;
	byte_writer_u32(info, 0); // its size, once it is known
	byte_writer_u16(info, DWARF_VERSION);
	byte_writer_u32(info, 0); // where its abbreviations are
	byte_writer_u8(info, ADDRESS_SIZE);
	byte_writer_number(info, ABBREVIATION_UNIT);
	byte_writer_text(info, "wperf");
	byte_writer_u16(info, dwarf->language->number);
	byte_writer_text(info, dwarf->language->name);
	byte_writer_u32(info, 0); // where its lines are
	byte_writer_u64(info, LINE_IMAGE_CODE);
	byte_writer_u32(info, dwarf->image->text_size);
	for (size_t i = 0; i < dwarf->image->num_ranges; i++) {
		const struct line_image_range *range = &dwarf->image->ranges[i];
		if (dwarf->file_numbers[range->file] == NO_FILE)
			continue;
		byte_writer_number(info, ABBREVIATION_FUNCTION);
		byte_writer_text(info, line_image_dwarf_text_of(dwarf, range->function));
		byte_writer_number(info, dwarf->file_numbers[range->file]);
		byte_writer_number(info, range->definition_line);
		byte_writer_u64(info, line_image_address(range));
		byte_writer_u32(info, line_image_size(range));
	}
	byte_writer_number(info, ABBREVIATION_END);
	byte_writer_set_u32(info, 0, info->length - sizeof(uint32_t));
}

static void put_line_header(struct line_image_dwarf *dwarf)
{
	// How many operands each of the standard operations has.
	static const uint8_t operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
	struct string_builder *lines = &dwarf->lines;
	byte_writer_u32(lines, 0); // its size, once it is known
	byte_writer_u16(lines, DWARF_VERSION);
	size_t start = lines->length;
	byte_writer_u32(lines, 0);          // the header's
	byte_writer_u8(lines, 1);           // bytes that addresses are multiples of
	byte_writer_u8(lines, 1);           // operations in an instruction
	byte_writer_u8(lines, 1);           // every row is a statement
	byte_writer_u8(lines, (uint8_t)-5); // line base and ...
	byte_writer_u8(lines, 14);          // ... range of operations that are not used here
	byte_writer_u8(lines, sizeof(operands) + 1);
	byte_writer_put(lines, operands, sizeof(operands));
	byte_writer_u8(lines, 0); // no folders
	// The files, in the order of their numbers.
	uint32_t num_written = 0;
	for (size_t i = 0; i < dwarf->image->num_ranges; i++) {
		uint32_t string = dwarf->image->ranges[i].file;
		if (dwarf->file_numbers[string] != num_written + 1)
			continue;
		byte_writer_text(lines, line_image_dwarf_text_of(dwarf, string));
		byte_writer_number(lines, 0); // folder: none
		byte_writer_number(lines, 0); // time: not said
		byte_writer_number(lines, 0); // size: not said
		num_written++;
	}
	byte_writer_u8(lines, 0);
	byte_writer_set_u32(lines, start, lines->length - start - sizeof(uint32_t));
}

static void put_rows(struct string_builder *lines, const struct line_image_range *range,
		     uint32_t file_number)
{
	int64_t line = 1;
	byte_writer_u8(lines, 0);
	byte_writer_number(lines, 1 + ADDRESS_SIZE);
	byte_writer_u8(lines, DW_LNE_set_address);
	byte_writer_u64(lines, line_image_address(range));
	byte_writer_u8(lines, DW_LNS_set_file);
	byte_writer_number(lines, file_number);
	if (range->is_compiled) {
		byte_writer_u8(lines, DW_LNS_set_column);
		byte_writer_number(lines, LINE_IMAGE_COMPILED_COLUMN);
	}
	for (uint32_t i = 0; i < range->num_lines; i++) {
		byte_writer_u8(lines, DW_LNS_advance_line);
		byte_writer_signed(lines, (int64_t)range->first_line + i - line);
		line = (int64_t)range->first_line + i;
		byte_writer_u8(lines, DW_LNS_copy);
		byte_writer_u8(lines, DW_LNS_advance_pc);
		byte_writer_number(lines, LINE_IMAGE_LINE_SIZE);
	}
	byte_writer_u8(lines, 0);
	byte_writer_number(lines, 1);
	byte_writer_u8(lines, DW_LNE_end_sequence);
}

static void put_lines(struct line_image_dwarf *dwarf)
{
	struct string_builder *lines = &dwarf->lines;
	put_line_header(dwarf);
	for (size_t i = 0; i < dwarf->image->num_ranges; i++) {
		const struct line_image_range *range = &dwarf->image->ranges[i];
		if (dwarf->file_numbers[range->file] != NO_FILE)
			put_rows(lines, range, dwarf->file_numbers[range->file]);
	}
	byte_writer_set_u32(lines, 0, lines->length - sizeof(uint32_t));
}

static void put_ranges(struct line_image_dwarf *dwarf)
{
	struct string_builder *ranges = &dwarf->ranges;
	byte_writer_u32(ranges, 0); // its size, once it is known
	byte_writer_u16(ranges, 2); // its version
	byte_writer_u32(ranges, 0); // where its unit is
	byte_writer_u8(ranges, ADDRESS_SIZE);
	byte_writer_u8(ranges, 0);                   // no selectors of segments
	byte_writer_align(ranges, 2 * ADDRESS_SIZE); // pairs are aligned to their size (6.1.2)
	byte_writer_u64(ranges, LINE_IMAGE_CODE);
	byte_writer_u64(ranges, dwarf->image->text_size);
	byte_writer_u64(ranges, 0); // the end
	byte_writer_u64(ranges, 0);
	byte_writer_set_u32(ranges, 0, ranges->length - sizeof(uint32_t));
}

struct error *line_image_dwarf_init(struct line_image_dwarf *dwarf, const struct line_image *image,
				    const struct line_image_language *language)
{
	*dwarf = (struct line_image_dwarf){.image = image, .language = language};
	// Files get numbers in the order of the ranges.
	dwarf->file_numbers = calloc(image->strings.num_entries + 1, sizeof(*dwarf->file_numbers));
	if (!dwarf->file_numbers)
		return &error_no_memory;
	for (size_t i = 0; i < image->num_ranges; i++) {
		uint32_t *number = &dwarf->file_numbers[image->ranges[i].file];
		if (*number == NO_FILE && *line_image_dwarf_text_of(dwarf, image->ranges[i].file))
			*number = ++dwarf->num_files;
	}
	put_abbreviations(dwarf);
	put_unit(dwarf);

	put_lines(dwarf);
	put_ranges(dwarf);
	return NULL;
}
