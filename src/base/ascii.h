/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_ASCII_H
#define WPERF_BASE_ASCII_H

/**
 * Letters of names and options: always ASCII, whatever the locale says (the functions of ctype.h
 * follow the locale, and take no negative char).
 */

static inline char ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline char ascii_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

#endif
