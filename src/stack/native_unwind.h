/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_STACK_NATIVE_UNWIND_H
#define WPERF_STACK_NATIVE_UNWIND_H

/**
 * One sample's user stack from its registers and a copied piece of stack, by CFI tables, and by
 * frame pointers where a module has no table. Allocates nothing.
 */

#include "object/cfi/cfi_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The piece of stack; what lies above it may be had from unwind_space.read_rest. */
struct stack_copy {
	uint64_t address; /* of its first byte: the stack pointer of the sample */
	const uint8_t *bytes;
	size_t size;
};

struct unwind_regs {
	uint64_t ip, sp, fp;
	uint64_t lr; /* AArch64 */
};

/** Where an address belongs. */
struct unwind_module {
	const struct cfi_table *table; /* NULL: none; then by frame pointer */
	uint64_t bias;                 /* address in the process - address in the table */
	bool is_vdso;                  /* AArch64's has a signal trampoline without a table entry */
};

/** @ret: of the module mapped at @address. False: nothing executable is mapped there. */
typedef bool (*unwind_find_module_fn)(void *context, uint64_t address, struct unwind_module *ret);

/** @ret: the eight bytes at @address, above the copy. @frame: the stack pointer of the frame that
 *  goes on there. False: they cannot be had. */
typedef bool (*unwind_read_rest_fn)(void *context, uint64_t frame, uint64_t address, uint64_t *ret);

struct unwind_space {
	enum cfi_machine machine;
	unwind_find_module_fn find_module;
	void *context;
	unwind_read_rest_fn read_rest; /* NULL: stacks end with their copy */
};

/** Why it ended. */
enum unwind_end {
	UNWIND_END_OUTERMOST, /* whole */
	UNWIND_END_NO_ROOM,   /* more frames than @max_frames */
	UNWIND_END_STACK,     /* it goes on outside of the copy, where nothing can be read */
	UNWIND_END_NO_CODE,   /* a caller's address where no code is mapped */
	UNWIND_END_NO_RULE,   /* no rule for the address, and no frame pointer to follow */
	UNWIND_END_LOOP,      /* a caller's frame that is not above its callee's */
	UNWIND_NUM_ENDS,
};

/**
 * @frames: filled leaf first, at least one if there is room. The first is the sample's own address;
 * the others are return addresses. A return address where no code is mapped is left out.
 * @is_return_address: false for the first, for the signal trampoline, and for what a signal
 * interrupted; such an address is the instruction itself, the others are one behind the call.
 * @stack_pointers: in each frame; what it has on the stack is from there up to the next one's. Or
 * NULL.
 */
enum unwind_end native_unwind(const struct unwind_space *space, const struct unwind_regs *regs,
			      const struct stack_copy *stack, uint64_t *frames,
			      bool *is_return_address, uint64_t *stack_pointers, size_t max_frames,
			      size_t *ret_num);

#endif
