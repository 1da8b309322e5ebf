/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_CFI_CFI_EXPRESSION_H
#define WPERF_OBJECT_CFI_CFI_EXPRESSION_H

/**
 * The few forms of DWARF expressions that compilers, linkers and hand-written code use to say
 * where a frame is. They are recognised, not computed.
 */

#include "base/reader.h"
#include "object/cfi/cfi_state.h"

/** Of DW_CFA_def_cfa_expression; @bytes is used up. */
struct cfi_frame_address cfi_expression_frame_address(struct reader bytes,
						      const struct cfi_registers *registers);

/** Of DW_CFA_expression: the address where a register is saved. */
struct cfi_place cfi_expression_place(struct reader bytes, const struct cfi_registers *registers);

#endif
