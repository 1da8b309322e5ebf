/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PROGRAM_PROGRAM_LINE_H
#define WPERF_SESSION_PROGRAM_PROGRAM_LINE_H

/** Windows only: a command as the arguments of CreateProcessW(). */

#include "base/error.h"

#include <wchar.h>

struct program_line {
	wchar_t *path; /* of the program; of cmd.exe for a batch file */
	wchar_t *text; /* the whole command line */
};

/**
 * The first word is searched as cmd.exe does (process/program_search.h).
 * @words: end with NULL. @line: zeroed; call program_line_deinit() also after an error.
 */
struct error *program_line_init(struct program_line *line, char *const *words);
void program_line_deinit(struct program_line *line);

#endif
