/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_DWARF_UNIT_H
#define WPERF_OBJECT_DWARF_DWARF_UNIT_H

/**
 * What one unit of DWARF, a source file with all that it includes, says of its code: rows of
 * lines, and scopes, which are functions and the calls inlined into them. Read once as a whole;
 * names and places of calls follow when they are asked for.
 */

#include "base/container/arena.h"
#include "object/dwarf/dwarf_scopes.h"
#include "object/dwarf/dwarf_split.h"
#include "object/object.h"

struct dwarf_unit {
	struct dwarf_header *header; /* in the program, or in its debug file */
	bool is_read;
	struct dwarf_split split;  /* the .dwo file with the scopes, if there is one */
	struct dwarf_lines *lines; /* of the file; or NULL */
	struct dwarf_scopes scopes;
};

/** Where the texts and lines of all units of a file are kept. */
struct dwarf_texts {
	struct arena lines;
	struct string_table paths;
};

/** Add its ranges, as far as the root says them, under @value. */
struct error *dwarf_unit_add_ranges(const struct dwarf_unit *unit, const struct elf_image *code,
				    uint32_t value, struct range_map *map);

/** Where .dwo files are: see dwarf_split_open(). */
struct dwarf_places {
	const char *path;
	const struct debug_search *search;
};

/** Read the unit if that was not done. Damaged parts are left out. */
struct error *dwarf_unit_need(struct dwarf_unit *unit, const struct elf_image *code,
			      const struct dwarf_places *places);

/** The row of lines of an address, or DWARF_LINES_NONE; the unit is read. */
uint32_t dwarf_unit_find_row(const struct dwarf_unit *unit, uint64_t address);

/**
 * The lines of a row and a scope (RANGE_MAP_NONE: none), innermost first, kept in @texts.
 * @ret_num: 0 if there is neither.
 */
struct error *dwarf_unit_lines(struct dwarf_unit *unit, uint32_t row, uint32_t scope,
			       struct dwarf_texts *texts, const struct object_line **ret,
			       size_t *ret_num);

void dwarf_unit_deinit(struct dwarf_unit *unit);

#endif
