/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_WIDE_TEXT_H
#define WPERF_DRIVER_CORE_WIDE_TEXT_H

/** UTF-16 for the wire, without wchar_t, which is four bytes elsewhere. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Append ASCII to a text that ends with a zero; what does not fit is cut, what is no ASCII
 * becomes '?'.
 * @size: of @text in units, the final zero included.
 */
void driver_wide_text_append(uint16_t *text, size_t size, const char *ascii);

/** Does all of @ascii, which may be NULL, fit into an empty text of this size? */
bool driver_wide_text_fits(size_t size, const char *ascii);

#endif
