/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_UTF8_H
#define WPERF_VIEW_UTF8_H

/** Text from anywhere, read as code points. */

#include <stdint.h>

enum { UTF8_REPLACEMENT = 0xfffd };

/**
 * The code point at *@text, which moves behind it. A byte that begins no valid sequence (also
 * overlong forms, surrogates, beyond U+10FFFF) is UTF8_REPLACEMENT and moves by one.
 * *@text must not be at its NUL; never reads past the NUL.
 */
uint32_t utf8_next(const char **text);

#endif
