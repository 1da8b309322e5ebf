/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_STACK_PE_PE_X64_END_H
#define WPERF_STACK_PE_PE_X64_END_H

/**
 * Where functions for x64 end. Their table does not say it, but only a few instructions may stand
 * there: the frame is given back at once, registers are taken from the stack in the reverse order
 * of their pushes, and the function returns or goes on in another one.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PE_X64_MAX_PUSHED = 255 };

/** What an end must look like. */
struct pe_x64_end {
	uint8_t pops[2 * PE_X64_MAX_PUSHED];
	size_t pops_size;
	uint32_t allocated; /* bytes, besides what was pushed */
	bool has_frame_pointer;
};

/** @pushed: numbers of registers, in the order of their pushes. */
void pe_x64_end_init(struct pe_x64_end *end, const uint8_t *pushed, size_t num_pushed);

/**
 * The next end in the code of a function.
 * @place: where to look from; set to the first pop, or what returns if there are none.
 * @ret_behind: what is behind its last instruction.
 */
bool pe_x64_end_next(const struct pe_x64_end *end, const uint8_t *code, size_t size, size_t *place,
		     size_t *ret_behind);

#endif
