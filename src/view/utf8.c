// SPDX-License-Identifier: Apache-2.0
#include "view/utf8.h"

#include "base/array.h"

#include <stdbool.h>
#include <stddef.h>

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
static bool decode(const char *text, const struct utf8_form *form, size_t num_more, uint32_t *ret)
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

uint32_t utf8_next(const char **text)
{
	for (size_t i = 0; i < ARRAY_SIZE(utf8_forms); i++) {
		const struct utf8_form *form = &utf8_forms[i];
		uint32_t value;
		if (((uint8_t) * *text & form->mask) != form->lead)
			continue;
		if (!decode(*text, form, i, &value))
			break;
		*text += i + 1;
		return value;
	}
	*text += 1;
	return UTF8_REPLACEMENT;
}
