/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PDB_PDB_SYMBOLS_H
#define WPERF_OBJECT_PDB_PDB_SYMBOLS_H

/**
 * What a PDB knows of an address of its image: the function, the line, and the calls that were
 * inlined there. Opening reads lists of modules and of pieces of code; a module is read at the
 * first question about its code. All that is returned stays as long as this does.
 */

#include "object/pdb/pdb_file.h"
#include "object/pe/pe_functions.h"

struct pdb_symbols;

/** @image: what is known of it, or NULL. @name: of the file, for messages. @data must outlive it.
 */
struct error *pdb_symbols_create(const struct pdb_image *image, const void *data, size_t size,
				 const char *name, struct pdb_symbols **ret);
void pdb_symbols_destroy(struct pdb_symbols *symbols); /* NULL is fine */
static inline void pdb_symbols_destroyp(struct pdb_symbols **symbols)
{
	pdb_symbols_destroy(*symbols);
}

const struct pdb_file *pdb_symbols_file(const struct pdb_symbols *symbols);

/**
 * Where functions of the image begin and end, which names without a size are cut by; it must
 * outlive the symbols. Before the first question.
 */
void pdb_symbols_set_functions(struct pdb_symbols *symbols, const struct pe_functions *functions);

/** Why nothing in it has an address; NULL: it has. */
const char *pdb_symbols_refusal(const struct pdb_symbols *symbols);

/** "PDB", with what was left out of it, if something was. */
const char *pdb_symbols_origin(const struct pdb_symbols *symbols);

/** As object_symbols(), object_find_symbol() and object_find_lines(). */
struct error *pdb_symbols_all(struct pdb_symbols *symbols, const struct object_symbol **ret,
			      size_t *ret_num);
struct error *pdb_symbols_find(struct pdb_symbols *symbols, uint64_t address,
			       const struct object_symbol **ret);
struct error *pdb_symbols_find_lines(struct pdb_symbols *symbols, uint64_t address,
				     const struct object_line **ret, size_t *ret_num);

#endif
