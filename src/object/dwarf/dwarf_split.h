/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_DWARF_SPLIT_H
#define WPERF_OBJECT_DWARF_DWARF_SPLIT_H

/** The half of a unit that the compiler left in a .dwo file: functions, without their addresses. */

#include "object/dwarf/debug_file.h"
#include "object/dwarf/dwarf_file.h"

struct dwarf_split {
	struct dwarf_header *header; /* of the unit; NULL: there is none */
	/* private */
	struct debug_file debug;
	struct dwarf_file *file;
};

/**
 * Where the compiler wrote it, or beside the program. What is not there, or of another build,
 * leaves no header.
 * @path: of the program, NULL if it is not a file.
 */
struct error *dwarf_split_open(struct dwarf_split *split, const struct dwarf_header *skeleton,
			       const char *path, const struct debug_search *search);

/** Safe on one that is all zero. */
void dwarf_split_close(struct dwarf_split *split);

#endif
