// SPDX-License-Identifier: Apache-2.0

#include "python/python_string.h"

#include "base/byte_order.h"

#include <string.h>

/** What a string is before its characters. */
struct string_head {
	uint64_t length;
	unsigned kind; /* bytes of a character */
	bool is_compact, is_ascii;
};

static bool read_head(const struct process_memory *memory, const struct python_layout *layout,
		      uint64_t address, struct string_head *ret)
{
	uint64_t length;
	uint32_t state;
	const struct process_memory_part parts[] = {
		{address + layout->string_length, &length, sizeof(length)},
		{address + layout->string_state, &state, sizeof(state)},
	};
	if (!address || !process_memory_read_parts(memory, parts, 2))
		return false;
	state >>= layout->string_kind_shift;
	*ret = (struct string_head){
		.length = length,
		.kind = state & 7,
		.is_compact = state >> 3 & 1,
		.is_ascii = state >> 4 & 1,
	};
	// Strings of all names are compact: another one is no string.
	return ret->is_compact && (ret->kind == 1 || ret->kind == 2 || ret->kind == 4) &&
	       (!ret->is_ascii || ret->kind == 1) && length <= INT64_MAX;
}

static uint32_t character_at(const uint8_t *bytes, unsigned kind, size_t index)
{
	const uint8_t *at = bytes + index * kind;
	switch (kind) {
	case 1:
		return at[0];
	case 2:
		return byte_order_load16(at, false);
	default:
		return byte_order_load32(at, false);
	}
}

static size_t encode(uint32_t c, char utf8[4])
{
	enum { ESCAPED = 0xdc80, ESCAPED_END = 0xdd00, REPLACEMENT = 0xfffd };
	if (c >= ESCAPED && c < ESCAPED_END) {
		utf8[0] = (char)(c - 0xdc00);
		return 1;
	}
	if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		c = REPLACEMENT;
	if (c < 0x80) {
		utf8[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		utf8[0] = (char)(0xc0 | c >> 6);
		utf8[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		utf8[0] = (char)(0xe0 | c >> 12);
		utf8[1] = (char)(0x80 | (c >> 6 & 0x3f));
		utf8[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	utf8[0] = (char)(0xf0 | c >> 18);
	utf8[1] = (char)(0x80 | (c >> 12 & 0x3f));
	utf8[2] = (char)(0x80 | (c >> 6 & 0x3f));
	utf8[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

void python_string_append_character(struct string_builder *text, uint32_t character)
{
	char utf8[4];
	string_builder_append_n(text, utf8, encode(character, utf8));
}

bool python_string_read_characters(const struct process_memory *memory,
				   const struct python_layout *layout, uint64_t address,
				   uint32_t *characters, uint32_t max, size_t *ret_num,
				   uint64_t *ret_length)
{
	struct string_head head;
	if (!read_head(memory, layout, address, &head))
		return false;
	if (max > PYTHON_STRING_MAX)
		max = PYTHON_STRING_MAX;
	size_t num = head.length < max ? (size_t)head.length : max;
	uint8_t bytes[4 * PYTHON_STRING_MAX];
	uint32_t start = head.is_ascii ? layout->string_ascii : layout->string_compact;
	if (!process_memory_read(memory, address + start, bytes, num * head.kind))
		return false;
	for (size_t i = 0; i < num; i++)
		characters[i] = character_at(bytes, head.kind, i);
	*ret_num = num;
	*ret_length = head.length;
	return true;
}

bool python_string_read(const struct process_memory *memory, const struct python_layout *layout,
			uint64_t address, uint32_t max, struct string_builder *text,
			uint64_t *ret_length)
{
	uint32_t characters[PYTHON_STRING_MAX];
	size_t num;
	uint64_t length;
	if (!python_string_read_characters(memory, layout, address, characters, max, &num, &length))
		return false;
	for (size_t i = 0; i < num; i++)
		if (characters[i])
			python_string_append_character(text, characters[i]);
	if (ret_length)
		*ret_length = length;
	return true;
}
