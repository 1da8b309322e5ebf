// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_header.h"

#include <dwarf.h>

// dwarf_header_read() reads the fixed header (DWARF 5, 7.5.1; the fields moved in version 5) and
// jumps over the unit by its length, so that one unknown unit does not cost the others. The
// attributes of the unit's DIE are read later, when they are needed (dwarf_root.c).

/** @reader: over the unit behind its length. */
static bool dwarf_header_read_fields(struct reader *reader, struct dwarf_header *header)
{
	struct dwarf_encoding *encoding = &header->encoding;
	uint16_t version = reader_u16(reader);
	if (version < 2 || version > 5)
		return false;
	encoding->version = (uint8_t)version;
	if (version >= 5) {
		header->type = reader_u8(reader);
		encoding->address_size = reader_u8(reader);
	}
	header->abbreviations_offset = dwarf_form_number(reader, encoding->offset_size);
	if (version < 5)
		encoding->address_size = reader_u8(reader);
	// DWARF 5 has the id of a split unit, or of a type, at the end of the header.
	bool is_type = header->type == DW_UT_type || header->type == DW_UT_split_type;
	if (is_type || header->type == DW_UT_skeleton || header->type == DW_UT_split_compile)
		header->id = reader_u64(reader);
	if (is_type)
		dwarf_form_number(reader, encoding->offset_size); // where the type is
	return !reader->failed && (encoding->address_size == 4 || encoding->address_size == 8);
}

bool dwarf_header_read(struct reader *reader, struct dwarf_header *ret)
{
	struct dwarf_header header = {.offset = reader->offset};
	// Whatever the unit holds, the caller's reader is behind it afterwards.
	uint64_t length = dwarf_form_unit_length(reader, &header.encoding.offset_size);
	size_t left = reader_left(reader);
	struct reader unit = *reader;
	reader_skip(reader, length < left ? length : left);
	unit.size = reader->offset;
	header.end = unit.size;
	bool is_read = dwarf_header_read_fields(&unit, &header);
	header.root = unit.offset;
	*ret = header;
	return is_read;
}
