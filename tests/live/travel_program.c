// SPDX-License-Identifier: Apache-2.0
// Works in a function, in one that is inlined there, and in the kernel.

#include <stdio.h>
static volatile unsigned long sink;
__attribute__((always_inline)) static inline unsigned long inner(unsigned long x)
{
	for (int i = 0; i < 1000; i++)
		x = x * 2862933555777941757UL + 3037000493UL;
	return x;
}
__attribute__((noinline)) unsigned long outer(unsigned long x)
{
	return inner(x) + 1;
}
int main(void)
{
	static char bytes[65536];
	for (long i = 0; i < 200000; i++)
		sink = outer(sink);
	FILE *file = fopen("/dev/urandom", "r");
	for (int i = 0; i < 500; i++)
		if (!fread(bytes, 1, sizeof(bytes), file))
			return 1;
	return 0;
}
