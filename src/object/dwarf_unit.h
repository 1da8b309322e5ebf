/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_UNIT_H
#define WPERF_OBJECT_DWARF_UNIT_H

/**
 * What one unit of DWARF, a source file with all that it includes, says of its code: rows of
 * lines, and scopes, which are functions and the calls inlined into them. Read once as a whole;
 * names and places of calls follow when they are asked for.
 */

#include "base/arena.h"
#include "base/error.h"
#include "base/string_table.h"
#include "object/dwarf_library.h"
#include "object/elf_image.h"
#include "object/object.h"
#include "object/range_map.h"

struct dwarf_scope; /* private */

struct dwarf_unit {
	Dwarf_Die die;  /* with the lines */
	Dwarf_Die tree; /* with the scopes: another one if they are in a .dwo file */
	bool is_read;
	const char *folder; /* where the compiler ran, or NULL */
	Dwarf_Lines *lines; /* of the library, sorted by address */
	size_t num_lines;
	Dwarf_Files *files;
	size_t num_files;
	struct dwarf_scope *scopes;
	size_t num_scopes, cap_scopes;
	struct range_map map; /* addresses to scopes */
};

/** Where the texts and lines of all units of a file are kept. */
struct dwarf_texts {
	struct arena lines;
	struct string_table paths;
};

/** Add the ranges of a die within the segments of code, under @value. */
struct error *dwarf_unit_add_ranges(const struct dwarf_library *library,
				    const struct elf_image *code, Dwarf_Die *die, uint32_t depth,
				    uint32_t value, struct range_map *map);

/** Read the unit if that was not done. Damaged parts are left out. */
struct error *dwarf_unit_read(struct dwarf_unit *unit, const struct dwarf_library *library,
			      const struct elf_image *code);

enum { DWARF_UNIT_NO_ROW = UINT32_MAX };

/** The row of lines of an address, or DWARF_UNIT_NO_ROW; the unit is read. */
uint32_t dwarf_unit_find_row(const struct dwarf_unit *unit, const struct dwarf_library *library,
			     uint64_t address);

/**
 * The lines of a row and a scope (RANGE_MAP_NONE: none), innermost first, kept in @texts.
 * @ret_num: 0 if there is neither.
 */
struct error *dwarf_unit_lines(struct dwarf_unit *unit, const struct dwarf_library *library,
			       uint32_t row, uint32_t scope, struct dwarf_texts *texts,
			       const struct object_line **ret, size_t *ret_num);

void dwarf_unit_deinit(struct dwarf_unit *unit);

#endif
