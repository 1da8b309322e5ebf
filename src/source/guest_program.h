/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_GUEST_PROGRAM_H
#define WPERF_SOURCE_GUEST_PROGRAM_H

/** A command for the emulator: where its program is, and the folder that its system is in. */

#include "base/error.h"

#include <limits.h>

struct guest_program {
	char path[PATH_MAX];    /* of a file that the emulator can run */
	char sysroot[PATH_MAX]; /* "": the host's own folders */
	char **arguments; /* the command's, behind what its scripts put before; NULL at the end */
};

#define GUEST_PROGRAM_INIT \
	{                  \
	}

/**
 * Find what the first word of @command stands for: a path, or a name that is looked for in the
 * sysroot and then in PATH. Scripts are followed to what runs them.
 * @sysroot: or NULL; then the folder above the program in which its loader is, or one of the places
 *           where the loaders of cross compilers are.
 */
struct error *guest_program_find(char *const *command, const char *sysroot,
				 struct guest_program *ret);
void guest_program_deinit(struct guest_program *program);

#endif
