/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_UNWIND_PE_UNWIND_H
#define WPERF_UNWIND_PE_UNWIND_H

/**
 * The rows of a Windows image for x64, from its table of functions (.pdata) and what that says of
 * how they begin. Functions that are not in the table save nothing and call nobody. How a function
 * ends is not in the table: the usual end, as the reverse of the beginning, is recognised by its
 * code; in the middle of another one a caller may be lost.
 */

#include "object/object.h"
#include "unwind/cfi_table.h"

/** The image: its .pdata, and the bytes from an address of it on, to the end of the section. */
struct pe_unwind_image {
	struct object_bytes functions;
	struct object_bytes (*bytes_at)(void *context, uint32_t address);
	void *context;
};

/** Damage costs the functions that it hits, not the table. */
struct error *pe_unwind_create(const struct pe_unwind_image *image, struct cfi_table *ret);

#endif
