/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_DWARF_DIE_H
#define WPERF_OBJECT_DWARF_DWARF_DIE_H

/** One entry of debug information, as DWARF calls it: a function, a call, a unit itself. */

#include "object/dwarf/dwarf_abbreviations.h"
#include "object/dwarf/dwarf_header.h"

struct dwarf_die {
	struct dwarf_header *header;
	const struct dwarf_abbreviation *abbreviation; /* NULL: there is none */
	struct reader reader;                          /* in .debug_info, at its attributes */
};

/** @offset: in .debug_info. A place without a die, or a damaged one, leaves no abbreviation. */
struct error *dwarf_die_read(struct dwarf_header *header, uint64_t offset, struct dwarf_die *ret);

/** The values of some attributes; those that it has not have the form 0. */
void dwarf_die_values(const struct dwarf_die *die, const uint16_t *attributes, size_t num,
		      struct dwarf_value *ret);

/**
 * Move behind its attributes.
 * @ret_sibling: what DW_AT_sibling says, or of the form 0.
 */
void dwarf_die_skip(struct dwarf_die *die, struct dwarf_value *ret_sibling);

#endif
