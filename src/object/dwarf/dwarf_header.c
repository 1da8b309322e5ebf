// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_header.h"

#include <dwarf.h>

// dwarf_header_read() reads the fixed header (DWARF 5, 7.5.1; the fields moved in version 5) and
// jumps over the unit by its length, so that one unknown unit does not cost the others. The
// attributes of the unit's DIE are read later, when they are needed (dwarf_root.c).

/** What DWARF 5 has at the end of the header. */
static void read_end(struct reader *reader, struct dwarf_header *header)
{
	switch (header->type) {
	case DW_UT_skeleton:
	case DW_UT_split_compile:
		header->id = reader_u64(reader);
		break;
	case DW_UT_type:
	case DW_UT_split_type:
		header->id = reader_u64(reader);
		dwarf_form_number(reader, header->encoding.offset_size); // of the type
		break;
	default:
		break;
	}
}

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
	else
		read_end(reader, header);
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
