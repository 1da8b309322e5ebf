/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PDB_PDB_SEARCH_H
#define WPERF_OBJECT_PDB_PDB_SEARCH_H

/**
 * The PDB that belongs to an image, by its GUID and age: beside the image, at the path that the
 * linker wrote, in the places of the symbol path, whose folders may be laid out as symbol servers
 * do. Only the servers that are among these are asked over the network.
 */

#include "base/error.h"
#include "base/file/file_map.h"
#include "object/dwarf/debug_search.h"
#include "object/fetch/symbol_path.h"
#include "object/pdb/pdb_symbols.h"
#include "object/pe/pe_image.h"

struct pdb_search {
	char *path; /* NULL: it was not found */
	struct file_map map;
	struct pdb_symbols *symbols;
	char *other_build; /* a PDB that was found but is of another build, or NULL */
};

#define PDB_SEARCH_INIT \
	{               \
	}

/** The name of a PDB: what is behind the last slash of either kind. */
const char *pdb_search_name(const char *path);

/** @path: of the image, or NULL. @files: how it was opened. @symbol_path: as in struct
 *  object_places; what is there is opened with our own rights. */
struct error *pdb_search_find(struct pdb_search *search, const struct pe_image *image,
			      const char *path, const struct debug_search *files,
			      struct symbol_path *symbol_path);

/** The same without the image: in the places of the symbol path alone. @pdb: its name, and the size
 *  of the image; who wrote the recording is not trusted. */
struct error *pdb_search_by_id(struct pdb_search *search, const struct pe_pdb_id *id,
			       const struct object_pdb *pdb, struct symbol_path *symbol_path);
void pdb_search_deinit(struct pdb_search *search);

#endif
