/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_STACK_PE_PE_UNWIND_H
#define WPERF_STACK_PE_PE_UNWIND_H

/**
 * The rows of a Windows image, from its tables of functions (.pdata) and what these say of how
 * functions begin, and for Arm64 end. Functions that are not in a table save nothing and call
 * nobody. An image may have code of both machines, and a table for each; its code map then says
 * which one counts where.
 */

#include "object/cfi/cfi_table.h"
#include "object/object.h"

/** The image: its tables, and the bytes from an address of it on, to the end of the section. */
struct pe_unwind_image {
	struct object_bytes x64_functions, arm64_functions;
	const struct object_code_range *ranges; /* of an image with code of both, by address */
	size_t num_ranges;
	struct object_bytes (*bytes_at)(void *context, uint32_t address);
	void *context;
};

/** Damage costs the functions that it hits, not the table. */
struct error *pe_unwind_create(const struct pe_unwind_image *image, struct cfi_table *ret);

#endif
