// SPDX-License-Identifier: Apache-2.0

#include "library/compat/compat_text.h"

#include "base/text/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
	FIRST_OF_PAIRS = 0x10000, // code points that UTF-16 writes as two units
	HIGH_SURROGATE = 0xd800,
	LOW_SURROGATE = 0xdc00,
	SURROGATES_END = 0xe000,
	UNIT_BITS = 10, // of the code point in each unit of a pair
	UNIT_MASK = (1 << UNIT_BITS) - 1,
};

size_t compat_text_fill(const char *text, wchar_t *ret, size_t max)
{
	size_t length = 0;
	while (*text) {
		uint32_t code_point = utf8_next(&text);
		bool is_pair = sizeof(wchar_t) == sizeof(uint16_t) && code_point >= FIRST_OF_PAIRS;
		if (length + 1 + is_pair >= max)
			break;
		if (is_pair) {
			code_point -= FIRST_OF_PAIRS;
			ret[length++] = (wchar_t)(HIGH_SURROGATE | code_point >> UNIT_BITS);
			code_point = LOW_SURROGATE | (code_point & UNIT_MASK);
		}
		ret[length++] = (wchar_t)code_point;
	}
	ret[length] = 0;
	return length;
}

const wchar_t *compat_text_wide(struct arena *arena, const char *text)
{
	// A character has at least as many bytes in UTF-8 as it has units here.
	size_t max = text ? strlen(text) + 1 : 0;
	wchar_t *wide = text ? arena_alloc_array(arena, max, sizeof(*wide)) : NULL;
	if (wide)
		compat_text_fill(text, wide, max);
	return wide;
}

/** utf8_encode() makes U+FFFD of surrogates that are alone. */
static uint32_t compat_text_next(const wchar_t **wide)
{
	uint32_t unit = (uint32_t) * (*wide)++, next = (uint32_t) * *wide;
	bool is_pair = unit >= HIGH_SURROGATE && unit < LOW_SURROGATE && next >= LOW_SURROGATE &&
		       next < SURROGATES_END;
	if (!is_pair)
		return unit;
	(*wide)++;
	return FIRST_OF_PAIRS + ((unit & UNIT_MASK) << UNIT_BITS | (next & UNIT_MASK));
}

char *compat_text_utf8(struct arena *arena, const wchar_t *wide)
{
	char *text = wide ? arena_alloc_array(arena, wcslen(wide) + 1, UTF8_MAX_BYTES) : NULL;
	size_t length = 0;
	while (text && *wide)
		length += utf8_encode(compat_text_next(&wide), text + length);
	return text;
}
