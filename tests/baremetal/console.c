// SPDX-License-Identifier: Apache-2.0

#include "tests/baremetal/console.h"

#include "tests/baremetal/semihosting.h"

enum { MAX_DIGITS = 20 };

void console_text(const char *text)
{
	semihosting_write(text);
}

static void write_number(uint64_t number, unsigned base)
{
	char text[MAX_DIGITS + 1];
	char *first = &text[MAX_DIGITS];
	*first = 0;
	do {
		*--first = "0123456789abcdef"[number % base];
		number /= base;
	} while (number);
	semihosting_write(first);
}

void console_number(uint64_t number)
{
	write_number(number, 10);
}

void console_hex(uint64_t number)
{
	semihosting_write("0x");
	write_number(number, 16);
}
