/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_STACK_PE_PE_ARM64_UNWIND_H
#define WPERF_STACK_PE_PE_ARM64_UNWIND_H

/**
 * The rows of the code for Arm64 in a Windows image. Each instruction of how a function begins and
 * ends has a code, so that every place within these is known. Not known are frames of a size that
 * only the CPU knows (those with registers of SVE), and those of the kernel's trap handlers.
 */

#include "object/cfi/cfi_table.h"
#include "stack/pe/pe_unwind_image.h"

/** @table: empty before. Its rows reach from address 0 to the end of the last function. */
struct error *pe_arm64_unwind_add(const struct pe_unwind_image *image, struct cfi_table *table);

#endif
