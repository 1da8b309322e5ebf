// SPDX-License-Identifier: Apache-2.0

#include "session/setup/code_jumps.h"

#include <stddef.h>

// "JMP rel8" and "JMP rel32" of the Intel manual, volume 2; "B" of the Arm architecture's manual.
// Distances are counted from the end of the jump on x86-64, from its beginning on AArch64.

enum {
	JUMP_SHORT = 0xeb,
	JUMP_NEAR = 0xe9,
	SHORT_BYTES = 2,
	NEAR_BYTES = 5,
	WORD_BYTES = 4,
	BRANCH_BITS = 26,
};

static const uint32_t branch_mask = 0xfc000000, branch = 0x14000000;

static uint32_t code_jumps_word(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

static bool code_jumps_x86_64_to(const uint8_t *bytes, size_t left, uint64_t address,
				 uint64_t target)
{
	if (left >= SHORT_BYTES && bytes[0] == JUMP_SHORT)
		return address + SHORT_BYTES + (uint64_t)(int8_t)bytes[1] == target;
	if (left < NEAR_BYTES || bytes[0] != JUMP_NEAR)
		return false;
	int32_t distance = (int32_t)code_jumps_word(bytes + 1);
	return address + NEAR_BYTES + (uint64_t)distance == target;
}

static bool code_jumps_aarch64_to(const uint8_t *bytes, size_t left, uint64_t address,
				  uint64_t target)
{
	uint32_t word = left < WORD_BYTES ? 0 : code_jumps_word(bytes);
	if ((word & branch_mask) != branch)
		return false;
	uint32_t field = word & ~branch_mask;
	uint64_t distance = field;
	if (field >> (BRANCH_BITS - 1))
		distance -= UINT64_C(1) << BRANCH_BITS;
	return address + distance * WORD_BYTES == target;
}

bool code_jumps_to(const struct object_bytes *code, enum object_machine machine, uint64_t target)
{
	bool is_arm = machine == OBJECT_MACHINE_AARCH64;
	if (!is_arm && machine != OBJECT_MACHINE_X86_64)
		return false;
	if (target >= code->address && target - code->address < code->size)
		return false;
	for (size_t i = 0; i < code->size; i += is_arm ? WORD_BYTES : 1) {
		const uint8_t *bytes = code->data + i;
		size_t left = code->size - i;
		if (is_arm ? code_jumps_aarch64_to(bytes, left, code->address + i, target)
			   : code_jumps_x86_64_to(bytes, left, code->address + i, target))
			return true;
	}
	return false;
}
