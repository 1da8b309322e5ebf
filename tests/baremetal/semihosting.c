// SPDX-License-Identifier: Apache-2.0

#include "tests/baremetal/semihosting.h"

#include <stdint.h>

enum { SYS_WRITE0 = 0x04, SYS_EXIT_EXTENDED = 0x20 };
enum { ADP_STOPPED_APPLICATION_EXIT = 0x20026 };

static void call(uint64_t operation, const void *argument)
{
	register uint64_t x0 __asm__("x0") = operation;
	register const void *x1 __asm__("x1") = argument;
	__asm__ volatile("hlt #0xf000" : "+r"(x0) : "r"(x1) : "memory");
}

void semihosting_write(const char *text)
{
	call(SYS_WRITE0, text);
}

_Noreturn void semihosting_exit(unsigned code)
{
	const uint64_t block[] = {ADP_STOPPED_APPLICATION_EXIT, code};
	for (;;)
		call(SYS_EXIT_EXTENDED, block);
}
