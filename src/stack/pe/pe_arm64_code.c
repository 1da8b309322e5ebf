// SPDX-License-Identifier: Apache-2.0

#include "stack/pe/pe_arm64_code.h"

#include "base/container/array.h"

// Unwind codes of Arm64, by Microsoft's "ARM64 exception handling", section "Unwind codes". A code
// has one to five bytes; the highest bits of the first byte tell which. `forms` has one row per
// code: how to recognize it, its length, what it does, and where register and offset are in its
// bits. Codes are big-endian numbers, unlike everything else in the file. save_any_reg does not
// fit into a row.
//
// save_next depends on the code before it in time, which is behind it in the file: resolve_next()
// goes backwards over the finished list. Only x29 and x30 matter to the unwinder, but all
// registers are decoded, as "next" counts from them.

enum {
	FRAME_POINTER = 29,
	LINK = 30,
	FLAG_PAIR = 1,
	FLAG_WITH_LINK = 2,
	FLAG_ALLOCATES = 4,
	FLAG_ONE_MORE = 8, // the offset is one unit more than it says
	FLAG_NOT_INTEGER = 16,
};

/** The first byte tells which; the number that all its bytes make has offset and register. */
struct form {
	uint8_t mask, first;
	uint8_t size, operation, flags;
	uint8_t offset_bits, unit;
	uint8_t register_bits, first_register, register_step;
};

enum {
	X = FLAG_ALLOCATES | FLAG_ONE_MORE,
	PAIR = FLAG_PAIR,
	LINKED = FLAG_PAIR | FLAG_WITH_LINK,
	FLOAT = FLAG_NOT_INTEGER,
};

// clang-format off
static const struct form forms[] = {
	{0xe0, 0x00, 1, PE_ARM64_ALLOCATE, 0, 5, 16, 0, 0, 0}, // alloc_s
	{0xe0, 0x20, 1, PE_ARM64_SAVE, PAIR | FLAG_ALLOCATES, 5, 8, 0, 19, 0}, // save_r19r20_x
	{0xc0, 0x40, 1, PE_ARM64_SAVE, PAIR, 6, 8, 0, FRAME_POINTER, 0}, // save_fplr
	{0xc0, 0x80, 1, PE_ARM64_SAVE, PAIR | X, 6, 8, 0, FRAME_POINTER, 0}, // save_fplr_x
	{0xf8, 0xc0, 2, PE_ARM64_ALLOCATE, 0, 11, 16, 0, 0, 0}, // alloc_m
	{0xfc, 0xc8, 2, PE_ARM64_SAVE, PAIR, 6, 8, 4, 19, 1}, // save_regp
	{0xfc, 0xcc, 2, PE_ARM64_SAVE, PAIR | X, 6, 8, 4, 19, 1}, // save_regp_x
	{0xfc, 0xd0, 2, PE_ARM64_SAVE, 0, 6, 8, 4, 19, 1}, // save_reg
	{0xfe, 0xd4, 2, PE_ARM64_SAVE, X, 5, 8, 4, 19, 1}, // save_reg_x
	{0xfe, 0xd6, 2, PE_ARM64_SAVE, LINKED, 6, 8, 3, 19, 2}, // save_lrpair
	{0xfe, 0xd8, 2, PE_ARM64_SAVE, FLOAT, 6, 8, 3, 8, 1}, // save_fregp
	{0xfe, 0xda, 2, PE_ARM64_SAVE, FLOAT | X, 6, 8, 3, 8, 1}, // save_fregp_x
	{0xfe, 0xdc, 2, PE_ARM64_SAVE, FLOAT, 6, 8, 3, 8, 1}, // save_freg
	{0xff, 0xde, 2, PE_ARM64_SAVE, FLOAT | X, 5, 8, 3, 8, 1}, // save_freg_x
	{0xff, 0xdf, 2, PE_ARM64_ALLOCATE_SCALED, 0, 8, 1, 0, 0, 0}, // alloc_z
	{0xff, 0xe0, 4, PE_ARM64_ALLOCATE, 0, 24, 16, 0, 0, 0}, // alloc_l
	{0xff, 0xe1, 1, PE_ARM64_SET_FRAME, 0, 0, 0, 0, 0, 0}, // set_fp
	{0xff, 0xe2, 2, PE_ARM64_SET_FRAME, 0, 8, 8, 0, 0, 0}, // add_fp
	{0xff, 0xe3, 1, PE_ARM64_NOTHING, 0, 0, 0, 0, 0, 0}, // nop
	{0xff, 0xe4, 1, PE_ARM64_END, 0, 0, 0, 0, 0, 0}, // end
	{0xff, 0xe5, 1, PE_ARM64_END_PART, 0, 0, 0, 0, 0, 0}, // end_c
	{0xff, 0xe6, 1, PE_ARM64_SAVE_NEXT, 0, 0, 0, 0, 0, 0}, // save_next
	{0xff, 0xe9, 1, PE_ARM64_MACHINE_FRAME, 0, 0, 0, 0, 0, 0}, // MSFT_OP_MACHINE_FRAME
	{0xff, 0xea, 1, PE_ARM64_CONTEXT, 0, 0, 0, 0, 0, 0}, // MSFT_OP_CONTEXT
	{0xff, 0xeb, 1, PE_ARM64_EC_CONTEXT, 0, 0, 0, 0, 0, 0}, // MSFT_OP_EC_CONTEXT
	// A sign for who looks for handlers of exceptions: the frame below was interrupted.
	{0xff, 0xec, 1, PE_ARM64_NOTHING, 0, 0, 0, 0, 0, 0}, // MSFT_OP_CLEAR_UNWOUND_TO_CALL
	{0xff, 0xfc, 1, PE_ARM64_SIGN_LINK, 0, 0, 0, 0, 0, 0}, // pac_sign_lr
};
// clang-format on

