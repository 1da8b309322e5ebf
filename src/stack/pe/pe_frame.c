// SPDX-License-Identifier: Apache-2.0

#include "stack/pe/pe_frame.h"

// The state in which the unwind codes of Windows (x64 and Arm64) are replayed, in the terms of
// CFI: a frame address, and places of the saved frame pointer and return address below it. So both
// unwinders share cfi_state_row() with the DWARF ones, and native_unwind.c knows no Windows. The
// frame address is the stack pointer before the call (x64: above the return address). Unwind codes
// count from the current stack pointer instead; `size`, the distance between the two, converts
// (place_at()).
//
// Frames that interrupted other code save a whole context. Where its fields lie is in
// context_layouts: the machine frame that an x64 CPU pushes, MACHINE_FRAME of Arm64, CONTEXT of
// Arm64 (Sp at 0x100, Pc at 0x108, Fp at 0xf0) and ARM64EC_NT_CONTEXT (x64's layout: Sp is Rsp at
// 0x98, Pc is Rip at 0xf8, Fp is Rbp at 0xa0), all from winnt.h.

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
		pe_frame_save_return_address(&frame, 0);
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

static struct cfi_place place_at(const struct pe_frame *frame, int64_t above_sp)
{
	int64_t offset = above_sp - frame->size;
	return (struct cfi_place){
		.saved = CFI_SAVED_CFA,
		.offset = (int32_t)offset,
		.is_unknown = offset < INT32_MIN || offset > INT32_MAX,
	};
}

void pe_frame_save_frame_pointer(struct pe_frame *frame, int64_t above_sp)
{
	frame->state.frame_pointer = place_at(frame, above_sp);
}

void pe_frame_save_return_address(struct pe_frame *frame, int64_t above_sp)
{
	frame->state.return_address = place_at(frame, above_sp);
}

void pe_frame_set_frame_pointer(struct pe_frame *frame, uint32_t above)
{
	frame->state.cfa.reg = frame->registers->fp;
	frame->state.cfa.offset = (int64_t)frame->size - above;
}

/** Where they are, from the frame address, which for x64 is above the return address of a call. */
struct context_layout {
	int32_t stack_pointer, address;
	int32_t frame_pointer; // KEPT: the handler has it, or has saved it
	bool has_link_register;
};

enum { KEPT = -1 };

static const struct context_layout context_layouts[] = {
	[PE_INTERRUPTED_X64] = {16, -8, KEPT, false},
	[PE_INTERRUPTED_X64_ERROR] = {24, 0, KEPT, false},
	[PE_INTERRUPTED_MACHINE_FRAME] = {0, 8, KEPT, false},
	[PE_INTERRUPTED_CONTEXT] = {0x100, 0x108, 0xf0, true},
	[PE_INTERRUPTED_EC_CONTEXT] = {0x98, 0xf8, 0xa0, false},
};

static struct cfi_row interrupted_row(const struct pe_frame *frame)
{
	const struct context_layout *layout = &context_layouts[frame->interrupted];
	const struct cfi_place *kept = &frame->state.frame_pointer;
	bool by_fp = frame->state.cfa.reg == frame->registers->fp;
	uint8_t saved = by_fp ? CFI_SAVED_FP : CFI_SAVED_SP;
	int32_t start = (int32_t)frame->state.cfa.offset;
	struct cfi_row row = {
		.cfa = by_fp ? CFI_CFA_DEREF_FP : CFI_CFA_DEREF_SP,
		.cfa_offset = start + layout->stack_pointer,
		.return_address = saved,
		.return_offset = start + layout->address,
		.frame_pointer = saved,
		.frame_pointer_offset = start + layout->frame_pointer,
		.is_signal_frame = true,
		.lacks_link_register = !layout->has_link_register,
	};
	if (layout->frame_pointer == KEPT) {
		row.frame_pointer = kept->saved == CFI_SAVED_SAME ? CFI_SAVED_SAME : saved;
		row.frame_pointer_offset = kept->saved == CFI_SAVED_SAME ? 0 : start + kept->offset;
	}
	return row;
}

struct cfi_row pe_frame_row(const struct pe_frame *frame)
{
	if (frame->is_unknown)
		return (struct cfi_row){.cfa = CFI_CFA_UNKNOWN};
	if (frame->interrupted != PE_CALLED)
		return interrupted_row(frame);
	return cfi_state_row(&frame->state, frame->registers);
}
