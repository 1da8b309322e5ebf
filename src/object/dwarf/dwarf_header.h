/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_DWARF_HEADER_H
#define WPERF_OBJECT_DWARF_DWARF_HEADER_H

/** A unit of DWARF as its header says it, and what the attributes of its first die, its root, add.
 */

#include "base/error.h"
#include "object/dwarf/dwarf_form.h"

struct dwarf_abbreviations;
struct dwarf_file;

struct dwarf_header {
	struct dwarf_file *file;
	uint64_t offset, root, end; /* in .debug_info: of the header, of the root, behind it all */
	uint64_t abbreviations_offset;
	struct dwarf_encoding encoding;
	uint8_t type; /* DW_UT_compile, ...; 0 in DWARF 2 to 4, where the root tells */
	uint64_t id;  /* what both halves of a split unit have in common */
	struct dwarf_abbreviations *abbreviations; /* NULL before the first need */

	bool root_is_read;
	uint16_t root_tag; /* 0: there is no root */
	/** Of a unit in a .dwo file its other half, which is in the program; else NULL. */
	const struct dwarf_header *skeleton;
	const char *split_name; /* the path of the .dwo file, or NULL */
	const char *folder;     /* where the compiler ran, or NULL */
	uint64_t str_offsets_base, addr_base, rnglists_base, ranges_base, base_address;
	bool has_lines; /* what follows is known */
	uint64_t lines_offset;
	struct dwarf_value low_pc, high_pc, ranges;
};

/** @reader: at the header in .debug_info, moved to the next one. False: we cannot read the unit. */
bool dwarf_header_read(struct reader *reader, struct dwarf_header *ret);

#endif
