/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_PROBE_ARGUMENTS_H
#define WPERF_OBJECT_PROBE_ARGUMENTS_H

/**
 * Where the arguments of a static probe are, as struct probe_note has them: "-4@%edi 8@-16(%rbp)"
 * of x86-64, "8@x0 -4@[sp, 12]" of AArch64. Registers are numbered as in the kernel's struct
 * pt_regs, counted in words.
 */

#include "object/object.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum probe_argument_kind {
	PROBE_ARGUMENT_CONSTANT, /* the displacement */
	PROBE_ARGUMENT_REGISTER,
	PROBE_ARGUMENT_MEMORY, /* at the register, the index times the scale, and the displacement
				*/
};

enum { PROBE_NO_REGISTER = UINT8_MAX };

struct probe_argument {
	enum probe_argument_kind kind;
	uint8_t size; /* 1, 2, 4 or 8 bytes */
	bool is_signed;
	uint8_t reg, index; /* PROBE_NO_REGISTER: none */
	uint8_t scale;      /* of the index: 1, 2, 4 or 8 */
	int64_t displacement;
};

/** How often @arguments has an argument. */
size_t probe_arguments_count(const char *arguments);

/**
 * @number: from 1 on.
 * False: there is none, or it is where nobody can read it: in a register of floating point, or at a
 * name that only the linker knows.
 */
bool probe_argument_find(const char *arguments, size_t number, enum object_machine machine,
			 struct probe_argument *ret);

/** Where a function has its argument when it is called. False: on the stack. */
bool probe_argument_of_call(size_t number, enum object_machine machine, struct probe_argument *ret);

/** Where a function has left what it returns. */
bool probe_argument_of_return(enum object_machine machine, struct probe_argument *ret);

#endif
