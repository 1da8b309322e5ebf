/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_UTF8_H
#define WPERF_BASE_UTF8_H

/** Text from anywhere, read as code points; and code points, written as text. */

#include <stddef.h>
#include <stdint.h>

enum {
	UTF8_REPLACEMENT = 0xfffd,
	UTF8_MAX_BYTES = 4, /* of a code point */
};

/**
 * The code point at *@text, which moves behind it. A byte that begins no valid sequence (also
 * overlong forms, surrogates, beyond U+10FFFF) is UTF8_REPLACEMENT and moves by one.
 * *@text must not be at its NUL; never reads past the NUL.
 */
uint32_t utf8_next(const char **text);

/**
 * The length of the well-formed sequence at @text, of which no more than @size bytes are looked
 * at; 0 if there is none. @ret: its code point; set only if there is one.
 */
size_t utf8_sequence(const char *text, size_t size, uint32_t *ret);

/** The bytes of a code point, and how many; of UTF8_REPLACEMENT if it is none. */
size_t utf8_encode(uint32_t code_point, char ret[UTF8_MAX_BYTES]);

#endif
