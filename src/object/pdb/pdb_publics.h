/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PDB_PDB_PUBLICS_H
#define WPERF_OBJECT_PDB_PDB_PUBLICS_H

/** The names that modules see of each other: all that a stripped PDB has of code. */

#include "base/container/arena.h"
#include "object/pdb/pdb_file.h"

struct pdb_public {
	uint32_t address; /* as linked */
	const char *name;
};

struct pdb_publics {
	struct pdb_public *items; /* code only, in the order of the file, usually by address */
	size_t num_items;
	struct arena names; /* those that are not as in the file */
};

#define PDB_PUBLICS_INIT \
	{                \
	}

/** @file: may copy a stream together. Damaged records are left out. */
struct error *pdb_publics_read(struct pdb_file *file, struct pdb_publics *ret);
void pdb_publics_deinit(struct pdb_publics *publics);

#endif
