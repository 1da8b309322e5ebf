/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_VALUE_PYTHON_LITERAL_H
#define WPERF_INTERPRETER_PYTHON_VALUE_PYTHON_LITERAL_H

/**
 * Writes values as Python's repr() does. As in Python, control characters and other characters that
 * are not printable are escaped.
 */

#include "base/text/string_builder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PYTHON_LITERAL_DIGIT_BITS = 30,
	PYTHON_LITERAL_MAX_DIGITS = 36, /* of 30 bits; longer ints are not readable anyway */
};

/** With the fewest digits that identify the number. */
void python_literal_append_float(struct string_builder *text, double value);

/** @digits: of PYTHON_LITERAL_DIGIT_BITS, the lowest first; at most PYTHON_LITERAL_MAX_DIGITS. */
void python_literal_append_int(struct string_builder *text, const uint32_t *digits, size_t num,
			       bool is_negative);

/** In quotes. @characters: code points. @num_more: of characters that are left out after them. */
void python_literal_append_str(struct string_builder *text, const uint32_t *characters, size_t num,
			       uint64_t num_more);

void python_literal_append_bytes(struct string_builder *text, const uint8_t *bytes, size_t num,
				 uint64_t num_more);

#endif
