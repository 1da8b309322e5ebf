/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROGRAM_SEARCH_H
#define WPERF_PROCESS_PROGRAM_SEARCH_H

/** The file that a name of a program means on Windows: looked for where cmd.exe looks for it. */

#include "base/error.h"

#include <stdbool.h>

struct program_search {
	const char *path;       /* PATH: folders, ';' between them, in quotes or not; or NULL */
	const char *extensions; /* PATHEXT: ".COM;.EXE;..."; NULL: those of a new system */
	bool skips_here;        /* the folder that we are in is not looked at */
	/** Is there such a file? */
	bool (*is_file)(void *context, const char *path);
	void *context;
};

/**
 * @name: with a folder in it, it is looked for only there. What it ends with is tried as it is,
 * then with each of the extensions.
 * @ret: to be freed. ERROR_ABSENT: there is no such file.
 */
struct error *program_search_find(const struct program_search *search, const char *name,
				  char **ret);

/** Is it one that cmd.exe has to read? */
bool program_search_is_batch(const char *path);

#endif
