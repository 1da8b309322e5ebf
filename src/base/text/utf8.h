/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_UTF8_H
#define WPERF_BASE_TEXT_UTF8_H

/** Decodes untrusted UTF-8 and encodes code points. */

#include <stddef.h>
#include <stdint.h>

enum {
	UTF8_REPLACEMENT = 0xfffd,
	UTF8_MAX_BYTES = 4, /* of a code point */
};

/**
 * The code point at *@text, which moves past it. A byte that does not begin a valid sequence
 * (overlong forms, surrogates and code points above U+10FFFF are invalid) is UTF8_REPLACEMENT, of
 * one byte. *@text must not be at the end of the string; never reads past its NUL.
 */
uint32_t utf8_next(const char **text);

/**
 * The length of the valid sequence at @text, within @size bytes; 0 if there is none, and then @ret
 * is not set.
 */
size_t utf8_sequence(const char *text, size_t size, uint32_t *ret);

/** Write a code point, or UTF8_REPLACEMENT if it is invalid; returns the number of bytes. */
size_t utf8_encode(uint32_t code_point, char ret[UTF8_MAX_BYTES]);

/** Copy what fits of a text, cut between code points; ends with NUL. @size: of @ret, not 0. */
void utf8_copy(const char *text, char *ret, size_t size);

#endif
