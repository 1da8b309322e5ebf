// SPDX-License-Identifier: Apache-2.0

#include "stack/native_unwind.h"

#include "base/byte_order.h"

// One step of the loop in native_unwind() goes from a frame to its caller: find the module of the
// address (enter_module()), the row of its table (native_unwind_find_row()), then compute the frame
// address (CFA), from it the return address and the caller's frame pointer, and the CFA becomes the
// caller's stack pointer. This is the procedure of DWARF 5, 6.4.3, with only the registers that
// rows have.
//
// Memory is the copied stack that came with the sample, and beyond it what
// native_unwind_read_rest() can get. A register may be unknown after a frame (is_fp_known,
// is_lr_known): it is then not used, rather than taken with a stale value.
//
// Special cases, each for code without usable rows: an AArch64 signal trampoline
// (arm64_signal_row), linker stubs without a frame (is_in_stub()), a call of a wrong address
// (step_from_entry()), and modules without a table, where the chain of frame pointers is followed.
// Return addresses that are signed by pointer authentication (Arm ARM, FEAT_PAuth) have the
// signature in their high bits; enter_module() tries the address as it is, then with 52 and 48
// bits.
//
// A damaged stack cannot make a loop: the stack pointer must rise, except over a frame with its
// return address in a register (check_upwards()), and the number of frames is bounded.

enum { SLOT_SIZE = 8, STACK_ALIGNMENT = 16 };

struct walk {
	const struct unwind_space *space;
	const struct stack_copy *stack;
	struct unwind_regs regs; /* of the frame that the walk is in */
	bool is_fp_known, is_lr_known;
	bool is_return_address;      /* the frame's ip */
	struct unwind_module module; /* of the frame's ip */
};

/** What one step found out of the caller. */
struct caller {
	struct unwind_regs regs;
	bool is_fp_known, is_lr_known;
	bool is_interrupted; /* by a signal: its ip is no return address */
};

// A step that found a caller; none of the reasons to end.
static const enum unwind_end STEPPED = UNWIND_NUM_ENDS;

static bool native_unwind_read_rest(const struct walk *walk, uint64_t address, uint64_t *ret)
{
	const struct unwind_space *space = walk->space;
	return space->read_rest && space->read_rest(space->context, walk->regs.sp, address, ret);
}

static bool read_slot(const struct walk *walk, uint64_t address, uint64_t *ret)
{
	const struct stack_copy *stack = walk->stack;
	uint64_t offset = address - stack->address;
	if (address < stack->address)
		return false;
	if (offset > stack->size || stack->size - offset < SLOT_SIZE)
		return native_unwind_read_rest(walk, address, ret);
	*ret = byte_order_load64(stack->bytes + offset, false);
	return true;
}

/** The rows of AArch64's vdso say nothing of its trampoline; this is the kernel's signal frame. */
static const struct cfi_row arm64_signal_row = {
	.cfa = CFI_CFA_DEREF_SP,
	.cfa_offset = 560,
	.return_address = CFI_SAVED_SP,
	.return_offset = 568,
	.frame_pointer = CFI_SAVED_SP,
	.frame_pointer_offset = 544,
	.is_signal_frame = true,
};

/** NULL: no rule. A return address belongs to the call before it. */
static const struct cfi_row *native_unwind_find_row(const struct walk *walk)
{
	const struct cfi_table *table = walk->module.table;
	uint64_t address = walk->regs.ip - walk->is_return_address - walk->module.bias;
	const struct cfi_row *row = table ? cfi_table_find(table, address) : NULL;
	if (row && row->cfa != CFI_CFA_GAP)
		return row;
	bool has_trampoline = walk->module.is_vdso && walk->space->machine == CFI_AARCH64;
	return has_trampoline ? &arm64_signal_row : NULL;
}

static enum unwind_end native_unwind_frame_address(const struct walk *walk,
						   const struct cfi_row *row, uint64_t *ret)
{
	const struct unwind_regs *regs = &walk->regs;
	if (row->cfa == CFI_CFA_UNKNOWN)
		return UNWIND_END_NO_RULE;
	bool needs_fp = row->cfa == CFI_CFA_FP || row->cfa == CFI_CFA_DEREF_FP;
	if (needs_fp && !walk->is_fp_known)
		return UNWIND_END_NO_RULE;
	uint64_t address = (needs_fp ? regs->fp : regs->sp) + (uint64_t)(int64_t)row->cfa_offset;
	switch (row->cfa) {
	case CFI_CFA_PLT:
		*ret = regs->sp + ((regs->ip & 15) >= (uint64_t)row->cfa_offset ? 16 : 8);
		return STEPPED;
	case CFI_CFA_DEREF_SP:
	case CFI_CFA_DEREF_FP:
		if (!read_slot(walk, address, ret))
			return UNWIND_END_STACK;
		*ret += (uint64_t)(int64_t)row->cfa_addend;
		return STEPPED;
	}
	*ret = address;
	return STEPPED;
}

