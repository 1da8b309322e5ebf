// SPDX-License-Identifier: Apache-2.0
// Runs for ever with a text on its stack, which no recording of others may have.

#include <stdio.h>
#include <string.h>

int main(void)
{
	static const char secret[] = "swordfish-on-the-stack";
	volatile char stack[512];
	volatile unsigned long sum = 0;
	for (size_t i = 0; i < sizeof(stack); i++)
		stack[i] = secret[i % sizeof(secret)];
	puts("ready");
	fflush(stdout);
	for (size_t i = 0;; i++)
		sum += (unsigned char)stack[i % sizeof(stack)];
}
