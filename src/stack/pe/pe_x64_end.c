// SPDX-License-Identifier: Apache-2.0

#include "stack/pe/pe_x64_end.h"

#include "base/byte_order.h"

#include <string.h>

// The unwind data of x64 does not say where epilogues are; Windows decodes the instructions at the
// current address instead, which is possible because their form is prescribed (Microsoft's "x64
// prolog and epilog": add or lea to restore rsp, pops, then ret or a jump). Rows need all
// epilogues before any sample, so this file searches the code of the function for them.
//
// A candidate is the exact sequence of pops that the prologue's pushes require, followed by
// something that leaves the function (return_size()). memchr() for the first pop makes the search
// fast. Bytes in the middle of another instruction may look alike; so the frame must also be
// released right before (is_frame_gone()), except at the very end of the function. Encodings are
// from the Intel SDM, volume 2.

enum {
	POP = 0x58,
	PREFIX_B = 0x41, // for registers from 8 on
	FIRST_WITH_PREFIX = 8,
	PREFIX_W = 0x48, // 64 bits; with the bit of PREFIX_B for the other registers
	BYTE_FORM = 4,   // sizes of an instruction with a number of 8 and of 32 bits
	LONG_FORM = 7,
};

void pe_x64_end_init(struct pe_x64_end *end, const uint8_t *pushed, size_t num_pushed)
{
	end->pops_size = 0;
	for (size_t i = num_pushed; i; i--) {
		uint8_t reg = pushed[i - 1];
		if (reg >= FIRST_WITH_PREFIX)
			end->pops[end->pops_size++] = PREFIX_B;
		end->pops[end->pops_size++] = (uint8_t)(POP + reg % FIRST_WITH_PREFIX);
	}
}

static bool pe_x64_end_leaves(size_t behind, int64_t distance, size_t size)
{
	int64_t target = (int64_t)behind + distance;
	return target < 0 || target >= (int64_t)size;
}

/** A jump to a place in memory or in a register: into another function, if the frame is gone. */
static size_t indirect_size(const uint8_t *code, size_t left)
{
	enum { JUMP = 0xff, BY_ADDRESS = 0x25, FIRST_REGISTER = 0xe0, LAST_REGISTER = 0xe7 };
	size_t prefix = left && (code[0] & 0xf0) == 0x40;
	if (left < prefix + 2 || code[prefix] != JUMP)
		return 0;
	uint8_t operand = code[prefix + 1];
	if (operand == BY_ADDRESS)
		return prefix + 6 <= left ? prefix + 6 : 0;
	return operand >= FIRST_REGISTER && operand <= LAST_REGISTER ? prefix + 2 : 0;
}

/** The size of the instruction that leaves the function for good; 0: it is none. */
static size_t return_size(const uint8_t *code, size_t size, size_t place)
{
	enum { RETURN = 0xc3, RETURN_AND_POP = 0xc2, REPEAT = 0xf3, NEAR = 0xeb, FAR = 0xe9 };
	const uint8_t *at = code + place;
	size_t left = size - place;
	if (left >= 1 && at[0] == RETURN)
		return 1;
	if (left >= 2 && at[0] == REPEAT && at[1] == RETURN)
		return 2;
	if (left >= 3 && at[0] == RETURN_AND_POP)
		return 3;
	if (left >= 2 && at[0] == NEAR)
		return pe_x64_end_leaves(place + 2, (int8_t)at[1], size) ? 2 : 0;
	if (left >= 5 && at[0] == FAR)
		return pe_x64_end_leaves(place + 5, (int32_t)byte_order_load32(at + 1, false), size)
			       ? 5
			       : 0;
	return indirect_size(at, left);
}

/** "add rsp, N": all of the frame. */
static bool adds_frame(const struct pe_x64_end *end, const uint8_t *code, size_t place)
{
	enum { ADD_BYTE = 0x83, ADD_LONG = 0x81, TO_RSP = 0xc4 };
	const uint8_t *at = code + place;
	if (place >= BYTE_FORM && at[-4] == PREFIX_W && at[-3] == ADD_BYTE && at[-2] == TO_RSP)
		return at[-1] == end->allocated;
	return place >= LONG_FORM && at[-7] == PREFIX_W && at[-6] == ADD_LONG && at[-5] == TO_RSP &&
	       byte_order_load32(at - 4, false) == end->allocated;
}

/** "lea rsp, [rbp + N]", of any register. */
static bool takes_frame_pointer(const uint8_t *code, size_t place)
{
	enum { LOAD_ADDRESS = 0x8d, KIND_MASK = 0xf8, BYTE_AWAY = 0x60, LONG_AWAY = 0xa0 };
	const uint8_t *at = code + place;
	if (place >= BYTE_FORM && (at[-4] | 1) == (PREFIX_W | 1) && at[-3] == LOAD_ADDRESS &&
	    (at[-2] & KIND_MASK) == BYTE_AWAY)
		return true;
	return place >= LONG_FORM && (at[-7] | 1) == (PREFIX_W | 1) && at[-6] == LOAD_ADDRESS &&
	       (at[-5] & KIND_MASK) == LONG_AWAY;
}

static bool is_frame_gone(const struct pe_x64_end *end, const uint8_t *code, size_t place)
{
	if (end->has_frame_pointer && takes_frame_pointer(code, place))
		return true;
	return end->allocated ? adds_frame(end, code, place) : end->pops_size;
}

bool pe_x64_end_next(const struct pe_x64_end *end, const uint8_t *code, size_t size, size_t *place,
		     size_t *ret_behind)
{
	for (size_t at = *place; at + end->pops_size < size; at++) {
		const uint8_t *first =
			end->pops_size ? memchr(code + at, end->pops[0], size - at) : code + at;
		if (!first)
			return false;
		at = (size_t)(first - code);
		if (at + end->pops_size >= size || memcmp(first, end->pops, end->pops_size) != 0)
			continue;
		size_t last = at + end->pops_size;
		size_t length = return_size(code, size, last);
		// What stands at the end of a function is one, whatever is before it.
		bool is_last = length && last + length == size;
		if (!length || !(is_last || is_frame_gone(end, code, at)))
			continue;
		*place = at;
		*ret_behind = last + length;
		return true;
	}
	return false;
}
