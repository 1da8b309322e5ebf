/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PE_PE_HYBRID_H
#define WPERF_OBJECT_PE_PE_HYBRID_H

/**
 * What an image with code of two machines (Arm64EC, Arm64X) says of it: which of its code is for
 * which, and a second table of functions, as the directory has that of one machine only.
 */

#include "object/pe/pe_image.h"

struct pe_hybrid {
	struct object_code_range *ranges; /* by address */
	size_t num_ranges;
	struct object_bytes x64_functions, arm64_functions; /* of all images */
};

#define PE_HYBRID_INIT \
	{              \
	}

/** Damage costs what it hits. An image for one machine has its one table, and no ranges. */
struct error *pe_hybrid_read(const struct pe_image *image, struct pe_hybrid *ret);
void pe_hybrid_deinit(struct pe_hybrid *hybrid);

/** @otherwise: of code that is in no range. */
enum object_machine pe_hybrid_machine_at(const struct pe_hybrid *hybrid, uint64_t address,
					 enum object_machine otherwise);

#endif
