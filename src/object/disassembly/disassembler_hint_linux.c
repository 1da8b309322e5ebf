// SPDX-License-Identifier: Apache-2.0

#include "object/disassembly/disassembler_hint.h"

#include "base/os/shared_library.h"

const char *disassembler_hint(void)
{
	return shared_library_hint("install the package libllvm19, or any other from libllvm14 on");
}
