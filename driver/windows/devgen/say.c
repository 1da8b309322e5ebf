// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/devgen/say.h"

#include <stdarg.h>

// Lines for a console, which takes UTF-16, or for a file or pipe, which gets UTF-8: WriteConsoleW()
// fails if the handle is no console. A line is put together first and written at once, so that
// lines of two programs do not mix.

enum { MAX_LINE = 700 };

struct line {
	wchar_t text[MAX_LINE];
	DWORD length;
};

// What does not fit is cut.
static void say_append(struct line *line, const wchar_t *text)
{
	while (*text && line->length < MAX_LINE - 2)
		line->text[line->length++] = *text++;
}

static void say_append_all(struct line *line, const wchar_t *first, va_list rest)
{
	for (const wchar_t *text = first; text; text = va_arg(rest, const wchar_t *))
		say_append(line, text);
	line->text[line->length++] = L'\r';
	line->text[line->length++] = L'\n';
}

static void say_write_line(DWORD where, const struct line *line)
{
	HANDLE handle = GetStdHandle(where);
	// A unit of UTF-16 is at most three bytes of UTF-8.
	char utf8[3 * MAX_LINE];
	DWORD written;
	if (WriteConsoleW(handle, line->text, line->length, &written, NULL))
		return;
	int size = WideCharToMultiByte(CP_UTF8, 0, line->text, (int)line->length, utf8,
				       sizeof(utf8), NULL, NULL);
	WriteFile(handle, utf8, (DWORD)size, &written, NULL);
}

void say(const wchar_t *first, ...)
{
	struct line line;
	line.length = 0;
	va_list rest;
	va_start(rest, first);
	say_append_all(&line, first, rest);
	va_end(rest);
	say_write_line(STD_OUTPUT_HANDLE, &line);
}

void say_error(const wchar_t *first, ...)
{
	struct line line;
	line.length = 0;
	say_append(&line, L"wperf-devgen: ");
	va_list rest;
	va_start(rest, first);
	say_append_all(&line, first, rest);
	va_end(rest);
	say_write_line(STD_ERROR_HANDLE, &line);
}

static struct say_number say_number_of(unsigned long long number, unsigned base)
{
	struct say_number ret;
	wchar_t reversed[sizeof(ret.digits) / sizeof(wchar_t)];
	unsigned num = 0;
	do {
		reversed[num++] = L"0123456789abcdef"[number % base];
		number /= base;
	} while (number);
	for (unsigned i = 0; i < num; i++)
		ret.digits[i] = reversed[num - 1 - i];
	ret.digits[num] = 0;
	return ret;
}

struct say_number say_number(unsigned long long number)
{
	return say_number_of(number, 10);
}

struct say_number say_hex(unsigned long number)
{
	return say_number_of(number, 16);
}

struct say_message say_message(unsigned long error)
{
	struct say_message ret;
	DWORD length =
		FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL,
			       error, 0, ret.text, sizeof(ret.text) / sizeof(wchar_t), NULL);
	// Messages of the system end in a full stop and a line break.
	while (length > 0 && (ret.text[length - 1] <= L' ' || ret.text[length - 1] == L'.'))
		length--;
	ret.text[length] = 0;
	if (length > 0)
		return ret;
	struct say_number number = say_hex(error);
	lstrcpyW(ret.text, L"error 0x");
	lstrcatW(ret.text, number.digits);
	return ret;
}
