/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_NUMBER_H
#define WPERF_BASE_TEXT_NUMBER_H

/**
 * Numbers that users write. The whole text must be the number: blanks, signs and trailing
 * characters are errors.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum number_result {
	NUMBER_OK,
	NUMBER_INVALID, /* not a number of that form */
	NUMBER_RANGE,   /* does not fit in 64 bits */
};

/** C's base 0: 0x1f, 017, 42. */
enum number_result number_parse(const char *text, size_t length, uint64_t *ret);

/** Hexadecimal without prefix; @allow_prefix: or with 0x. */
enum number_result number_parse_hex(const char *text, size_t length, bool allow_prefix,
				    uint64_t *ret);

/** Decimal only; leading zeros are allowed. */
enum number_result number_parse_decimal(const char *text, size_t length, uint64_t *ret);

#endif
