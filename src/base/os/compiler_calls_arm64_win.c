// SPDX-License-Identifier: Apache-2.0

#include "base/os/compiler_calls_arm64_win.h"

// clang calls __chkstk before a frame of more than a page (Microsoft's "Overview of ARM64 ABI
// conventions", "Stack"), and the function of compiler-rt for a division of 128 bits. There are few
// such divisions: the simplest algorithm will do.

enum { NUM_BITS = 128 };

// x15 has the size in units of 16 bytes; only x16 and x17 may be changed. Windows makes pages of a
// stack one after the other, so that none may be left out.
__attribute__((naked)) void __chkstk(void)
{
	__asm__("	sub x16, sp, x15, uxtx #4\n"
		"	mov x17, sp\n"
		"1:	sub x17, x17, #4096\n"
		"	cmp x17, x16\n"
		"	b.ls 2f\n"
		"	ldr xzr, [x17]\n"
		"	b 1b\n"
		"2:	ldr xzr, [x16]\n"
		"	ret\n");
}

// Bit by bit, as one does on paper.
unsigned __int128 __udivti3(unsigned __int128 dividend, unsigned __int128 divisor)
{
	unsigned __int128 quotient = 0, rest = 0;
	for (int i = 0; i < NUM_BITS; i++) {
		unsigned __int128 carry = rest >> (NUM_BITS - 1);
		rest = rest << 1 | dividend >> (NUM_BITS - 1);
		dividend <<= 1;
		quotient <<= 1;
		if (carry || rest >= divisor) {
			rest -= divisor;
			quotient |= 1;
		}
	}
	return quotient;
}
