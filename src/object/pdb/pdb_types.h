/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PDB_PDB_TYPES_H
#define WPERF_OBJECT_PDB_PDB_TYPES_H

/** Records of types and ids by their number, for the names of functions whose calls are inlined. */

#include "base/error.h"
#include "base/text/string_builder.h"
#include "object/pdb/msf_file.h"

/** One of the two streams of such records. */
struct pdb_type_list {
	uint32_t first, behind; /* numbers that it has */
	struct object_bytes records;
	struct object_bytes places; /* of some records: pairs of their number and offset, sorted */
};

struct pdb_types {
	struct pdb_type_list types, ids;
};

#define PDB_TYPES_INIT \
	{              \
	}

/** Damaged streams are as good as none. */
struct error *pdb_types_init(struct pdb_types *types, struct msf_file *msf);

/** Appends "scope::name" of a function's id; nothing if it is not known. */
void pdb_types_append_function(const struct pdb_types *types, uint32_t id,
			       struct string_builder *name);

#endif
