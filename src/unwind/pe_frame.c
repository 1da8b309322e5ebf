// SPDX-License-Identifier: Apache-2.0

#include "unwind/pe_frame.h"

enum { SLOT = 8 };

struct pe_frame pe_frame_create(enum cfi_machine machine)
{
	// Calls of x64 put their return address on the stack, those of Arm64 in a register.
	uint32_t size = machine == CFI_X86_64 ? SLOT : 0;
	const struct cfi_registers *registers = cfi_registers_of(machine);
	struct pe_frame frame = {
		.registers = registers,
		.state = {.cfa = {.reg = registers->sp, .offset = size}},
		.size = size,
	};
	if (size)
		pe_frame_save_return_address(&frame, SLOT);
	return frame;
}

void pe_frame_grow(struct pe_frame *frame, uint32_t bytes)
{
	enum { MAX_FRAME = 1 << 30 };
	if (bytes > MAX_FRAME - frame->size)
		frame->is_unknown = true;
	else
		frame->size += bytes;
	if (frame->state.cfa.reg == frame->registers->sp)
		frame->state.cfa.offset = frame->size;
}

static struct cfi_place place_below(uint32_t below_cfa)
{
	return (struct cfi_place){.saved = CFI_SAVED_CFA, .offset = -(int32_t)below_cfa};
}

void pe_frame_save_frame_pointer(struct pe_frame *frame, uint32_t below_cfa)
{
	frame->state.frame_pointer = place_below(below_cfa);
}

void pe_frame_save_return_address(struct pe_frame *frame, uint32_t below_cfa)
{
	frame->state.return_address = place_below(below_cfa);
}

void pe_frame_set_frame_pointer(struct pe_frame *frame, uint32_t above)
{
	frame->state.cfa.reg = frame->registers->fp;
	frame->state.cfa.offset = (int64_t)frame->size - above;
}

/** Where the registers of what was interrupted are, from where the frame begins. */
static struct cfi_row interrupted_row(const struct pe_frame *frame)
{
	static const struct {
		int32_t stack_pointer, address, frame_pointer; // -1: still in its register
		bool has_link_register;
	} layouts[] = {
		[PE_INTERRUPTED_MACHINE_FRAME] = {0, 8, -1, false},
		[PE_INTERRUPTED_CONTEXT] = {0x100, 0x108, 0xf0, true},
		[PE_INTERRUPTED_EC_CONTEXT] = {0x98, 0xf8, 0xa0, false},
	};
	bool by_fp = frame->state.cfa.reg == frame->registers->fp;
	uint8_t saved = by_fp ? CFI_SAVED_FP : CFI_SAVED_SP;
	int32_t start = (int32_t)frame->state.cfa.offset;
	bool keeps_fp = layouts[frame->interrupted].frame_pointer < 0;
	return (struct cfi_row){
		.cfa = by_fp ? CFI_CFA_DEREF_FP : CFI_CFA_DEREF_SP,
		.cfa_offset = start + layouts[frame->interrupted].stack_pointer,
		.return_address = saved,
		.return_offset = start + layouts[frame->interrupted].address,
		.frame_pointer = keeps_fp ? CFI_SAVED_SAME : saved,
		.frame_pointer_offset =
			keeps_fp ? 0 : start + layouts[frame->interrupted].frame_pointer,
		.is_signal_frame = true,
		.lacks_link_register = !layouts[frame->interrupted].has_link_register,
	};
}

struct cfi_row pe_frame_row(const struct pe_frame *frame)
{
	if (frame->is_unknown)
		return (struct cfi_row){.cfa = CFI_CFA_UNKNOWN};
	if (frame->interrupted != PE_CALLED)
		return interrupted_row(frame);
	return cfi_state_row(&frame->state, frame->registers);
}
