/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_NAMELESS_FUNCTION_H
#define WPERF_SYMBOLS_NAMELESS_FUNCTION_H

/**
 * Functions of stripped files: the tables for exceptions still say where they are. They are named
 * by their file and where they begin: "[cc1plus+0x5fd010]".
 */

#include "object/object.h"

#include <stdbool.h>
#include <stdint.h>

struct nameless_function {
	struct object_symbol symbol; /* its name is in the struct, which is not to be copied */
	char name[256];
};

/** @path: of the file. */
void nameless_function_set(struct nameless_function *function, const char *path, uint64_t start,
			   uint64_t end);

/** The function around an address; false: none is known. Whether it has a symbol is not asked. */
bool nameless_function_find(struct object *object, const char *path, uint64_t address,
			    struct nameless_function *ret);

#endif
