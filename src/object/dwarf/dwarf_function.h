/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_DWARF_FUNCTION_H
#define WPERF_OBJECT_DWARF_DWARF_FUNCTION_H

/**
 * What a die of a function, or of a call that was inlined, says: its name, where it is defined,
 * where it is called. Much of it stands in the dies that it comes from, which may be in other
 * units and files.
 */

#include "base/container/string_table.h"
#include "object/dwarf/dwarf_header.h"

struct dwarf_function {
	const char *name;                                 /* as linkers see it, in place; or NULL */
	const char *definition_file, *call_file;          /* or NULL */
	uint32_t definition_line, call_line, call_column; /* 0: not known */
	uint32_t call_discriminator;                      /* 0: the only one of its line */
};

/** @die: in .debug_info. @paths: where paths are kept. */
struct error *dwarf_function_read(struct dwarf_header *header, uint64_t die,
				  struct string_table *paths, struct dwarf_function *ret);

#endif
