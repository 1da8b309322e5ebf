/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PDB_PDB_OBJECT_H
#define WPERF_OBJECT_PDB_PDB_OBJECT_H

/** The PDB of a Windows image that is not here, as an object: names and lines by RVA, and no code.
 */

#include "object/object.h"

/**
 * ERROR_ABSENT with what to do: it is in none of the places.
 * @path: where it is looked for, by GUID and age; NULL: nowhere. It must outlive the object.
 */
struct error *pdb_object_open(const struct object_pdb *pdb, struct symbol_path *path,
			      struct object **ret);

#endif