/** Where a register of the caller is saved. */
static uint64_t saved_address(const struct walk *walk, uint64_t cfa, uint8_t saved, int32_t offset)
{
	uint64_t base = saved == CFI_SAVED_SP ? walk->regs.sp : walk->regs.fp;
	if (saved == CFI_SAVED_CFA)
		base = cfa;
	return base + (uint64_t)(int64_t)offset;
}

static void restore_frame_pointer(const struct walk *walk, const struct cfi_row *row, uint64_t cfa,
				  struct caller *caller)
{
	caller->regs.fp = walk->regs.fp;
	caller->is_fp_known = walk->is_fp_known && row->frame_pointer != CFI_SAVED_UNDEFINED;
	bool is_lost = row->frame_pointer == CFI_SAVED_UNDEFINED ||
		       (row->frame_pointer == CFI_SAVED_FP && !walk->is_fp_known);
	if (row->frame_pointer == CFI_SAVED_SAME || is_lost)
		return;
	uint64_t address = saved_address(walk, cfa, row->frame_pointer, row->frame_pointer_offset);
	// A function that ends has taken its registers from the stack, and its rules do not say so.
	if (address >= walk->regs.sp)
		caller->is_fp_known = read_slot(walk, address, &caller->regs.fp);
}

static enum unwind_end restore_return_address(const struct walk *walk, const struct cfi_row *row,
					      uint64_t cfa, struct caller *caller)
{
	bool is_arm = walk->space->machine == CFI_AARCH64;
	if (row->return_address == CFI_SAVED_SAME) {
		caller->regs.ip = walk->regs.lr;
		return is_arm && walk->is_lr_known ? STEPPED : UNWIND_END_NO_RULE;
	}
	if (row->return_address == CFI_SAVED_FP && !walk->is_fp_known)
		return UNWIND_END_NO_RULE;
	uint64_t address = saved_address(walk, cfa, row->return_address, row->return_offset);
	if (!read_slot(walk, address, &caller->regs.ip))
		return UNWIND_END_STACK;
	// The kernel's frame has x30, sp and pc behind each other.
	if (is_arm && row->is_signal_frame && !row->lacks_link_register)
		caller->is_lr_known = read_slot(walk, address - 2 * SLOT_SIZE, &caller->regs.lr);
	return STEPPED;
}

/** Only a leaf that keeps its return address in a register may have an empty frame. */
static enum unwind_end check_upwards(const struct walk *walk, const struct cfi_row *row,
				     uint64_t cfa)
{
	uint64_t least = walk->regs.sp + (row->return_address != CFI_SAVED_SAME);
	if (cfa >= least)
		return STEPPED;
	// A handler on a stack of its own goes back to another one.
	bool is_elsewhere = row->is_signal_frame && cfa < walk->stack->address;
	return is_elsewhere ? UNWIND_END_STACK : UNWIND_END_LOOP;
}

/**
 * The resolver of glibc on AArch64 has its return address above what it calls its frame, as the
 * stub that jumped to it pushed that: the caller's stack is above it.
 */
static uint64_t caller_stack_pointer(const struct cfi_row *row, uint64_t cfa)
{
	bool is_above = row->return_address == CFI_SAVED_CFA && row->return_offset >= 0;
	if (!is_above || row->is_signal_frame)
		return cfa;
	uint64_t end = cfa + (uint64_t)row->return_offset + SLOT_SIZE;
	return (end + STACK_ALIGNMENT - 1) & ~(uint64_t)(STACK_ALIGNMENT - 1);
}

static enum unwind_end step_by_row(const struct walk *walk, const struct cfi_row *row,
				   struct caller *caller)
{
	if (row->return_address == CFI_SAVED_UNDEFINED)
		return UNWIND_END_OUTERMOST;
	uint64_t cfa;
	enum unwind_end end = native_unwind_frame_address(walk, row, &cfa);
	if (end == STEPPED)
		end = restore_return_address(walk, row, cfa, caller);
	if (end == STEPPED)
		end = check_upwards(walk, row, cfa);
	if (end != STEPPED)
		return end;
	restore_frame_pointer(walk, row, cfa, caller);
	caller->regs.sp = caller_stack_pointer(row, cfa);
	caller->is_interrupted = row->is_signal_frame;
	return STEPPED;
}

