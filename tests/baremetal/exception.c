// SPDX-License-Identifier: Apache-2.0

#include "tests/baremetal/exception.h"

#include "tests/baremetal/console.h"
#include "tests/baremetal/semihosting.h"

enum { EXIT_CODE = 99 };

_Noreturn void exception_report(uint64_t syndrome, uint64_t pc, uint64_t address)
{
	console_text("FAIL exception: syndrome ");
	console_hex(syndrome);
	console_text(" at ");
	console_hex(pc);
	console_text(", address ");
	console_hex(address);
	console_text("\n");
	semihosting_exit(EXIT_CODE);
}
