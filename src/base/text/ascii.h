/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_ASCII_H
#define WPERF_BASE_TEXT_ASCII_H

/**
 * Case of ASCII letters, for names and options. The functions of ctype.h depend on the locale, and
 * are undefined for negative chars.
 */

#include <stdbool.h>

static inline bool ascii_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline char ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline char ascii_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

#endif
