/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_STACK_PE_PE_UNWIND_IMAGE_H
#define WPERF_STACK_PE_PE_UNWIND_IMAGE_H

/**
 * What of a Windows image rows are made from: its tables, and the bytes from an address of it on,
 * to the end of the section.
 */

#include "object/object.h"

struct pe_unwind_image {
	struct object_bytes x64_functions, arm64_functions;
	const struct object_code_range *ranges; /* of an image with code of both, by address */
	size_t num_ranges;
	struct object_bytes (*bytes_at)(void *context, uint32_t address);
	void *context;
};

#endif
