/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_KERNEL_SYMBOLS_H
#define WPERF_SYMBOLS_KERNEL_SYMBOLS_H

/** The functions of the running kernel and its modules, as in /proc/kallsyms. */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel_symbol {
	uint64_t address;
	uint32_t name; /* offset in the text; its length is 0 where no function is */
	uint16_t name_length;
	uint16_t module; /* index into the modules; 0: the kernel itself */
};

struct kernel_symbols {
	char *text;
	struct kernel_symbol *items; /* by address, no two at the same */
	uint32_t *modules;           /* offsets in the text of names without brackets, NUL behind */
	size_t num_items, cap_items, num_modules, cap_modules;
};

#define KERNEL_SYMBOLS_INIT \
	{                   \
	}

/** What a kernel's address is. The texts are valid as long as the symbols. */
struct kernel_place {
	const char *name; /* without NUL: */
	size_t name_length;
	const char *module; /* "ext4", or NULL for the kernel itself */
	uint64_t address;   /* where the function begins */
};

/** Of the kernel that runs here. If it tells no addresses, the hint is what to change. */
struct error *kernel_symbols_load(struct kernel_symbols *symbols);

/** @text: from malloc(), NUL behind @size bytes; the symbols own it from now on, also on failure.
 */
struct error *kernel_symbols_parse(struct kernel_symbols *symbols, char *text, size_t size);

/** False if no function is there. */
bool kernel_symbols_find(const struct kernel_symbols *symbols, uint64_t address,
			 struct kernel_place *ret);

void kernel_symbols_deinit(struct kernel_symbols *symbols);

#endif
