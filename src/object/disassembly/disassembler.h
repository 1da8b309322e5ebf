/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DISASSEMBLY_DISASSEMBLER_H
#define WPERF_OBJECT_DISASSEMBLY_DISASSEMBLER_H

/**
 * Machine code as text, for x86-64 and AArch64 on any host. LLVM's library does it,
 * loaded when it is needed; without it, opening says what to install.
 */

#include "base/error.h"
#include "object/disassembly/instruction_list.h"
#include "object/object.h"

struct disassembler;

struct error *disassembler_open(enum object_machine machine, struct disassembler **ret);

void disassembler_destroy(struct disassembler *disassembler);
static inline void disassembler_destroyp(struct disassembler **disassembler)
{
	disassembler_destroy(*disassembler);
}

/** All instructions of @code, in order, without gaps. @ret is empty before. */
struct error *disassembler_decode(struct disassembler *disassembler, struct object_bytes code,
				  struct instruction_list *ret);

/** "LLVM 19.1.7". */
const char *disassembler_name(const struct disassembler *disassembler);

#endif
