/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PE_PE_FUNCTIONS_H
#define WPERF_OBJECT_PE_PE_FUNCTIONS_H

/**
 * Where functions of a Windows image begin and end, by its table for exceptions (.pdata). Leaf
 * functions of x64 are not in it. Images with code of two machines have two such tables.
 */

#include "object/pe/pe_hybrid.h"

struct pe_function {
	uint32_t start, end;
	uint32_t unwind; /* address of what says how to leave it; Arm64: packed if not a multiple of
			    4 */
	bool is_part;    /* goes on with what another entry began */
};

struct pe_functions {
	struct pe_function *items; /* sorted by their start */
	size_t num_items;
};

#define PE_FUNCTIONS_INIT \
	{                 \
	}

struct error *pe_functions_read(const struct pe_image *image, const struct pe_hybrid *hybrid,
				struct pe_functions *ret);
void pe_functions_deinit(struct pe_functions *functions);

/** The function around the address, or NULL. */
const struct pe_function *pe_functions_find(const struct pe_functions *functions, uint32_t address);

/** The first of several adjacent parts: the start of the function. */
const struct pe_function *pe_functions_first_part(const struct pe_functions *functions,
						  const struct pe_function *part);

/** The first function that starts at the address or after it; adjacent parts of a function are not
 * functions. NULL: there are no more. */
const struct pe_function *pe_functions_from(const struct pe_functions *functions, uint32_t address);

/** The end of a function whose parts, behind each other, have several entries. */
uint32_t pe_functions_end(const struct pe_functions *functions, const struct pe_function *function);

/** Where the next one begins behind the address; UINT32_MAX: none does. */
uint32_t pe_functions_next(const struct pe_functions *functions, uint32_t address);

#endif
