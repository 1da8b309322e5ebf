/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PROGRAM_REFUSAL_H
#define WPERF_SESSION_PROGRAM_REFUSAL_H

/** Why the system does not run a program, in words that say what to do. */

#include <stdbool.h>

enum { PROGRAM_REFUSAL_SIZE = 400 };

struct program_refusal {
	char reason[PROGRAM_REFUSAL_SIZE]; /* behind "cannot run 'x': " */
	char hint[PROGRAM_REFUSAL_SIZE];
};

/**
 * Look at the file; nothing but files of bytes is opened.
 * @path:    where the program was found.
 * @may_run: this user may execute the file.
 * @return: false if the file does not say why, or is not there.
 */
bool program_refusal_find(const char *path, bool may_run, struct program_refusal *ret);

#endif