/** Both machines lay out the pair alike: the caller's frame pointer, then the return address. */
static enum unwind_end step_by_frame_pointer(const struct walk *walk, struct caller *caller)
{
	uint64_t fp = walk->regs.fp;
	if (walk->is_fp_known && fp == 0 && !walk->module.table)
		return UNWIND_END_OUTERMOST;
	if (!walk->is_fp_known || fp < walk->regs.sp || fp % SLOT_SIZE)
		return UNWIND_END_NO_RULE;
	if (!read_slot(walk, fp, &caller->regs.fp) ||
	    !read_slot(walk, fp + SLOT_SIZE, &caller->regs.ip))
		return UNWIND_END_STACK;
	caller->is_fp_known = true;
	caller->regs.sp = fp + 2 * SLOT_SIZE;
	return STEPPED;
}

/** A frame that has not begun: its caller is as right after the call. */
static enum unwind_end step_from_entry(const struct walk *walk, struct caller *caller)
{
	caller->regs = walk->regs;
	caller->is_fp_known = walk->is_fp_known;
	if (walk->space->machine == CFI_AARCH64) {
		caller->regs.ip = walk->regs.lr;
		return STEPPED;
	}
	caller->regs.sp += SLOT_SIZE;
	return read_slot(walk, walk->regs.sp, &caller->regs.ip) ? STEPPED : UNWIND_END_STACK;
}

/**
 * AArch64: what has no row in a module that has a table is mostly the linker's stubs, which have no
 * frame yet. In the middle of other code this at worst names the function twice.
 */
static bool is_in_stub(const struct walk *walk)
{
	return walk->space->machine == CFI_AARCH64 && walk->module.table && walk->is_lr_known &&
	       walk->regs.lr;
}

/** The module of the walk's frame. Takes the signature out of a signed return address. */
static bool enter_module(struct walk *walk)
{
	// Where the signature begins depends on how wide addresses are.
	static const uint64_t address_masks[] = {UINT64_MAX, (UINT64_C(1) << 52) - 1,
						 (UINT64_C(1) << 48) - 1};
	const struct unwind_space *space = walk->space;
	size_t num_masks = space->machine == CFI_AARCH64 ? 3 : 1;
	uint64_t ip = walk->regs.ip;
	for (size_t i = 0; i < num_masks; i++) {
		walk->regs.ip = ip & address_masks[i];
		if (i && walk->regs.ip == ip)
			continue;
		if (space->find_module(space->context, walk->regs.ip - walk->is_return_address,
				       &walk->module))
			return true;
	}
	walk->regs.ip = ip;
	return false;
}

/** To the caller of a frame. @row: NULL where there is none. */
static enum unwind_end native_unwind_step(struct walk *walk, const struct cfi_row *row,
					  bool is_somewhere)
{
	struct caller caller = {0};
	enum unwind_end end;
	// Nowhere is where a call of a wrong address leads.
	if (!is_somewhere || (!row && is_in_stub(walk)))
		end = step_from_entry(walk, &caller);
	else if (row)
		end = step_by_row(walk, row, &caller);
	else
		end = step_by_frame_pointer(walk, &caller);
	if (end != STEPPED)
		return end;
	walk->regs = caller.regs;
	walk->is_fp_known = caller.is_fp_known;
	walk->is_lr_known = caller.is_lr_known;
	walk->is_return_address = !caller.is_interrupted;
	return caller.regs.ip ? STEPPED : UNWIND_END_OUTERMOST;
}

enum unwind_end native_unwind(const struct unwind_space *space, const struct unwind_regs *regs,
			      const struct stack_copy *stack, uint64_t *frames,
			      bool *is_return_address, uint64_t *stack_pointers, size_t max_frames,
			      size_t *ret_num)
{
	struct walk walk = {
		.space = space,
		.stack = stack,
		.regs = *regs,
		.is_fp_known = true,
		.is_lr_known = true,
	};
	for (size_t num = 0;; num++) {
		*ret_num = num;
		bool is_somewhere = enter_module(&walk);
		if (!is_somewhere && num)
			return UNWIND_END_NO_CODE;
		if (num == max_frames)
			return UNWIND_END_NO_ROOM;
		const struct cfi_row *row = is_somewhere ? native_unwind_find_row(&walk) : NULL;
		frames[num] = walk.regs.ip;
		if (stack_pointers)
			stack_pointers[num] = walk.regs.sp;
		is_return_address[num] = walk.is_return_address && !(row && row->is_signal_frame);
		enum unwind_end end = native_unwind_step(&walk, row, is_somewhere);
		if (end == STEPPED)
			continue;
		*ret_num = num + 1;
		return end;
	}
}
