/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_SYMBOLS_DEBUG_FOLDER_H
#define WPERF_SERVER_SYMBOLS_DEBUG_FOLDER_H

/**
 * A folder of debug files by build id, laid out as /usr/lib/debug/.build-id: that of 0123abcd... is
 * FOLDER/01/23abcd....debug.
 */

#include "server/symbols/debug_facts.h"

#include "base/text/string_builder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum debug_folder_result {
	DEBUG_FOLDER_STORED,
	DEBUG_FOLDER_REPLACED, /* the file before had no lines, and this one has */
	DEBUG_FOLDER_KNOWN,    /* there is one, and it stays */
	DEBUG_FOLDER_OTHER,    /* there is a PDB with this GUID and another age, and it stays */
	DEBUG_FOLDER_FULL,     /* with it, the files would have more bytes than they may */
};

/** One file. A larger one is refused. */
#define DEBUG_FOLDER_MAX_FILE ((uint64_t)2 << 30)
/** All files of a tenant. */
#define DEBUG_FOLDER_MAX_TOTAL ((uint64_t)32 << 30)

/** The path of a build's file, there or not. @id: of two bytes or more. */
void debug_folder_path(const char *folder, const struct record_build_id *id,
		       struct string_builder *ret);

/** @ret_found: is there a file of this build, which can be read? @ret: what it has. */
struct error *debug_folder_find(const char *folder, const struct record_build_id *id,
				struct debug_facts *ret, bool *ret_found);

/** Bytes of all files; 0 if there is no such folder. */
struct error *debug_folder_total(const char *folder, uint64_t *ret);

/**
 * Keep a file: it is on the disk when this returns. @facts: debug_facts_read() of the bytes.
 * @max_total: bytes of all files.
 */
struct error *debug_folder_put(const char *folder, const struct debug_facts *facts,
			       const void *bytes, size_t size, uint64_t max_total,
			       enum debug_folder_result *ret);

#endif
