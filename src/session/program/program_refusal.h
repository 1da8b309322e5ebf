/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PROGRAM_PROGRAM_REFUSAL_H
#define WPERF_SESSION_PROGRAM_PROGRAM_REFUSAL_H

/** Why the system cannot run a program, and what to do about it. */

#include <stdbool.h>

enum { PROGRAM_REFUSAL_SIZE = 400 };

struct program_refusal {
	char reason[PROGRAM_REFUSAL_SIZE]; /* after "cannot run 'x': " */
	char hint[PROGRAM_REFUSAL_SIZE];
};

/**
 * Read the file for the reason. Opens only regular files.
 * @path:    where the program was found.
 * @may_run: this user may execute the file.
 * @return: false if the file does not exist or does not show a reason.
 */
bool program_refusal_find(const char *path, bool may_run, struct program_refusal *ret);

#endif
