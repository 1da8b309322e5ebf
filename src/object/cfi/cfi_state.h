/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_CFI_CFI_STATE_H
#define WPERF_OBJECT_CFI_CFI_STATE_H

/** The rules that hold at one place of a program of call frame instructions. */

#include "object/cfi/cfi_row.h"

/** Where a register of the caller is. */
struct cfi_place {
	enum cfi_saved saved;
	bool is_unknown; /* somewhere, by a rule that rows cannot express */
	int32_t offset;
};

/** The canonical frame address: of a register and an offset, or of an expression. */
struct cfi_frame_address {
	bool is_expression;
	enum cfi_cfa form; /* of an expression; UNKNOWN if it is none of the well-known ones */
	int8_t addend;
	uint64_t reg;
	int64_t offset;
};

struct cfi_state {
	struct cfi_frame_address cfa;
	struct cfi_place return_address, frame_pointer;
	bool is_return_address_signed;
};

#define CFI_STATE_INIT \
	{              \
	}

/** DWARF's numbers of the registers that a walk follows. */
struct cfi_registers {
	uint64_t fp, sp, ip;
};

const struct cfi_registers *cfi_registers_of(enum cfi_machine machine);

/** What a table keeps of it. A frame that cannot be left by a row is CFI_CFA_UNKNOWN. */
struct cfi_row cfi_state_row(const struct cfi_state *state, const struct cfi_registers *registers);

#endif
