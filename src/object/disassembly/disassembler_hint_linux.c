// SPDX-License-Identifier: Apache-2.0

#include "object/disassembly/disassembler_hint.h"

const char *disassembler_hint(void)
{
	return "install the package libllvm19, or any other from libllvm14 on";
}
