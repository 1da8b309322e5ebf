// SPDX-License-Identifier: Apache-2.0
#include "base/text/utf8.h"

#include "base/container/array.h"

#include <stdbool.h>
#include <string.h>

// Follows RFC 3629: overlong forms, surrogates and what is above U+10FFFF are not UTF-8. Readers
// that took them would find names in them that a check of the bytes did not see.

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

size_t utf8_sequence(const char *text, size_t size, uint32_t *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(utf8_forms) && i < size; i++) {
		const struct utf8_form *form = &utf8_forms[i];
		if (((uint8_t)text[0] & form->mask) != form->lead)
			continue;
		uint32_t value = (uint8_t)text[0] & (uint8_t)~form->mask;
		for (size_t j = 1; j <= i; j++) {
			uint8_t byte = (uint8_t)text[j];
			if ((byte & 0xc0) != 0x80)
				return 0;
			value = value << 6 | (byte & 0x3f);
		}
		// Less than the minimum: a shorter form would do.
		if (value < form->minimum || !is_code_point(value))
			return 0;
		*ret = value;
		return i + 1;
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
	// From the last byte, as each takes the lowest six bits that are left.
	for (size_t i = num_more; i > 0; i--, rest >>= 6)
		ret[i] = (char)(0x80 | (rest & 0x3f));
	ret[0] = (char)(utf8_forms[num_more].lead | rest);
	return num_more + 1;
}

void utf8_copy(const char *text, char *ret, size_t size)
{
	size_t length = 0;
	for (const char *next = text; *next;) {
		utf8_next(&next);
		if ((size_t)(next - text) >= size)
			break;
		length = (size_t)(next - text);
	}
	memcpy(ret, text, length);
	ret[length] = '\0';
}
