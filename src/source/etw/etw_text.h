/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_ETW_TEXT_H
#define WPERF_SOURCE_ETW_ETW_TEXT_H

/** Windows' UTF-16, on every system. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** @size: in units, with the end. False: it is not UTF-8, or longer than that. */
bool etw_text_widen(const char *text, uint16_t *ret, size_t size);

/**
 * @wide: up to 0 or @max units, at any address. @size: of @ret in bytes; what does not fit is left
 * out. What is not UTF-16 becomes U+FFFD.
 */
void etw_text_narrow(const void *wide, size_t max, char *ret, size_t size);

#endif
