// SPDX-License-Identifier: Apache-2.0

#include "object/cfi/cfi_state.h"

// Converts the state of a CFI program to a row. Rows are small because a table has millions of
// them for a large program: offsets have 32 bits, and the rule for each register is one of few
// forms. A state that does not fit becomes CFI_CFA_UNKNOWN.
//
// DWARF's register numbers are from the ABI documents: "System V ABI, AMD64", figure 3.36, and
// "DWARF for the Arm 64-bit Architecture", 4.1.

const struct cfi_registers *cfi_registers_of(enum cfi_machine machine)
{
	static const struct cfi_registers registers[] = {
		[CFI_X86_64] = {.fp = 6, .sp = 7, .ip = 16},
		// The ip has no number in AArch64's expressions.
		[CFI_AARCH64] = {.fp = 29, .sp = 31, .ip = UINT64_MAX},
	};
	return &registers[machine];
}

static enum cfi_cfa cfi_state_form_of(const struct cfi_frame_address *cfa,
				      const struct cfi_registers *registers)
{
	if (cfa->offset < INT32_MIN || cfa->offset > INT32_MAX)
		return CFI_CFA_UNKNOWN;
	if (cfa->is_expression)
		return cfa->form;
	if (cfa->reg == registers->sp)
		return CFI_CFA_SP;
	return cfa->reg == registers->fp ? CFI_CFA_FP : CFI_CFA_UNKNOWN;
}

struct cfi_row cfi_state_row(const struct cfi_state *state, const struct cfi_registers *registers)
{
	enum cfi_cfa form = cfi_state_form_of(&state->cfa, registers);
	struct cfi_place fp = state->frame_pointer;
	if (fp.is_unknown)
		fp = (struct cfi_place){.saved = CFI_SAVED_UNDEFINED};
	// Of functions that realign the stack gcc's rules still say "where the frame pointer
	// points" at their return, when the frame address is the stack pointer's and "leave" has
	// restored it.
	if (fp.saved == CFI_SAVED_FP && form == CFI_CFA_SP)
		fp = (struct cfi_place){.saved = CFI_SAVED_SAME};
	// The outermost frame is known as such even if it has no frame address.
	bool is_outermost = !state->return_address.is_unknown &&
			    state->return_address.saved == CFI_SAVED_UNDEFINED;
	if (is_outermost)
		return (struct cfi_row){.cfa = CFI_CFA_UNKNOWN,
					.return_address = CFI_SAVED_UNDEFINED};
	if (form == CFI_CFA_UNKNOWN || state->return_address.is_unknown)
		return (struct cfi_row){.cfa = CFI_CFA_UNKNOWN};
	return (struct cfi_row){
		.cfa = form,
		.cfa_offset = (int32_t)state->cfa.offset,
		.cfa_addend = state->cfa.addend,
		.return_address = state->return_address.saved,
		.return_offset = state->return_address.offset,
		.frame_pointer = fp.saved,
		.frame_pointer_offset = fp.offset,
		.is_return_address_signed = state->is_return_address_signed,
	};
}
