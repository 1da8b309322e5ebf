/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_DWARF_ROWS_H
#define WPERF_OBJECT_DWARF_DWARF_ROWS_H

/** The rows of a table of lines: what its program makes when it is run. */

#include "object/dwarf/dwarf_lines.h"

/** Run the program of @lines; its rows are sorted. What follows a damaged instruction is left out.
 */
struct error *dwarf_rows_read(struct dwarf_lines *lines, const struct elf_image *code,
			      struct read_allowance *allowance);

#endif
