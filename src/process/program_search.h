/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROGRAM_SEARCH_H
#define WPERF_PROCESS_PROGRAM_SEARCH_H

/** Finds a program on Windows in the same folders as cmd.exe. */

#include "base/error.h"

#include <stdbool.h>

struct program_search {
	const char *path;       /* PATH: folders, ';' between them, in quotes or not; or NULL */
	const char *extensions; /* PATHEXT: ".COM;.EXE;..."; NULL: the system's default */
	bool skips_here;        /* do not search the current folder */
	/** Is there such a file? */
	bool (*is_file)(void *context, const char *path);
	void *context;
};

/**
 * @name: if it has a folder, only that is searched. It is tried unchanged, then with each of the
 *        extensions.
 * @ret: to be freed. ERROR_ABSENT: there is no such file.
 */
struct error *program_search_find(const struct program_search *search, const char *name,
				  char **ret);

/** Is it a batch file, which cmd.exe runs? */
bool program_search_is_batch(const char *path);

#endif
