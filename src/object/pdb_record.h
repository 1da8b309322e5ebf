/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PDB_RECORD_H
#define WPERF_OBJECT_PDB_RECORD_H

/** Records of a PDB, of symbols and of types alike: a length, a kind, and what it consists of. */

#include "base/reader.h"

enum pdb_symbol_kind {
	PDB_END = 0x0006,
	PDB_THUNK = 0x1102,
	PDB_BLOCK = 0x1103,
	PDB_PUBLIC = 0x110e,
	PDB_LOCAL_PROCEDURE = 0x110f,
	PDB_GLOBAL_PROCEDURE = 0x1110,
	PDB_SEPARATED_CODE = 0x1132,
	PDB_LOCAL_PROCEDURE_ID = 0x1146,
	PDB_GLOBAL_PROCEDURE_ID = 0x1147,
	PDB_INLINE_SITE = 0x114d,
	PDB_INLINE_SITE_END = 0x114e,
	PDB_PROCEDURE_ID_END = 0x114f,
	PDB_LOCAL_PROCEDURE_DPC = 0x1155,
	PDB_LOCAL_PROCEDURE_DPC_ID = 0x1156,
	PDB_INLINE_SITE2 = 0x115d,
};

enum pdb_type_kind {
	PDB_TYPE_CLASS = 0x1504,
	PDB_TYPE_STRUCTURE = 0x1505,
	PDB_TYPE_UNION = 0x1506,
	PDB_TYPE_ENUM = 0x1507,
	PDB_TYPE_INTERFACE = 0x1519,
	PDB_TYPE_FUNCTION_ID = 0x1601,
	PDB_TYPE_MEMBER_FUNCTION_ID = 0x1602,
	PDB_TYPE_STRING_ID = 0x1605,
	PDB_TYPE_CLASS2 = 0x1608,
	PDB_TYPE_STRUCTURE2 = 0x1609,
};

struct pdb_record {
	uint16_t kind;
	struct reader content; /* behind the kind */
};

/** The next record; false at the end, and where the bytes end within one: then nothing is set. */
static inline bool pdb_record_next(struct reader *reader, struct pdb_record *ret)
{
	uint16_t length = reader_u16(reader);
	const uint8_t *bytes = reader_bytes(reader, length);
	if (!bytes || length < sizeof(ret->kind))
		return false;
	ret->kind = byte_order_load16(bytes, false);
	// In place: a reader that is copied as soon as it was made is waited for.
	reader_init(&ret->content, bytes + sizeof(ret->kind), length - sizeof(ret->kind));
	return true;
}

#endif
