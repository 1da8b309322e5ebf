/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PDB_PDB_MODULE_H
#define WPERF_OBJECT_PDB_PDB_MODULE_H

/**
 * What one source file became: its functions, and the rows of its lines. Each of the two is read
 * as a whole, once, when it is first asked for.
 */

#include "base/error.h"
#include "base/text/landmarks.h"
#include "object/pdb/pdb_file.h"

struct pdb_inlined;

struct pdb_function {
	uint32_t start, end;
	uint32_t base;                 /* what offsets of its inlined calls count from */
	uint32_t records, records_end; /* of what is within it, in the stream of the module */
	struct object_symbol symbol;   /* as others see it: in the image */
};

/**
 * What a search looks at, in few lines of the cache: where a function is, and where that begins
 * which answers about it are made of.
 */
struct pdb_span {
	uint32_t start, end;
	uint32_t rows_up_to; /* how many of the module's rows begin where it does or before */
	uint32_t records;
	const struct pdb_inlined *inlined; /* not owned; NULL: not read yet */
};

/** From its address to the next row's. */
struct pdb_row {
	uint32_t address;
	uint32_t file;        /* place in the module's list of files */
	uint32_t line : 24;   /* 0: no line */
	uint32_t is_code : 1; /* 0: what was described is over */
	uint32_t column;
};

/** Where a function is written whose calls are inlined. */
struct pdb_inlinee {
	uint32_t id;
	uint32_t file, line;
};

struct pdb_module {
	bool functions_read, lines_read;
	struct object_bytes symbols; /* with the four bytes before them, from which places count */
	struct pdb_function *functions; /* sorted by start */
	size_t num_functions, cap_functions;
	struct pdb_span *spans; /* as many, and one that ends them */
	struct landmarks landmarks;
	struct pdb_row *rows; /* sorted by address */
	size_t num_rows, cap_rows;
	struct pdb_inlinee *inlinees; /* sorted by id */
	size_t num_inlinees, cap_inlinees;
	struct object_bytes files; /* the list of files */
};

/** @file: may copy a stream together. Damaged parts are left out. */
struct error *pdb_module_read_functions(struct pdb_module *module, struct pdb_file *file,
					const struct pdb_module_header *header);
struct error *pdb_module_read_lines(struct pdb_module *module, struct pdb_file *file,
				    const struct pdb_module_header *header);
void pdb_module_deinit(struct pdb_module *module);

/** The function around the address, or NULL. */
struct pdb_function *pdb_module_find_function(const struct pdb_module *module, uint32_t address);

/** The same as the function says, from where the search has been. */
uint32_t pdb_module_function_start(const struct pdb_module *module,
				   const struct pdb_function *function);

/** Behind the last address of which the function is the one around it. */
uint32_t pdb_module_function_limit(const struct pdb_module *module,
				   const struct pdb_function *function);

/** The place that remembers the calls that were inlined into the function; there NULL at first. */
const struct pdb_inlined **pdb_module_inlined(const struct pdb_module *module,
					      const struct pdb_function *function);

/** Lines of the function are asked for next: what that needs comes from memory at the same time. */
void pdb_module_fetch(const struct pdb_module *module, const struct pdb_function *function);

/**
 * The row of an address, or NULL. Of several that begin there the last one: code of the others is
 * none. @function: around the address, or NULL.
 */
const struct pdb_row *pdb_module_find_row(const struct pdb_module *module,
					  const struct pdb_function *function, uint32_t address);

/** The first row of a function: the line of its head, which may have no code of its own; or NULL.
 */
const struct pdb_row *pdb_module_first_row(const struct pdb_module *module,
					   const struct pdb_function *function);

/** NULL if nothing is said of it. */
const struct pdb_inlinee *pdb_module_find_inlinee(const struct pdb_module *module, uint32_t id);

/** The path of a file of the list; NULL if there is none. */
const char *pdb_module_file_name(const struct pdb_module *module, const struct pdb_file *file,
				 uint32_t place);

#endif