static const struct form *find_form(uint8_t first)
{
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if ((first & forms[i].mask) == forms[i].first)
			return &forms[i];
	return NULL;
}

static struct pe_arm64_code pe_arm64_code_decode(const struct form *form, uint32_t bits)
{
	uint32_t offset = bits & ((UINT32_C(1) << form->offset_bits) - 1);
	uint32_t number = bits >> form->offset_bits & ((UINT32_C(1) << form->register_bits) - 1);
	uint32_t reg = form->first_register + number * form->register_step;
	bool is_integer = form->operation == PE_ARM64_SAVE && !(form->flags & FLAG_NOT_INTEGER);
	struct pe_arm64_code code = {
		.operation = form->operation,
		.registers = {PE_ARM64_NO_REGISTER, PE_ARM64_NO_REGISTER},
		.allocates = form->flags & FLAG_ALLOCATES,
		.offset = (offset + !!(form->flags & FLAG_ONE_MORE)) * form->unit,
	};
	if (is_integer)
		code.registers[0] = (uint8_t)reg;
	if (is_integer && form->flags & FLAG_PAIR)
		code.registers[1] = form->flags & FLAG_WITH_LINK ? LINK : (uint8_t)(reg + 1);
	return code;
}

/** Any register or pair, at any place. */
static struct pe_arm64_code read_save_any(struct reader *reader)
{
	enum {
		RESERVED = 0x80,
		IS_PAIR = 0x40,
		ALLOCATES = 0x20,
		REGISTER = 0x1f,
		KIND_SHIFT = 6,
		KIND_INTEGER = 0,
		KIND_FLOAT = 2,
		KIND_SCALED = 3,
		OFFSET = 0x3f,
	};
	uint8_t what = reader_u8(reader);
	uint8_t where = reader_u8(reader);
	uint8_t kind = where >> KIND_SHIFT;
	struct pe_arm64_code code = {
		.operation = what & RESERVED ? PE_ARM64_UNKNOWN : PE_ARM64_SAVE,
		.registers = {PE_ARM64_NO_REGISTER, PE_ARM64_NO_REGISTER},
	};
	// Registers of SVE lie where the program has made room for them before.
	if (kind == KIND_SCALED)
		return code;
	bool is_wide = what & (IS_PAIR | ALLOCATES) || kind == KIND_FLOAT;
	code.allocates = what & ALLOCATES;
	code.offset = ((where & OFFSET) + code.allocates) * (is_wide ? 16U : 8U);
	if (kind == KIND_INTEGER)
		code.registers[0] = what & REGISTER;
	if (kind == KIND_INTEGER && what & IS_PAIR)
		code.registers[1] = (what & REGISTER) + 1;
	return code;
}

/** Of those that mean nothing yet the size is known. */
static struct pe_arm64_code read_unknown(struct reader *reader, uint8_t first)
{
	enum { FIRST_LONG = 0xf8, LAST_LONG = 0xfb };
	if (first >= FIRST_LONG && first <= LAST_LONG)
		reader_skip(reader, 1U + first - FIRST_LONG);
	return (struct pe_arm64_code){.operation = PE_ARM64_UNKNOWN};
}

static struct pe_arm64_code pe_arm64_code_read(struct reader *reader)
{
	enum { SAVE_ANY = 0xe7 };
	uint8_t first = reader_u8(reader);
	if (first == SAVE_ANY)
		return read_save_any(reader);
	const struct form *form = find_form(first);
	if (!form)
		return read_unknown(reader, first);
	uint32_t bits = first;
	for (uint8_t i = 1; i < form->size; i++)
		bits = bits << 8 | reader_u8(reader);
	return pe_arm64_code_decode(form, bits);
}

/** What "next" means, by the save that was done before it, which stands behind it. */
static void resolve_next(struct pe_arm64_codes *codes)
{
	enum { PAIR_SIZE = 16 };
	struct pe_arm64_code last = {.operation = PE_ARM64_UNKNOWN};
	for (size_t i = codes->num_items; i--;) {
		struct pe_arm64_code *code = &codes->items[i];
		if (code->operation == PE_ARM64_SAVE) {
			last = *code;
			last.offset = code->allocates ? 0 : code->offset;
			last.allocates = false;
		}
		if (code->operation != PE_ARM64_SAVE_NEXT)
			continue;
		last.offset += PAIR_SIZE;
		for (size_t side = 0; side < 2; side++)
			if (last.registers[side] < LINK)
				last.registers[side] += 2;
		*code = last;
	}
}

bool pe_arm64_codes_read(struct reader *reader, struct pe_arm64_codes *ret)
{
	bool is_own = true;
	ret->num_items = ret->num_own = 0;
	while (ret->num_items < PE_ARM64_MAX_CODES) {
		struct pe_arm64_code code = pe_arm64_code_read(reader);
		if (reader->failed)
			return false;
		if (code.operation == PE_ARM64_END) {
			resolve_next(ret);
			return true;
		}
		if (code.operation == PE_ARM64_END_PART) {
			is_own = false;
			continue;
		}
		ret->items[ret->num_items++] = code;
		ret->num_own += is_own;
	}
	return false;
}
