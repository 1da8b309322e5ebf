// SPDX-License-Identifier: Apache-2.0

#include "stack/pe/pe_arm64_packed.h"

// Most Arm64 functions have no record: the second word of their .pdata entry describes a canonical
// prologue (Microsoft's "ARM64 exception handling", "Packed unwind data"). The fields:
// FunctionLength (11 bits from bit 2), RegF (3 from 13), RegI (4 from 16), H (bit 20), CR (2 from
// 21) and FrameSize (9 from 23, in units of 16 bytes).
//
// lay_out() writes the prologue that the document prescribes as a list of unwind codes, in the
// order of its instructions; pe_arm64_unwind.c then treats both kinds of functions alike. The list
// must have one code per instruction, also for those that save nothing we follow, because rows are
// placed by counting instructions. read_layout() refuses combinations that the document excludes:
// they would give wrong rows silently.

enum {
	SLOT = 8,
	PAIR_SIZE = 2 * SLOT,
	INSTRUCTION = 4,
	FIRST_INTEGER = 19,
	MAX_INTEGERS = 10,
	FRAME_POINTER = 29,
	LINK = 30,
	NUM_ARGUMENT_PAIRS = 4, // x0 to x7
	KIND_FRAGMENT = 2,      // Flag
	CHAIN_NONE = 0,         // CR
	CHAIN_LINK = 1,         // the return address is saved
	CHAIN_SIGNED = 2,       // it is signed, and saved with the frame pointer
	CHAIN_FRAME = 3,
};

/** What the word says, in bytes and numbers of registers. */
struct layout {
	uint32_t num_integers, num_floats;
	bool saves_arguments;
	uint32_t chain;
	uint32_t integers_size, saved_size, locals_size;
};

static uint32_t bits_of(uint32_t word, unsigned int first, unsigned int count)
{
	return word >> first & ((UINT32_C(1) << count) - 1);
}

static bool read_layout(uint32_t word, struct layout *ret)
{
	enum { FRAME_UNIT = 16 };
	uint32_t floats = bits_of(word, 13, 3);
	struct layout layout = {
		.num_integers = bits_of(word, 16, 4),
		.num_floats = floats ? floats + 1 : 0,
		.saves_arguments = bits_of(word, 20, 1),
		.chain = bits_of(word, 21, 2),
	};
	uint32_t frame_size = bits_of(word, 23, 9) * FRAME_UNIT;
	layout.integers_size = (layout.num_integers + (layout.chain == CHAIN_LINK)) * SLOT;
	uint32_t size = layout.integers_size + layout.num_floats * SLOT +
			layout.saves_arguments * NUM_ARGUMENT_PAIRS * PAIR_SIZE;
	layout.saved_size = (size + PAIR_SIZE - 1) / PAIR_SIZE * PAIR_SIZE;
	// No instruction saves x19 and x30 and makes the room for them, too.
	bool is_possible = !(layout.num_integers == 1 && layout.chain == CHAIN_LINK);
	if (layout.num_integers > MAX_INTEGERS || layout.saved_size > frame_size || !is_possible)
		return false;
	layout.locals_size = frame_size - layout.saved_size;
	*ret = layout;
	return true;
}

static void pe_arm64_packed_add(struct pe_arm64_codes *codes, struct pe_arm64_code code)
{
	codes->items[codes->num_items++] = code;
}

static void add_operation(struct pe_arm64_codes *codes, enum pe_arm64_operation operation,
			  uint32_t offset)
{
	pe_arm64_packed_add(codes,
			    (struct pe_arm64_code){.operation = operation, .offset = offset});
}

/** The first instruction that saves makes the room for all. */
static void add_save(struct pe_arm64_codes *codes, const struct layout *layout, uint8_t first,
		     uint8_t second, uint32_t offset)
{
	pe_arm64_packed_add(codes, (struct pe_arm64_code){
					   .operation = PE_ARM64_SAVE,
					   .registers = {first, second},
					   .allocates = !offset,
					   .offset = offset ? offset : layout->saved_size,
				   });
}

