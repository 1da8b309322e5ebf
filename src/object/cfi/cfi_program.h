/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_CFI_CFI_PROGRAM_H
#define WPERF_OBJECT_CFI_CFI_PROGRAM_H

/**
 * The call frame instructions of one function, run step by step:
 *
 *	struct cfi_program program;
 *	cfi_program_init(&program, section, bases, registers, common, function);
 *	for (struct cfi_row row; cfi_program_next(&program, &row);)
 *		...
 *	if (program.bytes.failed)
 *		... the entry is damaged, and so may be the rows before
 */

#include "object/cfi/cfi_entry.h"

enum { CFI_MAX_REMEMBERED = 16 };

struct cfi_program {
	struct reader bytes; /* the section, up to the end of the entry */
	struct cfi_pointer_bases bases;
	const struct cfi_registers *registers;
	const struct cfi_common *common;
	struct cfi_state state;
	uint64_t location, row_start, end; /* addresses */
	struct cfi_place ignored;          /* stands for registers that nobody asks for */
	unsigned num_remembered;
	struct cfi_state remembered[CFI_MAX_REMEMBERED];
};

void cfi_program_init(struct cfi_program *program, struct reader section,
		      struct cfi_pointer_bases bases, const struct cfi_registers *registers,
		      const struct cfi_common *common, const struct cfi_function *function);

/** Rows come in order of address, each address once. False: none is left, or damage. */
bool cfi_program_next(struct cfi_program *program, struct cfi_row *ret);

/** Run the instructions of a CIE and set its initial state. False: damage. */
bool cfi_program_initial(struct cfi_common *common, struct reader section,
			 struct cfi_pointer_bases bases, const struct cfi_registers *registers);

#endif
