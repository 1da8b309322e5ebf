/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_STACK_PE_PE_FRAME_H
#define WPERF_STACK_PE_PE_FRAME_H

/**
 * Where things are in the frame of a function of a Windows image, while the instructions of its
 * beginning are gone through one by one.
 */

#include "object/cfi/cfi_state.h"

/** What a frame that was not called, but interrupted somebody, has where it begins. */
enum pe_interrupted {
	PE_CALLED,
	PE_INTERRUPTED_X64,           /* x64: where it goes on, and behind that the stack pointer */
	PE_INTERRUPTED_X64_ERROR,     /* the same above the code of an error */
	PE_INTERRUPTED_MACHINE_FRAME, /* Arm64: the stack pointer, and where it goes on */
	PE_INTERRUPTED_CONTEXT,       /* all registers of Arm64 */
	PE_INTERRUPTED_EC_CONTEXT,    /* all registers of Arm64, as x64 lays them out */
};

struct pe_frame {
	const struct cfi_registers *registers;
	struct cfi_state state;
	uint32_t size; /* from the stack pointer up to the frame address */
	enum pe_interrupted interrupted;
	bool is_unknown;
};

/** As right after the call. */
struct pe_frame pe_frame_create(enum cfi_machine machine);

void pe_frame_grow(struct pe_frame *frame, uint32_t bytes);

/** Of the caller's. @above_sp: how far above the stack pointer that is. */
void pe_frame_save_frame_pointer(struct pe_frame *frame, int64_t above_sp);
void pe_frame_save_return_address(struct pe_frame *frame, int64_t above_sp);

/** From now on the frame pointer, @above the stack pointer, says where the frame is. */
void pe_frame_set_frame_pointer(struct pe_frame *frame, uint32_t above);

/** Without an address. */
struct cfi_row pe_frame_row(const struct pe_frame *frame);

#endif
