/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_NAMELESS_FUNCTION_H
#define WPERF_SYMBOLS_NAMELESS_FUNCTION_H

/**
 * Functions without a symbol, found by the unwind tables of a stripped file. Their names consist of
 * the file's name and the start address: "[cc1plus+0x5fd010]".
 */

#include "object/object.h"

#include <stdbool.h>
#include <stdint.h>

enum { NAMELESS_FUNCTION_NAME_SIZE = 256 };

struct nameless_function {
	struct object_symbol symbol; /* its name points to this struct: do not copy the struct */
	char name[NAMELESS_FUNCTION_NAME_SIZE];
};

/** @path: of the file. @end: behind the last byte. */
void nameless_function_set(struct nameless_function *function, const char *path, uint64_t start,
			   uint64_t end);

/** Finds the function around an address, also if it has a symbol. False if there is none. */
bool nameless_function_find(struct object *object, const char *path, uint64_t address,
			    struct nameless_function *ret);

#endif
