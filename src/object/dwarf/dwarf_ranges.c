// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_ranges.h"

#include "object/dwarf/dwarf_attribute.h"

#include <dwarf.h>

// Where the code of a DIE is can be said in three ways (DWARF 5, 2.17): one range by DW_AT_low_pc
// and DW_AT_high_pc (an address in DWARF 2 and 3, a size since DWARF 4), pairs of addresses in
// .debug_ranges (up to DWARF 4), or a list of encoded entries in .debug_rnglists (7.25).
// dwarf_ranges_create() finds out which; dwarf_ranges_next() hides the difference. It is an
// iterator because lists are used once and may be long.
//
// Lists count from a base, first the address of the unit, which entries of the list may change.
// Those of a split unit are in the .dwo file in DWARF 5, but in the program before that, behind
// DW_AT_GNU_ranges_base. Sums may wrap around: whoever uses the ranges cuts them to the code
// (dwarf_scopes.c). The budget counts bytes over all DIEs, since damaged ones may share a long
// list.

static void set_one(struct dwarf_ranges *ranges, const struct dwarf_value *low_pc,
		    const struct dwarf_value *high_pc)
{
	const struct dwarf_header *header = ranges->header;
	uint64_t size;
	if (!dwarf_attribute_address(header, low_pc, &ranges->start))
		return;
	if (dwarf_attribute_address(header, high_pc, &ranges->end)) {
		ranges->kind = DWARF_RANGES_ONE;
	} else if (dwarf_attribute_number(high_pc, &size)) {
		ranges->kind = DWARF_RANGES_ONE;
		ranges->end =
			size <= UINT64_MAX - ranges->start ? ranges->start + size : UINT64_MAX;
	}
}

/** Before DWARF 5. Lists of split units are in the program, behind a base. */
static void set_pairs(struct dwarf_ranges *ranges, const struct dwarf_header *owner,
		      const struct dwarf_value *value)
{
	uint64_t offset;
	if (!dwarf_attribute_number(value, &offset))
		return;
	if (owner != ranges->header)
		offset += owner->ranges_base;
	ranges->kind = DWARF_RANGES_PAIRS;
	ranges->reader =
		dwarf_sections_reader(&owner->file->sections, DWARF_SECTION_RANGES, offset);
}

static void set_list(struct dwarf_ranges *ranges, const struct dwarf_value *value)
{
	const struct dwarf_header *header = ranges->header;
	const struct dwarf_sections *sections = &header->file->sections;
	uint64_t offset;
	if (!dwarf_attribute_number(value, &offset))
		return;
	if (value->form == DW_FORM_rnglistx) {
		uint8_t size = header->encoding.offset_size;
		if (offset > UINT32_MAX)
			return;
		struct reader table = dwarf_sections_reader(sections, DWARF_SECTION_RNGLISTS,
							    header->rnglists_base + offset * size);
		offset = header->rnglists_base + dwarf_form_number(&table, size);
		if (table.failed)
			return;
	}
	ranges->kind = DWARF_RANGES_LIST;
	ranges->reader = dwarf_sections_reader(sections, DWARF_SECTION_RNGLISTS, offset);
}

struct dwarf_ranges dwarf_ranges_create(const struct dwarf_header *header,
					const struct dwarf_value *low_pc,
					const struct dwarf_value *high_pc,
					const struct dwarf_value *ranges)
{
	const struct dwarf_header *owner = header->skeleton ? header->skeleton : header;
	struct dwarf_ranges created = {
		.header = header,
		.base = owner->base_address,
		.budget = &header->file->ranges_budget,
	};
	set_one(&created, low_pc, high_pc);
	if (created.kind == DWARF_RANGES_NONE && header->encoding.version >= 5)
		set_list(&created, ranges);
	else if (created.kind == DWARF_RANGES_NONE)
		set_pairs(&created, owner, ranges);
	return created;
}

/** False at the end of the list. */
static bool next_pair(struct dwarf_ranges *ranges, uint64_t *ret_start, uint64_t *ret_end)
{
	uint8_t size = ranges->header->encoding.address_size;
	// With a start of all ones, a pair is no range, but its end is a new base (DWARF
	// 4, 2.17.3).
	uint64_t base_mark = size == 4 ? UINT32_MAX : UINT64_MAX;
	struct reader *reader = &ranges->reader;
	for (;;) {
		uint64_t start = dwarf_form_number(reader, size);
		uint64_t end = dwarf_form_number(reader, size);
		if (reader->failed || (!start && !end))
			return false;
		if (start != base_mark) {
			*ret_start = ranges->base + start;
			*ret_end = ranges->base + end;
			return true;
		}
		ranges->base = end;
	}
}

/** @return: is it there? */
static bool read_indexed(struct dwarf_ranges *ranges, uint64_t *ret)
{
	uint64_t index = reader_uleb128(&ranges->reader);
	return dwarf_attribute_indexed_address(ranges->header, index, ret);
}

static uint64_t read_address(struct dwarf_ranges *ranges)
{
	return dwarf_form_number(&ranges->reader, ranges->header->encoding.address_size);
}

/** @ret_is_range: else it was a new base. False at the end of the list. */
static bool next_entry(struct dwarf_ranges *ranges, uint64_t *ret_start, uint64_t *ret_end,
		       bool *ret_is_range)
{
	// An "x" in the name of a kind: an index into .debug_addr in the place of an address.
	struct reader *reader = &ranges->reader;
	*ret_is_range = true;
	switch (reader_u8(reader)) {
	case DW_RLE_base_addressx:
		*ret_is_range = false;
		return read_indexed(ranges, &ranges->base);
	case DW_RLE_base_address:
		*ret_is_range = false;
		ranges->base = read_address(ranges);
		return true;
	case DW_RLE_startx_endx:
		return read_indexed(ranges, ret_start) && read_indexed(ranges, ret_end);
	case DW_RLE_startx_length:
		if (!read_indexed(ranges, ret_start))
			return false;
		*ret_end = *ret_start + reader_uleb128(reader);
		return true;
	case DW_RLE_offset_pair:
		*ret_start = ranges->base + reader_uleb128(reader);
		*ret_end = ranges->base + reader_uleb128(reader);
		return true;
	case DW_RLE_start_end:
		*ret_start = read_address(ranges);
		*ret_end = read_address(ranges);
		return true;
	case DW_RLE_start_length:
		*ret_start = read_address(ranges);
		*ret_end = *ret_start + reader_uleb128(reader);
		return true;
	default: // DW_RLE_end_of_list, or one that we do not know
		return false;
	}
}

bool dwarf_ranges_next(struct dwarf_ranges *ranges, uint64_t *ret_start, uint64_t *ret_end)
{
	if (ranges->kind == DWARF_RANGES_ONE) {
		*ret_start = ranges->start;
		*ret_end = ranges->end;
		ranges->kind = DWARF_RANGES_NONE;
		return true;
	}
	if (ranges->kind == DWARF_RANGES_NONE || !*ranges->budget)
		return false;
	size_t before = ranges->reader.offset;
	bool more, is_range = true;
	do {
		more = ranges->kind == DWARF_RANGES_PAIRS
			       ? next_pair(ranges, ret_start, ret_end)
			       : next_entry(ranges, ret_start, ret_end, &is_range) &&
					 !ranges->reader.failed;
	} while (more && !is_range);
	size_t num_bytes = ranges->reader.offset - before;
	*ranges->budget -= num_bytes < *ranges->budget ? num_bytes : *ranges->budget;
	return more;
}
