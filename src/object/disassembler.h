/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DISASSEMBLER_H
#define WPERF_OBJECT_DISASSEMBLER_H

/**
 * Machine code as text, for x86-64 and AArch64 on any host. LLVM's library does it if it can be
 * loaded, else the program objdump; without both, opening says which package to install.
 */

#include "base/error.h"
#include "base/string_builder.h"
#include "object/object.h"

struct disassembler;

struct instruction {
	uint64_t address;
	uint32_t size;    /* in bytes, at least 1 */
	const char *text; /* "ldr\tx0, [x1, #8]"; "<unknown>" for bytes that are none */
};

struct instruction_list {
	struct instruction *items;
	size_t num_items, cap_items;
	struct string_builder text; /* private: holds the texts */
};

struct error *disassembler_open(enum object_machine machine, struct disassembler **ret);

/** Would it run objdump, as no library is there that can take this machine's code apart? */
bool disassembler_runs_program(enum object_machine machine);

void disassembler_destroy(struct disassembler *disassembler);
static inline void disassembler_destroyp(struct disassembler **disassembler)
{
	disassembler_destroy(*disassembler);
}

/** All instructions of @code, in order, without gaps. @ret is empty before. */
struct error *disassembler_decode(struct disassembler *disassembler, struct object_bytes code,
				  struct instruction_list *ret);

void instruction_list_deinit(struct instruction_list *list);

/** "LLVM 19.1.7" or "objdump 2.40". */
const char *disassembler_name(const struct disassembler *disassembler);

#endif
