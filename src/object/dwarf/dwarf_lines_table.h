/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_DWARF_LINES_TABLE_H
#define WPERF_OBJECT_DWARF_DWARF_LINES_TABLE_H

/** What .debug_line says before the rows of a table: folders, files, how the rows are made. */

#include "object/dwarf/dwarf_lines.h"

/** The table at an offset, of a unit. Damaged parts are left out. */
struct error *dwarf_lines_table_create(const struct dwarf_header *header, uint64_t offset,
				       struct dwarf_lines **ret);

/**
 * The lines of a unit, of which the list of files is read; NULL if it has none. Several units may
 * share them.
 */
struct error *dwarf_lines_table_need(const struct dwarf_header *header, struct dwarf_lines **ret);

#endif
