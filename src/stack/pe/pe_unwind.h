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
#include "stack/pe/pe_unwind_image.h"

/** Damage costs the functions that it hits, not the table. */
struct error *pe_unwind_create(const struct pe_unwind_image *image, struct cfi_table *ret);

#endif
