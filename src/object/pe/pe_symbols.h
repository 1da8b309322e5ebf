/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PE_PE_SYMBOLS_H
#define WPERF_OBJECT_PE_PE_SYMBOLS_H

/**
 * What a Windows image itself knows of its names: the functions that it exports, and the symbols
 * that mingw's tools leave in it.
 */

#include "object/pe/pe_functions.h"
#include "object/pe/pe_image.h"
#include "object/symbol_table.h"

struct pe_symbols_found {
	size_t num_exports, num_symbols;
};

/** Adds them to @table; names stay in the image. */
struct error *pe_symbols_add(const struct pe_image *image, const struct pe_functions *functions,
			     struct symbol_table *table, struct pe_symbols_found *ret);

/** Something that is exported, a function or not; false if there is none of this name. */
bool pe_symbols_find_export(const struct pe_image *image, const char *name, uint32_t *ret);

/**
 * A variable in the symbols that mingw's tools leave, whose name has more than 8 characters: other
 * names are none that anybody looks for.
 */
bool pe_symbols_find_variable(const struct pe_image *image, const char *name, uint32_t *ret);

#endif
