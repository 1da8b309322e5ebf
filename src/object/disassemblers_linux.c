// SPDX-License-Identifier: Apache-2.0

#include "object/disassembler_ops.h"

const struct disassembler_ops *const all_disassemblers[] = {
	&llvm_disassembler_ops,
	&objdump_disassembler_ops,
	NULL,
};

const char *disassemblers_hint(enum object_machine machine)
{
	return machine == OBJECT_MACHINE_AARCH64
		       ? "install the package libllvm19, or binutils-aarch64-linux-gnu"
		       : "install the package libllvm19, or binutils";
}
