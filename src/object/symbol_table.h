/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_SYMBOL_TABLE_H
#define WPERF_OBJECT_SYMBOL_TABLE_H

/**
 * The functions of an object, sorted by address, one per address. Add what the symbol tables of
 * its files say, then build once, then look up.
 *
 * Of several names of one address the first by this order is kept:
 *
 *   1. a function before a label of assembly, one with a size before one without: what is said
 *      more exactly;
 *   2. global, weak, local: a name that others can call is in the stripped file, too, so that
 *      the same code has the same name with debug information and without;
 *   3. fewer underscores in front: "malloc", not "__libc_malloc";
 *   4. the longer name, as it says more; then the alphabet, so that it is the same every time.
 *
 * perf chooses by the same points (but a local name before a weak one), and people compare.
 *
 * A label counts only where no function is: else it is a place within one.
 */

#include "base/container/arena.h"
#include "base/error.h"
#include "object/elf/elf_image.h"
#include "object/object.h"

struct symbol_candidate; /* private */

struct symbol_table {
	struct object_symbol *items;
	uint32_t *enclosing; /* of each one: an earlier one that is not over yet, or UINT32_MAX */
	size_t num_items;

	/* private: until it is built */
	struct symbol_candidate *candidates;
	size_t num_candidates, cap_candidates;
	struct arena names; /* those that are not as in the file */
};

#define SYMBOL_TABLE_INIT \
	{                 \
	}

/**
 * Add the functions of a section of symbols. Names stay in the bytes of the image, which must
 * outlive the table.
 * @ret_added: how many.
 */
struct error *symbol_table_add_section(struct symbol_table *table, const struct elf_image *image,
				       const struct elf_section *section, size_t *ret_added);

/** Add one function: a jump to another object, which has no symbol of its own. */
struct error *symbol_table_add_stub(struct symbol_table *table, uint64_t address, uint64_t size,
				    const char *name);

/**
 * Add one function that others can call, of a file that is not ELF.
 * @symbol: a size of 0 is up to the next one, but not above @limit. Its name must outlive the
 * table.
 */
struct error *symbol_table_add_function(struct symbol_table *table,
					const struct object_symbol *symbol, uint64_t limit);

/** At most 2^32 - 2 functions. */
struct error *symbol_table_build(struct symbol_table *table);

/** NULL if there is none around the address. */
const struct object_symbol *symbol_table_find(const struct symbol_table *table, uint64_t address);

void symbol_table_deinit(struct symbol_table *table);

#endif
