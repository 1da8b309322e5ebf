/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_STACK_PE_PE_ARM64_CODE_H
#define WPERF_STACK_PE_PE_ARM64_CODE_H

/**
 * The codes that say what the instructions of the beginning or the end of an Arm64 function do: one
 * to five bytes each, in the order in which they are taken back.
 */

#include "base/reader.h"

#include <stdbool.h>
#include <stdint.h>

enum pe_arm64_operation {
	PE_ARM64_NOTHING, /* that moves the stack, or saves what a walk follows */
	PE_ARM64_ALLOCATE,
	PE_ARM64_ALLOCATE_SCALED, /* by the size of SVE's registers */
	PE_ARM64_SAVE,
	PE_ARM64_SAVE_NEXT, /* the pair of registers behind those that were saved before it */
	PE_ARM64_SET_FRAME, /* the frame pointer, @offset above the stack pointer */
	PE_ARM64_SIGN_LINK,
	PE_ARM64_MACHINE_FRAME,
	PE_ARM64_CONTEXT,
	PE_ARM64_EC_CONTEXT,
	PE_ARM64_END,
	PE_ARM64_END_PART, /* what follows is of another part of the function */
	PE_ARM64_UNKNOWN,
};

enum { PE_ARM64_NO_REGISTER = 255 };

struct pe_arm64_code {
	uint8_t operation;    /* enum pe_arm64_operation */
	uint8_t registers[2]; /* of SAVE; PE_ARM64_NO_REGISTER: none that a walk knows */
	bool allocates; /* SAVE: the stack pointer goes down by @offset first, and it saves there */
	uint32_t offset; /* bytes; ALLOCATE: how many */
};

enum { PE_ARM64_MAX_CODES = 255 * 4 };

/** Codes in the order of the file: what was done last comes first. */
struct pe_arm64_codes {
	struct pe_arm64_code items[PE_ARM64_MAX_CODES];
	size_t num_items;
	size_t num_own; /* that the part of the function itself has; the others come before it */
};

/** All codes from the reader's place on. False without an end of them. */
bool pe_arm64_codes_read(struct reader *reader, struct pe_arm64_codes *ret);

#endif
