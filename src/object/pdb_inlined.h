/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PDB_INLINED_H
#define WPERF_OBJECT_PDB_INLINED_H

/** The calls that were inlined into one function, and the lines within them. */

#include "object/pdb_module.h"
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

struct pdb_inlined {
	struct pdb_site *sites;
	size_t num_sites, cap_sites;
	struct pdb_site_row *rows;
	size_t num_rows, cap_rows;
	struct range_map map; /* addresses to the innermost site */
};

/** @module: its lines are read. Damaged sites are left out. */
struct error *pdb_inlined_create(const struct pdb_module *module,
				 const struct pdb_function *function, struct pdb_inlined **ret);
void pdb_inlined_destroy(struct pdb_inlined *inlined); /* NULL is fine */
static inline void pdb_inlined_destroyp(struct pdb_inlined **inlined)
{
	pdb_inlined_destroy(*inlined);
}

/** The row of a site at an address that is within it, or NULL. */
const struct pdb_site_row *pdb_inlined_find_row(const struct pdb_inlined *inlined, uint32_t site,
						uint32_t address);

#endif
