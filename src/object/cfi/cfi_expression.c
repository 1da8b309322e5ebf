// SPDX-License-Identifier: Apache-2.0

#include "object/cfi/cfi_expression.h"

#include <string.h>

// DWARF allows any program of a stack machine as a rule (DWARF 5, 2.5). A row of our tables has
// only a few forms, and a general interpreter would run on untrusted bytes at each frame. What
// tools write is a handful of patterns, so these are recognized once, when the table is built:
//
//   - the linker's PLT: sp + 8, and 8 more behind the push, which is found from the low bits of ip
//     (what GNU ld and lld write for x86-64, as one fixed sequence of operations);
//   - a dereferenced register plus offset: functions of gcc that realign the stack, signal frames;
//   - a register plus offset: where something is saved.
//
// Everything else becomes "unknown", and the unwind ends there with UNWIND_END_NO_RULE instead of
// guessing.

enum {
	OP_DEREF = 0x06, // DW_OP_*: DWARF 5, 7.7.1
	OP_AND = 0x1a,
	OP_PLUS = 0x22,
	OP_PLUS_UCONST = 0x23,
	OP_SHL = 0x24,
	OP_GE = 0x2a,
	OP_LIT0 = 0x30,
	OP_BREG0 = 0x70,
	OP_BREG31 = 0x8f,
	OP_BREGX = 0x92,
};

enum { PLT_MAX_THRESHOLD = 15 };

struct base_register {
	uint64_t reg;
	int64_t offset;
};

static struct base_register read_base_register(struct reader *bytes)
{
	struct base_register base = {0};
	uint8_t op = reader_u8(bytes);
	if (op == OP_BREGX)
		base.reg = reader_uleb128(bytes);
	else if (op >= OP_BREG0 && op <= OP_BREG31)
		base.reg = op - OP_BREG0;
	else
		bytes->failed = true;
	base.offset = reader_sleb128(bytes);
	return base;
}

// sp + 8, and 8 more behind the instruction that pushes the number of the slot.
static bool is_plt(struct reader bytes, const struct cfi_registers *registers,
		   uint8_t *ret_threshold)
{
	struct base_register sp = read_base_register(&bytes);
	struct base_register ip = read_base_register(&bytes);
	if (sp.reg != registers->sp || sp.offset != 8 || ip.reg != registers->ip || ip.offset)
		return false;
	// (ip & 15) >= threshold, times eight, is added to sp + 8. The threshold is where in a stub
	// of 16 bytes the push ends, and differs between kinds of PLT.
	enum { THRESHOLD_AT = 2 };
	static const uint8_t rest[] = {OP_LIT0 + 15, OP_AND, OP_LIT0, OP_GE,
				       OP_LIT0 + 3,  OP_SHL, OP_PLUS};
	if (reader_left(&bytes) != sizeof(rest))
		return false;
	uint8_t found[sizeof(rest)];
	memcpy(found, reader_bytes(&bytes, sizeof(rest)), sizeof(rest));
	uint8_t threshold = found[THRESHOLD_AT] - OP_LIT0;
	found[THRESHOLD_AT] = OP_LIT0;
	if (memcmp(found, rest, sizeof(rest)) != 0 || threshold > PLT_MAX_THRESHOLD)
		return false;
	*ret_threshold = threshold;
	return true;
}

/** What is added behind the dereference; hand-written code of libcrypto does. */
static int8_t read_addend(struct reader *bytes)
{
	if (!reader_left(bytes))
		return 0;
	if (reader_u8(bytes) != OP_PLUS_UCONST)
		bytes->failed = true;
	uint64_t addend = reader_uleb128(bytes);
	if (addend > INT8_MAX)
		bytes->failed = true;
	return (int8_t)addend;
}

struct cfi_frame_address cfi_expression_frame_address(struct reader bytes,
						      const struct cfi_registers *registers)
{
	struct cfi_frame_address unknown = {.is_expression = true, .form = CFI_CFA_UNKNOWN};
	uint8_t threshold;
	if (is_plt(bytes, registers, &threshold))
		return (struct cfi_frame_address){
			.is_expression = true, .form = CFI_CFA_PLT, .offset = threshold};

	struct base_register base = read_base_register(&bytes);
	if (bytes.failed)
		return unknown;
	if (!reader_left(&bytes))
		return (struct cfi_frame_address){.reg = base.reg, .offset = base.offset};
	if (reader_u8(&bytes) != OP_DEREF)
		return unknown;
	int8_t addend = read_addend(&bytes);
	if (bytes.failed || reader_left(&bytes))
		return unknown;
	enum cfi_cfa form = base.reg == registers->sp   ? CFI_CFA_DEREF_SP
			    : base.reg == registers->fp ? CFI_CFA_DEREF_FP
							: CFI_CFA_UNKNOWN;
	return (struct cfi_frame_address){
		.is_expression = true,
		.form = form,
		.addend = addend,
		.offset = base.offset,
	};
}

struct cfi_place cfi_expression_place(struct reader bytes, const struct cfi_registers *registers)
{
	struct cfi_place unknown = {.is_unknown = true};
	struct base_register base = read_base_register(&bytes);
	bool is_followed = base.reg == registers->sp || base.reg == registers->fp;
	bool fits = base.offset >= INT32_MIN && base.offset <= INT32_MAX;
	if (bytes.failed || reader_left(&bytes) || !is_followed || !fits)
		return unknown;
	return (struct cfi_place){
		.saved = base.reg == registers->sp ? CFI_SAVED_SP : CFI_SAVED_FP,
		.offset = (int32_t)base.offset,
	};
}
