// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_root.h"

#include "object/dwarf/dwarf_attribute.h"
#include "object/dwarf/dwarf_die.h"

#include <dwarf.h>

// The attributes are read in two rounds, as they come in any order and some depend on others:
// DW_AT_comp_dir and DW_AT_dwo_name may be indices (DW_FORM_strx) that count from
// DW_AT_str_offsets_base, and DW_AT_low_pc may be one that counts from DW_AT_addr_base.
// set_bases() therefore comes first, and only then set_rest(). The default bases are the sizes of
// the headers of the tables (7.26 to 7.28, for 32-bit and 64-bit DWARF): split units do not repeat
// the attribute and have just one table.

enum {
	LOW_PC,
	HIGH_PC,
	RANGES,
	ENTRY_PC,
	STMT_LIST,
	COMP_DIR,
	DWO_NAME,
	GNU_DWO_NAME,
	GNU_DWO_ID,
	STR_OFFSETS_BASE,
	ADDR_BASE,
	GNU_ADDR_BASE,
	RNGLISTS_BASE,
	GNU_RANGES_BASE,
	NUM_ATTRIBUTES,
};

static const uint16_t attributes[NUM_ATTRIBUTES] = {
	[LOW_PC] = DW_AT_low_pc,
	[HIGH_PC] = DW_AT_high_pc,
	[RANGES] = DW_AT_ranges,
	[ENTRY_PC] = DW_AT_entry_pc,
	[STMT_LIST] = DW_AT_stmt_list,
	[COMP_DIR] = DW_AT_comp_dir,
	[DWO_NAME] = DW_AT_dwo_name,
	[GNU_DWO_NAME] = DW_AT_GNU_dwo_name,
	[GNU_DWO_ID] = DW_AT_GNU_dwo_id,
	[STR_OFFSETS_BASE] = DW_AT_str_offsets_base,
	[ADDR_BASE] = DW_AT_addr_base,
	[GNU_ADDR_BASE] = DW_AT_GNU_addr_base,
	[RNGLISTS_BASE] = DW_AT_rnglists_base,
	[GNU_RANGES_BASE] = DW_AT_GNU_ranges_base,
};

/** Without a word on it, a table is the first one: behind the header of the section. */
static void set_bases(struct dwarf_header *header, const struct dwarf_value *values)
{
	bool is_new = header->encoding.version >= 5;
	bool is_wide = header->encoding.offset_size == 8;
	if (is_new) {
		header->str_offsets_base = is_wide ? 16 : 8;
		header->addr_base = is_wide ? 16 : 8;
		header->rnglists_base = is_wide ? 20 : 12;
	}
	dwarf_attribute_number(&values[STR_OFFSETS_BASE], &header->str_offsets_base);
	dwarf_attribute_number(&values[GNU_ADDR_BASE], &header->addr_base);
	dwarf_attribute_number(&values[ADDR_BASE], &header->addr_base);
	dwarf_attribute_number(&values[RNGLISTS_BASE], &header->rnglists_base);
	dwarf_attribute_number(&values[GNU_RANGES_BASE], &header->ranges_base);
}

/** What needs the bases. */
static void set_rest(struct dwarf_header *header, const struct dwarf_value *values)
{
	header->folder = dwarf_attribute_string(header, &values[COMP_DIR]);
	if (!header->folder && header->skeleton)
		header->folder = header->skeleton->folder;
	header->split_name = dwarf_attribute_string(header, &values[DWO_NAME]);
	if (!header->split_name)
		header->split_name = dwarf_attribute_string(header, &values[GNU_DWO_NAME]);
	dwarf_attribute_number(&values[GNU_DWO_ID], &header->id);
	header->has_lines = dwarf_attribute_number(&values[STMT_LIST], &header->lines_offset);
	header->low_pc = values[LOW_PC];
	header->high_pc = values[HIGH_PC];
	header->ranges = values[RANGES];
	if (!dwarf_attribute_address(header, &values[LOW_PC], &header->base_address))
		dwarf_attribute_address(header, &values[ENTRY_PC], &header->base_address);
}

struct error *dwarf_root_need(struct dwarf_header *header, const struct dwarf_header *skeleton)
{
	if (header->root_is_read)
		return NULL;
	struct dwarf_die die;
	struct error *err = dwarf_die_read(header, header->root, &die);
	if (err)
		return err;
	header->root_is_read = true;
	header->skeleton = skeleton;
	if (!die.abbreviation)
		return NULL;
	header->root_tag = die.abbreviation->tag;
	struct dwarf_value values[NUM_ATTRIBUTES];
	dwarf_die_values(&die, attributes, NUM_ATTRIBUTES, values);
	set_bases(header, values);
	set_rest(header, values);
	return NULL;
}
