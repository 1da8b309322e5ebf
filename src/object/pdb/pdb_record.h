/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PDB_PDB_RECORD_H
#define WPERF_OBJECT_PDB_PDB_RECORD_H

/** Records of a PDB, of symbols and of types alike: a length, a kind, and what it consists of. */

#include "base/reader.h"

/* The names beside are those of cvinfo.h of microsoft-pdb, and of LLVM's CodeView documents. */

enum pdb_symbol_kind {
	PDB_END = 0x0006,                    /* S_END */
	PDB_THUNK = 0x1102,                  /* S_THUNK32 */
	PDB_BLOCK = 0x1103,                  /* S_BLOCK32 */
	PDB_PUBLIC = 0x110e,                 /* S_PUB32 */
	PDB_LOCAL_PROCEDURE = 0x110f,        /* S_LPROC32 */
	PDB_GLOBAL_PROCEDURE = 0x1110,       /* S_GPROC32 */
	PDB_SEPARATED_CODE = 0x1132,         /* S_SEPCODE */
	PDB_LOCAL_PROCEDURE_ID = 0x1146,     /* S_LPROC32_ID */
	PDB_GLOBAL_PROCEDURE_ID = 0x1147,    /* S_GPROC32_ID */
	PDB_INLINE_SITE = 0x114d,            /* S_INLINESITE */
	PDB_INLINE_SITE_END = 0x114e,        /* S_INLINESITE_END */
	PDB_PROCEDURE_ID_END = 0x114f,       /* S_PROC_ID_END */
	PDB_LOCAL_PROCEDURE_DPC = 0x1155,    /* S_LPROC32_DPC */
	PDB_LOCAL_PROCEDURE_DPC_ID = 0x1156, /* S_LPROC32_DPC_ID */
	PDB_INLINE_SITE2 = 0x115d,           /* S_INLINESITE2 */
};

enum pdb_type_kind {
	PDB_TYPE_CLASS = 0x1504,              /* LF_CLASS */
	PDB_TYPE_STRUCTURE = 0x1505,          /* LF_STRUCTURE */
	PDB_TYPE_UNION = 0x1506,              /* LF_UNION */
	PDB_TYPE_ENUM = 0x1507,               /* LF_ENUM */
	PDB_TYPE_INTERFACE = 0x1519,          /* LF_INTERFACE */
	PDB_TYPE_FUNCTION_ID = 0x1601,        /* LF_FUNC_ID */
	PDB_TYPE_MEMBER_FUNCTION_ID = 0x1602, /* LF_MFUNC_ID */
	PDB_TYPE_STRING_ID = 0x1605,          /* LF_STRING_ID */
	PDB_TYPE_CLASS2 = 0x1608,             /* LF_CLASS2 */
	PDB_TYPE_STRUCTURE2 = 0x1609,         /* LF_STRUCTURE2 */
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
