/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_ELF_PLT_H
#define WPERF_OBJECT_ELF_PLT_H

/**
 * The stubs through which an object calls functions of others. They have no symbols: each jumps
 * by way of a slot, and the relocation of the slot has the name. Named "memcpy@plt".
 */

#include "base/error.h"
#include "object/elf/elf_image.h"
#include "object/symbol_table.h"

struct error *plt_add_symbols(const struct elf_image *image, struct symbol_table *table);

#endif
