// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_form.h"

#include "base/container/array.h"

#include <dwarf.h>

// The forms of DWARF 5, 7.5.6, with those of DWARF 2 to 4 and of GNU, are many, but there are only
// a dozen ways of storing: the table maps each form to its kind, and dwarf_form_read_kind() reads a
// kind. What the value means depends on the form and is decided in dwarf_attribute.c, so strings,
// offsets, indices and references all end up in `number` or `bytes` here.
//
// dwarf_form_length() knows the size of a form without its bytes, in three units (bytes,
// addresses, offsets), because one abbreviation table may serve units of different address sizes.
// An unknown form makes the reader fail: its size is unknown, so nothing behind it could be found.

enum kind {
	KIND_UNKNOWN,
	KIND_NUMBER, // of some bytes
	KIND_BYTES,  // some bytes
	KIND_ADDRESS,
	KIND_OFFSET,
	KIND_REFERENCE, // an address in DWARF 2, an offset since
	KIND_ULEB,
	KIND_SLEB,
	KIND_STRING,
	KIND_BLOCK,      // behind its length, of some bytes
	KIND_ULEB_BLOCK, // behind its length
	KIND_IMPLICIT,
	KIND_PRESENT,
	KIND_INDIRECT,
};

struct form {
	uint8_t kind, bytes;
};

static const struct form forms[] = {
	[DW_FORM_addr] = {KIND_ADDRESS, 0},       [DW_FORM_block2] = {KIND_BLOCK, 2},
	[DW_FORM_block4] = {KIND_BLOCK, 4},       [DW_FORM_data2] = {KIND_NUMBER, 2},
	[DW_FORM_data4] = {KIND_NUMBER, 4},       [DW_FORM_data8] = {KIND_NUMBER, 8},
	[DW_FORM_string] = {KIND_STRING, 0},      [DW_FORM_block] = {KIND_ULEB_BLOCK, 0},
	[DW_FORM_block1] = {KIND_BLOCK, 1},       [DW_FORM_data1] = {KIND_NUMBER, 1},
	[DW_FORM_flag] = {KIND_NUMBER, 1},        [DW_FORM_sdata] = {KIND_SLEB, 0},
	[DW_FORM_strp] = {KIND_OFFSET, 0},        [DW_FORM_udata] = {KIND_ULEB, 0},
	[DW_FORM_ref_addr] = {KIND_REFERENCE, 0}, [DW_FORM_ref1] = {KIND_NUMBER, 1},
	[DW_FORM_ref2] = {KIND_NUMBER, 2},        [DW_FORM_ref4] = {KIND_NUMBER, 4},
	[DW_FORM_ref8] = {KIND_NUMBER, 8},        [DW_FORM_ref_udata] = {KIND_ULEB, 0},
	[DW_FORM_indirect] = {KIND_INDIRECT, 0},  [DW_FORM_sec_offset] = {KIND_OFFSET, 0},
	[DW_FORM_exprloc] = {KIND_ULEB_BLOCK, 0}, [DW_FORM_flag_present] = {KIND_PRESENT, 0},
	[DW_FORM_strx] = {KIND_ULEB, 0},          [DW_FORM_addrx] = {KIND_ULEB, 0},
	[DW_FORM_ref_sup4] = {KIND_NUMBER, 4},    [DW_FORM_strp_sup] = {KIND_OFFSET, 0},
	[DW_FORM_data16] = {KIND_BYTES, 16},      [DW_FORM_line_strp] = {KIND_OFFSET, 0},
	[DW_FORM_ref_sig8] = {KIND_NUMBER, 8},    [DW_FORM_implicit_const] = {KIND_IMPLICIT, 0},
	[DW_FORM_loclistx] = {KIND_ULEB, 0},      [DW_FORM_rnglistx] = {KIND_ULEB, 0},
	[DW_FORM_ref_sup8] = {KIND_NUMBER, 8},    [DW_FORM_strx1] = {KIND_NUMBER, 1},
	[DW_FORM_strx2] = {KIND_NUMBER, 2},       [DW_FORM_strx3] = {KIND_NUMBER, 3},
	[DW_FORM_strx4] = {KIND_NUMBER, 4},       [DW_FORM_addrx1] = {KIND_NUMBER, 1},
	[DW_FORM_addrx2] = {KIND_NUMBER, 2},      [DW_FORM_addrx3] = {KIND_NUMBER, 3},
	[DW_FORM_addrx4] = {KIND_NUMBER, 4},
};

