/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_SYMBOLS_DEBUG_NAMES_H
#define WPERF_SERVER_SYMBOLS_DEBUG_NAMES_H

/**
 * Functions, lines and inlined calls for stored profiles of stripped programs, from debug files by
 * build id: of the caller's folder (debug_folder.h), of the system's, and of debuginfod servers.
 * From these a file is fetched in the background: the next profile has its names. For several
 * threads.
 */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Where Debian, Fedora and others install debug files by build id. */
#define DEBUG_NAMES_SYSTEM_FOLDER "/usr/lib/debug/.build-id"

/** What the open files may be: more of them, or larger ones, are opened again when needed. */
#define DEBUG_NAMES_MAX_BYTES ((uint64_t)1 << 30)
enum { DEBUG_NAMES_MAX_FILES = 256 };

struct debug_names_config {
	const char *system_folder; /* as DEBUG_NAMES_SYSTEM_FOLDER; NULL: none. Kept, not copied */
	bool fetches;              /* from debuginfod servers, where DEBUGINFOD_URLS names any */
	uint64_t max_bytes;        /* 0: DEBUG_NAMES_MAX_BYTES */
};

struct debug_names;

struct error *debug_names_open(const struct debug_names_config *config, struct debug_names **ret);

/** Nobody is in debug_names_apply(). Accepts NULL. */
void debug_names_close(struct debug_names *names);
static inline void debug_names_closep(struct debug_names **names)
{
	debug_names_close(*names);
}

/**
 * Name what can be named. Never waits for the network.
 * @folder: whose debug files come first; they may be a stranger's. NULL: none.
 */
struct error *debug_names_apply(struct debug_names *names, const char *folder,
				struct named_profile *profile);

#endif
