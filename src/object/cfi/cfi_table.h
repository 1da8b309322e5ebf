/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_CFI_CFI_TABLE_H
#define WPERF_OBJECT_CFI_CFI_TABLE_H

/**
 * How to get from a function's frame to its caller's, for every address of a module: .eh_frame
 * (or .debug_frame) run once, when the module is first met, into rows that are found by
 * bisection. Only what a stack walk needs is kept: where the canonical frame address is, where the
 * return address, and where the frame pointer.
 */

#include "base/error.h"
#include "object/cfi/cfi_row.h"

#include <stddef.h>
#include <stdint.h>

struct cfi_table {
	struct cfi_row *rows; /* by address; gaps have a row CFI_CFA_GAP */
	size_t num_rows, cap_rows;
	size_t num_bad; /* entries that could not be understood and were left out */
};

#define CFI_TABLE_INIT \
	{              \
	}

/** An empty section gives an empty table. Damage costs the entries that it hits, not the table. */
struct error *cfi_table_create(const struct cfi_section *section, enum cfi_machine machine,
			       struct cfi_table *ret);

/** Takes the place of rows that begin at its address or behind it; joins an equal neighbour. */
struct error *cfi_table_append(struct cfi_table *table, struct cfi_row row);

/** The row of an address, or NULL. */
const struct cfi_row *cfi_table_find(const struct cfi_table *table, uint64_t address);

void cfi_table_deinit(struct cfi_table *table);

#endif
