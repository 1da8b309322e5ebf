// SPDX-License-Identifier: Apache-2.0
#include "base/text/utf8.h"

#include "base/container/array.h"

#include <stdbool.h>

// Follows RFC 3629. The table has one row per length; utf8_decode() rejects overlong forms by the
// smallest code point of the length, surrogates, and what is above U+10FFFF.

// One row per length of a sequence: how its first byte looks, and the smallest code point that
// needs that many bytes.
static const struct utf8_form {
	uint8_t mask;
	uint8_t lead;
	uint32_t minimum;
} utf8_forms[] = {
	{0x80, 0x00, 0},
	{0xe0, 0xc0, 0x80},
	{0xf0, 0xe0, 0x800},
	{0xf8, 0xf0, 0x10000},
};

static bool is_code_point(uint32_t value)
{
	bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
	return value <= 0x10ffff && !is_surrogate;
}

/** False if the @num_more bytes behind the first one do not complete a code point of @form. */
static bool utf8_decode(const char *text, const struct utf8_form *form, size_t num_more,
			uint32_t *ret)
{
	uint32_t value = (uint8_t)text[0] & (uint8_t)~form->mask;
	for (size_t i = 1; i <= num_more; i++) {
		uint8_t byte = (uint8_t)text[i];
		if ((byte & 0xc0) != 0x80)
			return false;
		value = value << 6 | (byte & 0x3f);
	}
	*ret = value;
	return value >= form->minimum && is_code_point(value);
}

size_t utf8_sequence(const char *text, size_t size, uint32_t *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(utf8_forms) && i < size; i++) {
		const struct utf8_form *form = &utf8_forms[i];
		if (((uint8_t)text[0] & form->mask) == form->lead) {
			uint32_t value;
			if (!utf8_decode(text, form, i, &value))
				return 0;
			*ret = value;
			return i + 1;
		}
	}
	return 0;
}

uint32_t utf8_next(const char **text)
{
	uint32_t value = UTF8_REPLACEMENT;
	// The NUL continues no sequence, which is thus never read past.
	size_t length = utf8_sequence(*text, UTF8_MAX_BYTES, &value);
	*text += length ? length : 1;
	return value;
}

size_t utf8_encode(uint32_t code_point, char ret[UTF8_MAX_BYTES])
{
	uint32_t rest = is_code_point(code_point) ? code_point : UTF8_REPLACEMENT;
	size_t num_more = 0;
	while (num_more + 1 < ARRAY_SIZE(utf8_forms) && rest >= utf8_forms[num_more + 1].minimum)
		num_more++;
	for (size_t i = num_more; i > 0; i--, rest >>= 6)
		ret[i] = (char)(0x80 | (rest & 0x3f));
	ret[0] = (char)(utf8_forms[num_more].lead | rest);
	return num_more + 1;
}
