// SPDX-License-Identifier: Apache-2.0

#include "object/disassembler_ops.h"

const struct disassembler_ops *const all_disassemblers[] = {&llvm_disassembler_ops, NULL};

const char *disassemblers_hint(enum object_machine machine)
{
	return "install LLVM, and put its LLVM-C.dll beside wperf.exe";
}
