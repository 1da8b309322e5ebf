// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_attribute.h"

#include "object/dwarf/dwarf_file.h"

#include <dwarf.h>

// A form says how bytes are stored; this is the second step, what they mean (DWARF 5, 7.5.5). Many
// values are indirect: strings are offsets into a section (DW_FORM_strp) or indices into a table
// of such offsets (DW_FORM_strx: .debug_str_offsets, 7.26), addresses are indices into .debug_addr
// (7.27), and references count from their unit, from the section, or into the supplementary file
// of dwz (7.3.6). DW_FORM_GNU_* are the same ideas from before DWARF 5 (gcc's "DebugFission",
// dwz).
//
// The unit's header has the bases of these tables. A split unit (.dwo) has no addresses: its
// indices mean the table of its skeleton, which the linker has filled in. All offsets are
// untrusted. dwarf_sections_reader() checks them against the section, and a reference must hit a
// unit that was read (dwarf_file_find_header()).

/** The number at a place of a table of numbers. */
static bool find_in_table(const struct dwarf_file *file, enum dwarf_section section, uint64_t base,
			  uint64_t index, uint8_t size, uint64_t *ret)
{
	uint64_t offset;
	if (__builtin_mul_overflow(index, size, &offset) ||
	    __builtin_add_overflow(offset, base, &offset))
		return false;
	struct reader reader = dwarf_sections_reader(&file->sections, section, offset);
	uint64_t number = dwarf_form_number(&reader, size);
	if (!reader.failed)
		*ret = number;
	return !reader.failed;
}

const char *dwarf_attribute_string(const struct dwarf_header *header,
				   const struct dwarf_value *value)
{
	const struct dwarf_file *file = header->file;
	uint64_t offset;
	switch (value->form) {
	case DW_FORM_string:
		return (const char *)value->bytes;
	case DW_FORM_strp:
		return dwarf_sections_string(&file->sections, DWARF_SECTION_STR, value->number);
	case DW_FORM_line_strp:
		return dwarf_sections_string(&file->sections, DWARF_SECTION_LINE_STR,
					     value->number);
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		return file->common ? dwarf_sections_string(&file->common->sections,
							    DWARF_SECTION_STR, value->number)
				    : NULL;
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index:
		if (!find_in_table(file, DWARF_SECTION_STR_OFFSETS, header->str_offsets_base,
				   value->number, header->encoding.offset_size, &offset))
			return NULL;
		return dwarf_sections_string(&file->sections, DWARF_SECTION_STR, offset);
	default:
		return NULL;
	}
}

bool dwarf_attribute_indexed_address(const struct dwarf_header *header, uint64_t index,
				     uint64_t *ret)
{
	const struct dwarf_header *owner = header->skeleton ? header->skeleton : header;
	return find_in_table(owner->file, DWARF_SECTION_ADDR, owner->addr_base, index,
			     owner->encoding.address_size, ret);
}

bool dwarf_attribute_address(const struct dwarf_header *header, const struct dwarf_value *value,
			     uint64_t *ret)
{
	switch (value->form) {
	case DW_FORM_addr:
		*ret = value->number;
		return true;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
	case DW_FORM_GNU_addr_index:
		return dwarf_attribute_indexed_address(header, value->number, ret);
	default:
		return false;
	}
}

bool dwarf_attribute_number(const struct dwarf_value *value, uint64_t *ret)
{
	switch (value->form) {
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_udata:
	case DW_FORM_sdata:
	case DW_FORM_implicit_const:
	case DW_FORM_sec_offset:
	case DW_FORM_rnglistx:
		if (!value->is_negative)
			*ret = value->number;
		return !value->is_negative;
	default:
		return false;
	}
}

static bool find_die(struct dwarf_file *file, uint64_t offset, struct dwarf_header **ret_header,
		     uint64_t *ret_offset)
{
	struct dwarf_header *header = file ? dwarf_file_find_header(file, offset) : NULL;
	if (!header)
		return false;
	*ret_header = header;
	*ret_offset = offset;
	return true;
}

bool dwarf_attribute_reference(const struct dwarf_header *header, const struct dwarf_value *value,
			       struct dwarf_header **ret_header, uint64_t *ret_offset)
{
	switch (value->form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		// The offset of a unit is one of a section, which is in memory.
		return value->number < header->end - header->offset &&
		       find_die(header->file, header->offset + value->number, ret_header,
				ret_offset);
	case DW_FORM_ref_addr:
		return find_die(header->file, value->number, ret_header, ret_offset);
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_GNU_ref_alt:
		return find_die(header->file->common, value->number, ret_header, ret_offset);
	default:
		return false;
	}
}
