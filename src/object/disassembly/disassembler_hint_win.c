// SPDX-License-Identifier: Apache-2.0

#include "object/disassembly/disassembler_hint.h"

const char *disassembler_hint(void)
{
	return "install LLVM 14 or newer (https://github.com/llvm/llvm-project/releases), and copy "
	       "its "
	       "bin\\LLVM-C.dll beside wperf.exe";
}
