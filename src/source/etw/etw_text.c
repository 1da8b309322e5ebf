// SPDX-License-Identifier: Apache-2.0

#include "source/etw/etw_text.h"

#include "base/text/utf8.h"

#include <string.h>

enum {
	PLANE_0_END = 0x10000,
	HIGH_SURROGATE = 0xd800,
	LOW_SURROGATE = 0xdc00,
	SURROGATE_END = 0xe000,
	SURROGATE_BITS = 10,
};

bool etw_text_widen(const char *text, uint16_t *ret, size_t size)
{
	size_t length = 0;
	while (*text) {
		uint32_t code;
		size_t bytes = utf8_sequence(text, strlen(text), &code);
		if (!bytes || length + 2 >= size)
			return false;
		text += bytes;
		if (code < PLANE_0_END) {
			ret[length++] = (uint16_t)code;
			continue;
		}
		code -= PLANE_0_END;
		ret[length++] = (uint16_t)(HIGH_SURROGATE + (code >> SURROGATE_BITS));
		ret[length++] = (uint16_t)(LOW_SURROGATE + (code & ((1U << SURROGATE_BITS) - 1)));
	}
	ret[length] = 0;
	return true;
}

static uint16_t etw_text_unit(const void *wide, size_t max, size_t at)
{
	uint16_t unit = 0;
	if (at < max)
		memcpy(&unit, (const char *)wide + at * sizeof(unit), sizeof(unit));
	return unit;
}

void etw_text_narrow(const void *wide, size_t max, char *ret, size_t size)
{
	size_t length = 0;
	uint32_t code;
	for (size_t at = 0; (code = etw_text_unit(wide, max, at)); at++) {
		uint32_t low = etw_text_unit(wide, max, at + 1);
		if (code >= HIGH_SURROGATE && code < LOW_SURROGATE && low >= LOW_SURROGATE &&
		    low < SURROGATE_END) {
			code = PLANE_0_END + ((code - HIGH_SURROGATE) << SURROGATE_BITS) +
			       (low - LOW_SURROGATE);
			at++;
		}
		char bytes[UTF8_MAX_BYTES];
		size_t num_bytes = utf8_encode(code, bytes);
		if (length + num_bytes >= size)
			break;
		memcpy(ret + length, bytes, num_bytes);
		length += num_bytes;
	}
	ret[length] = '\0';
}
