/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_CFI_CFI_PIECES_H
#define WPERF_OBJECT_CFI_CFI_PIECES_H

/** Functions, and parts of them that compilers put elsewhere, as .eh_frame has them: that section
 *  stays when symbols are stripped. */

#include "object/cfi/cfi_row.h"

#include <stddef.h>
#include <stdint.h>

struct cfi_piece {
	uint64_t start, end; /* addresses, as linked; the end is behind it */
};

/**
 * Those that hold any of @addresses, which are sorted; each once, in the section's order.
 * The number of those found, at most @max; the others are left out.
 */
size_t cfi_pieces_find(const struct cfi_section *section, const uint64_t *addresses, size_t num,
		       struct cfi_piece *ret, size_t max);

#endif
