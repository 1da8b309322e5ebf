/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_DEVGEN_SAY_H
#define WPERF_DRIVER_WINDOWS_DEVGEN_SAY_H

/** What the user reads: to a console as UTF-16, into files and pipes as UTF-8. */

#include <windows.h>

/** Texts one behind the other, up to a NULL; a line. */
void say(const wchar_t *first, ...);

/** The same on standard error, with the name of the program in front. */
void say_error(const wchar_t *first, ...);

struct say_number {
	wchar_t digits[21];
};

struct say_number say_number(unsigned long long number);
struct say_number say_hex(unsigned long number);

struct say_message {
	wchar_t text[512];
};

/** What Windows says of an error, without the end of its line; of one that it does not know: its
 *  number. */
struct say_message say_message(unsigned long error);

#endif