static struct form dwarf_form_form_of(uint16_t form)
{
	switch (form) {
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		return (struct form){KIND_ULEB, 0};
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return (struct form){KIND_OFFSET, 0};
	default:
		return form < ARRAY_SIZE(forms) ? forms[form] : (struct form){KIND_UNKNOWN, 0};
	}
}

enum dwarf_length dwarf_form_length(uint16_t form, uint8_t *ret_bytes)
{
	struct form found = dwarf_form_form_of(form);
	*ret_bytes = found.bytes;
	switch (found.kind) {
	case KIND_NUMBER:
	case KIND_BYTES:
	case KIND_PRESENT:
	case KIND_IMPLICIT:
		return DWARF_LENGTH_BYTES;
	case KIND_ADDRESS:
		return DWARF_LENGTH_ADDRESS;
	case KIND_OFFSET:
		return DWARF_LENGTH_OFFSET;
	default:
		return DWARF_LENGTH_UNKNOWN;
	}
}

uint64_t dwarf_form_number(struct reader *reader, uint8_t size)
{
	switch (size) {
	case 1:
		return reader_u8(reader);
	case 2:
		return reader_u16(reader);
	case 3: {
		uint32_t low = reader_u16(reader);
		return low | (uint32_t)reader_u8(reader) << 16;
	}
	case 4:
		return reader_u32(reader);
	default:
		return reader_u64(reader);
	}
}

uint64_t dwarf_form_unit_length(struct reader *reader, uint8_t *ret_offset_size)
{
	// 64-bit DWARF has 0xffffffff and then the length in 64 bits (DWARF 5, 7.4). It is chosen
	// by each unit and is independent of the size of addresses.
	uint64_t length = reader_u32(reader);
	bool is_wide = length == UINT32_MAX;
	*ret_offset_size = is_wide ? 8 : 4;
	return is_wide ? reader_u64(reader) : length;
}

static void dwarf_form_read_block(struct dwarf_value *value, struct reader *reader, uint64_t size)
{
	value->number = size;
	value->bytes = reader_bytes(reader, size);
}

static void read_signed(struct dwarf_value *value, int64_t number)
{
	value->number = (uint64_t)number;
	value->is_negative = number < 0;
}

static void dwarf_form_read_kind(struct form form, int64_t implicit,
				 const struct dwarf_encoding *encoding, struct reader *reader,
				 struct dwarf_value *value)
{
	switch (form.kind) {
	case KIND_NUMBER:
		value->number = dwarf_form_number(reader, form.bytes);
		break;
	case KIND_BYTES:
		dwarf_form_read_block(value, reader, form.bytes);
		break;
	case KIND_ADDRESS:
		value->number = dwarf_form_number(reader, encoding->address_size);
		break;
	case KIND_OFFSET:
		value->number = dwarf_form_number(reader, encoding->offset_size);
		break;
	case KIND_REFERENCE:
		value->number =
			dwarf_form_number(reader, encoding->version < 3 ? encoding->address_size
									: encoding->offset_size);
		break;
	case KIND_ULEB:
		value->number = reader_uleb128(reader);
		break;
	case KIND_SLEB:
		read_signed(value, reader_sleb128(reader));
		break;
	case KIND_STRING:
		value->bytes = (const uint8_t *)reader_string(reader);
		break;
	case KIND_BLOCK:
		dwarf_form_read_block(value, reader, dwarf_form_number(reader, form.bytes));
		break;
	case KIND_ULEB_BLOCK:
		dwarf_form_read_block(value, reader, reader_uleb128(reader));
		break;
	case KIND_IMPLICIT:
		read_signed(value, implicit);
		break;
	case KIND_PRESENT:
		value->number = 1;
		break;
	default:
		reader->failed = true;
	}
}

struct dwarf_value dwarf_form_read(uint16_t form, int64_t implicit,
				   const struct dwarf_encoding *encoding, struct reader *reader)
{
	// The form itself stands in front of the value; an indirect one takes at least a byte.
	while (form == DW_FORM_indirect && !reader->failed) {
		uint64_t real = reader_uleb128(reader);
		form = real <= UINT16_MAX ? (uint16_t)real : 0;
		implicit = 0;
	}
	struct dwarf_value value = {.form = form};
	dwarf_form_read_kind(dwarf_form_form_of(form), implicit, encoding, reader, &value);
	if (reader->failed)
		return (struct dwarf_value){0};
	return value;
}