static void add_integers(struct pe_arm64_codes *codes, const struct layout *layout)
{
	bool saves_link = layout->chain == CHAIN_LINK;
	for (uint32_t i = 0; i < layout->num_integers; i += 2) {
		uint8_t reg = (uint8_t)(FIRST_INTEGER + i);
		uint8_t second = (uint8_t)(reg + 1);
		if (i + 1 == layout->num_integers)
			second = saves_link ? LINK : PE_ARM64_NO_REGISTER;
		add_save(codes, layout, reg, second, i * SLOT);
	}
	if (saves_link && layout->num_integers % 2 == 0)
		add_save(codes, layout, LINK, PE_ARM64_NO_REGISTER, layout->num_integers * SLOT);
}

/** What a walk does not follow. */
static void add_others(struct pe_arm64_codes *codes, const struct layout *layout, uint32_t num,
		       uint32_t offset)
{
	for (uint32_t i = 0; i < num; i++)
		add_save(codes, layout, PE_ARM64_NO_REGISTER, PE_ARM64_NO_REGISTER,
			 offset + i * PAIR_SIZE);
}

static void pe_arm64_packed_add_locals(struct pe_arm64_codes *codes, const struct layout *layout)
{
	enum { MAX_PAIR_OFFSET = 512, MAX_IMMEDIATE = 4080 };
	uint32_t size = layout->locals_size;
	bool is_chained = layout->chain >= CHAIN_SIGNED;
	bool in_one = is_chained && size <= MAX_PAIR_OFFSET;
	if (size > MAX_IMMEDIATE) {
		add_operation(codes, PE_ARM64_ALLOCATE, MAX_IMMEDIATE);
		size -= MAX_IMMEDIATE;
	}
	if (size && !in_one)
		add_operation(codes, PE_ARM64_ALLOCATE, size);
	if (!is_chained)
		return;
	pe_arm64_packed_add(codes, (struct pe_arm64_code){
					   .operation = PE_ARM64_SAVE,
					   .registers = {FRAME_POINTER, LINK},
					   .allocates = in_one,
					   .offset = in_one ? size : 0,
				   });
	add_operation(codes, PE_ARM64_SET_FRAME, 0);
}

static void pe_arm64_packed_reverse(struct pe_arm64_codes *codes)
{
	for (size_t i = 0, j = codes->num_items; i + 1 < j; i++) {
		struct pe_arm64_code code = codes->items[i];
		codes->items[i] = codes->items[--j];
		codes->items[j] = code;
	}
	codes->num_own = codes->num_items;
}

/** In the order of instructions, and turned round at last. Arguments are not taken back. */
static void lay_out(const struct layout *layout, bool is_end, struct pe_arm64_codes *ret)
{
	ret->num_items = 0;
	if (layout->chain == CHAIN_SIGNED)
		add_operation(ret, PE_ARM64_SIGN_LINK, 0);
	add_integers(ret, layout);
	uint32_t num_pairs = (layout->num_floats + 1) / 2;
	add_others(ret, layout, num_pairs, layout->integers_size);
	uint32_t others_size = layout->integers_size + layout->num_floats * SLOT;
	uint32_t num_arguments = is_end ? !others_size : NUM_ARGUMENT_PAIRS;
	if (layout->saves_arguments)
		add_others(ret, layout, num_arguments, others_size);
	pe_arm64_packed_add_locals(ret, layout);
	pe_arm64_packed_reverse(ret);
}

bool pe_arm64_packed_read(uint32_t word, struct pe_arm64_packed *ret)
{
	struct layout layout;
	ret->length = bits_of(word, 2, 11) * INSTRUCTION;
	ret->is_fragment = bits_of(word, 0, 2) == KIND_FRAGMENT;
	if (!read_layout(word, &layout))
		return false;
	lay_out(&layout, false, &ret->beginning);
	lay_out(&layout, true, &ret->end);
	return true;
}
