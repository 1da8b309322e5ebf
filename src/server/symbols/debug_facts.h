/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_SYMBOLS_DEBUG_FACTS_H
#define WPERF_SERVER_SYMBOLS_DEBUG_FACTS_H

/** Whether a file can name frames of a store, and of which build. */

#include "base/error.h"
#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>

/** A folder of one byte, and a name of at least one more. Linkers write 8 or more. */
enum { DEBUG_FACTS_MIN_BUILD_ID = 2 };

struct debug_facts {
	struct record_build_id build_id; /* of Windows: the GUID that image and PDB share */
	uint32_t age;                    /* of Windows: builds of one GUID differ by it; else 0 */
	bool has_symbols;                /* .symtab, a table of COFF, a PDB */
	bool has_lines;                  /* .debug_info, or lines of a PDB */
};

/**
 * @bytes: not trusted. @name: for the error, which says why the file names nothing: it is none of
 * ELF, PE and PDB, truncated, not linked, without a build id, or stripped.
 */
struct error *debug_facts_read(const void *bytes, size_t size, const char *name,
			       struct debug_facts *ret);

#endif
