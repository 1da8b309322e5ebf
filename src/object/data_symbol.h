/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DATA_SYMBOL_H
#define WPERF_OBJECT_DATA_SYMBOL_H

/** Variables in the symbol tables of an ELF file, one looked up at a time. */

#include "object/elf/elf_image.h"

/** What others can use comes first. False if no table has it. */
bool data_symbol_find(const struct elf_image *image, const char *name, struct object_variable *ret);

#endif
