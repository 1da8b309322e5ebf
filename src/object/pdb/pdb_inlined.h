/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PDB_PDB_INLINED_H
#define WPERF_OBJECT_PDB_PDB_INLINED_H

/** The calls that were inlined into one function, and the lines within them. */

#include "base/container/arena.h"
#include "object/pdb/pdb_module.h"
#include "object/range_map.h"

enum { PDB_NO_SITE = UINT32_MAX };

/** A call that was inlined. */
struct pdb_site {
	uint32_t parent; /* site that it is within, or PDB_NO_SITE */
	uint32_t id;     /* of the function that was called */
	uint32_t first_row, num_rows;
};

struct pdb_site_row {
	uint32_t address;
	uint32_t file; /* as in struct pdb_row */
	uint32_t line; /* 0: not known */
};

/** Up to where the next one begins. */
struct pdb_site_piece {
	uint32_t start;
	uint32_t site; /* the innermost one there, or PDB_NO_SITE */
};

struct pdb_inlined {
	uint32_t num_pieces;
	const struct pdb_site_piece *pieces; /* by their start */
	const struct pdb_site *sites;
	const struct pdb_site_row *rows;
};

/** Reads function after function in the same room, and owns what it has read. */
struct pdb_inlined_reader {
	struct pdb_site *sites;
	size_t num_sites, cap_sites;
	struct pdb_site_row *rows;
	size_t num_rows, cap_rows;
	struct range_map map;
	struct arena arena;
};

#define PDB_INLINED_READER_INIT \
	{                       \
	}

void pdb_inlined_reader_deinit(struct pdb_inlined_reader *reader);

/** @module: its lines are read. Damaged sites are left out. */
struct error *pdb_inlined_read(struct pdb_inlined_reader *reader, const struct pdb_module *module,
			       const struct pdb_function *function, const struct pdb_inlined **ret);

/** The innermost site around an address, or PDB_NO_SITE. */
uint32_t pdb_inlined_find_site(const struct pdb_inlined *inlined, uint32_t address);

/** The row of a site at an address that is within it, or NULL. */
const struct pdb_site_row *pdb_inlined_find_row(const struct pdb_inlined *inlined, uint32_t site,
						uint32_t address);

#endif
