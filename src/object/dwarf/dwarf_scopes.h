/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_DWARF_SCOPES_H
#define WPERF_OBJECT_DWARF_DWARF_SCOPES_H

/** The functions of a unit and the calls that were inlined into them: which is at an address. */

#include "object/dwarf/dwarf_file.h"
#include "object/dwarf/dwarf_function.h"
#include "object/dwarf/dwarf_ranges.h"
#include "object/range_map.h"

/** A function, or a call that was inlined. */
struct dwarf_scope {
	uint64_t die;                          /* in .debug_info */
	uint32_t parent;                       /* RANGE_MAP_NONE for a function */
	const struct dwarf_function *function; /* NULL before somebody asked */
};

struct dwarf_scopes {
	struct dwarf_header *header;
	struct dwarf_scope *items;
	size_t num_items, cap_items;
	struct range_map map; /* addresses to scopes, by number */
};

/** Read the dies of a unit. Damaged parts are left out. @code: ranges elsewhere are left out. */
struct error *dwarf_scopes_read(struct dwarf_scopes *scopes, struct dwarf_header *header,
				const struct elf_image *code);
void dwarf_scopes_deinit(struct dwarf_scopes *scopes);

/** Add ranges within the segments of code, under @value. */
struct error *dwarf_scopes_add_ranges(struct dwarf_ranges ranges, const struct elf_image *code,
				      uint32_t depth, uint32_t value, struct range_map *map);

#endif
