// SPDX-License-Identifier: Apache-2.0

#include "base/text/number.h"

#include "base/text/ascii.h"

// Not strtoull(), which would take blanks, a sign, and whatever follows the number. A number that
// is too large is told apart from what is none, as its message differs.

static enum number_result parse_digits(const char *text, size_t length, unsigned base,
				       uint64_t *ret)
{
	if (!length)
		return NUMBER_INVALID;
	uint64_t value = 0;
	bool overflow = false;
	// To the end even after an overflow: "99999999999999999999x" is not a number.
	for (size_t i = 0; i < length; i++) {
		char c = ascii_lower(text[i]);
		unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
				 : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
							: UINT32_MAX;
		if (digit >= base)
			return NUMBER_INVALID;
		overflow |= __builtin_mul_overflow(value, base, &value);
		overflow |= __builtin_add_overflow(value, digit, &value);
	}
	// NUMBER_RANGE and not NUMBER_INVALID: all characters were digits.
	if (overflow)
		return NUMBER_RANGE;
	*ret = value;
	return NUMBER_OK;
}

static bool has_hex_prefix(const char *text, size_t length)
{
	return length >= 2 && text[0] == '0' && ascii_lower(text[1]) == 'x';
}

enum number_result number_parse(const char *text, size_t length, uint64_t *ret)
{
	if (has_hex_prefix(text, length))
		return parse_digits(text + 2, length - 2, 16, ret);
	return parse_digits(text, length, length && text[0] == '0' ? 8 : 10, ret);
}

enum number_result number_parse_hex(const char *text, size_t length, bool allow_prefix,
				    uint64_t *ret)
{
	if (allow_prefix && has_hex_prefix(text, length))
		return parse_digits(text + 2, length - 2, 16, ret);
	return parse_digits(text, length, 16, ret);
}

enum number_result number_parse_decimal(const char *text, size_t length, uint64_t *ret)
{
	return parse_digits(text, length, 10, ret);
}
