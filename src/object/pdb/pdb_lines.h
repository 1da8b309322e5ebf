/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PDB_PDB_LINES_H
#define WPERF_OBJECT_PDB_PDB_LINES_H

/** The lines of a module ("C13"): rows, files, and where functions are written that are inlined. */

#include "base/reader.h"
#include "object/pdb/pdb_module.h"

/** Fills the rows, inlinees and files of @module. What is damaged is left out. */
struct error *pdb_lines_read(struct pdb_module *module, const struct pdb_file *file,
			     struct reader reader);

#endif
