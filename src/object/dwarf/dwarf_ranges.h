/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_DWARF_RANGES_H
#define WPERF_OBJECT_DWARF_DWARF_RANGES_H

/** Where the code of a die is: its ranges, one after the other. */

#include "object/dwarf/dwarf_file.h"

struct dwarf_ranges {
	/* private */
	const struct dwarf_header *header;
	enum { DWARF_RANGES_NONE, DWARF_RANGES_ONE, DWARF_RANGES_PAIRS, DWARF_RANGES_LIST } kind;
	uint64_t start, end; /* of the one */
	uint64_t base;
	struct reader reader;
	size_t *budget; /* bytes that may still be read in the file */
};

/** @low_pc, ...: the attributes of the die. */
struct dwarf_ranges dwarf_ranges_create(const struct dwarf_header *header,
					const struct dwarf_value *low_pc,
					const struct dwarf_value *high_pc,
					const struct dwarf_value *ranges);

/** @ret_end: behind the last address; it may be before the start. False at the end. */
bool dwarf_ranges_next(struct dwarf_ranges *ranges, uint64_t *ret_start, uint64_t *ret_end);

#endif
