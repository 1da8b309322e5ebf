/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_EMULATE_GUEST_PROGRAM_H
#define WPERF_SOURCE_EMULATE_GUEST_PROGRAM_H

/** A command for the emulator: the path of its program, and its sysroot. */

#include "base/error.h"

#include <limits.h>

struct guest_program {
	char path[PATH_MAX];    /* of a file that the emulator can run */
	char sysroot[PATH_MAX]; /* "": the host's folders */
	char **arguments; /* the command's, after those that its script's #! adds; NULL at the end
			   */
};

#define GUEST_PROGRAM_INIT \
	{                  \
	}

/**
 * Find the program of the first word of @command: a path, or a name that is searched in the sysroot
 * and then in PATH. For scripts, this is their interpreter.
 * @sysroot: NULL: the folder above the program that contains its loader, or a folder where cross
 *           compilers have their loaders.
 */
struct error *guest_program_find(char *const *command, const char *sysroot,
				 struct guest_program *ret);
void guest_program_deinit(struct guest_program *program);

#endif
