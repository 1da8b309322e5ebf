/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_STACK_PE_PE_X64_UNWIND_H
#define WPERF_STACK_PE_PE_X64_UNWIND_H

/**
 * The rows of the code for x64 in a Windows image: of how functions begin by its table, of how they
 * end by their code.
 */

#include "object/cfi/cfi_table.h"
#include "stack/pe/pe_unwind_image.h"

/** @table: empty before. Its rows reach from address 0 to the end of the last function. */
struct error *pe_x64_unwind_add(const struct pe_unwind_image *image, struct cfi_table *table);

#endif
