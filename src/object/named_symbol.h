/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_NAMED_SYMBOL_H
#define WPERF_OBJECT_NAMED_SYMBOL_H

/** Variables and functions in the symbol tables of an ELF file, one looked up by its name at a
 *  time. Other names of an address (aliases) are found, too. */

#include "object/elf/elf_image.h"

/** What others can use comes first. False if no table has it. */
bool named_symbol_find_variable(const struct elf_image *image, const char *name,
				struct object_variable *ret);
bool named_symbol_find_function(const struct elf_image *image, const char *name,
				struct object_function *ret);

/** A function that the file shows to others. @is_program: it is no library: also one that its parts
 *  show to each other, as in a static program, which shows nothing. */
bool named_symbol_find_global(const struct elf_image *image, const char *name, bool is_program,
			      struct object_function *ret);

#endif
