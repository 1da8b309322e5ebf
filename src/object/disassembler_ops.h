/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DISASSEMBLER_OPS_H
#define WPERF_OBJECT_DISASSEMBLER_OPS_H

/** What disassembler.h is made of: each of these can take machine code apart. */

#include "base/error.h"
#include "object/disassembler.h"

struct disassembler_ops {
	/** @ret: what the others get. ERROR_ABSENT if it is not there for this machine. */
	struct error *(*open)(enum object_machine machine, void **ret);
	void (*close)(void *context);
	struct error *(*decode)(void *context, struct object_bytes code,
				struct instruction_list *ret);
	const char *(*name)(const void *context);
	bool runs_program;
};

/** The library of LLVM, the newest that can be loaded. */
extern const struct disassembler_ops llvm_disassembler_ops;

/** The program objdump, of this machine or of a cross compiler. */
extern const struct disassembler_ops objdump_disassembler_ops;

/** Those of this system, the best one first; ends with NULL. */
extern const struct disassembler_ops *const all_disassemblers[];

/** What to install where none of them is there. */
const char *disassemblers_hint(enum object_machine machine);

/** Whichever of @all opens first; NULL behind the last one. */
struct error *disassembler_open_first(const struct disassembler_ops *const *all,
				      enum object_machine machine, struct disassembler **ret);

/** For those who decode: add one; its text gets its place with instruction_list_settle(). */
struct error *instruction_list_add(struct instruction_list *list, uint64_t address, uint32_t size,
				   const char *text);
struct error *instruction_list_settle(struct instruction_list *list);

#endif
