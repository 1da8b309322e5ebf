// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/value/python_string.h"

#include "base/byte_order.h"
#include "base/text/utf8.h"

#include <string.h>

// Follows PyASCIIObject and PyCompactUnicodeObject (Include/cpython/unicodeobject.h). The
// characters follow the head, with 1, 2 or 4 bytes each: `state` has the kind, and whether they are
// ASCII, which have the shorter head. Strings that are not compact have their characters elsewhere;
// the names that wperf reads never are, so such a string is taken as a sign that the memory is
// something else.

/** What a string is before its characters. */
struct string_head {
	uint64_t length;
	unsigned kind; /* bytes of a character */
	bool is_compact, is_ascii;
};

static bool python_string_read_head(const struct process_memory *memory,
				    const struct python_layout *layout, uint64_t address,
				    struct string_head *ret)
{
	uint64_t length;
	uint32_t state;
	const struct process_memory_part parts[] = {
		{address + layout->string_length, &length, sizeof(length)},
		{address + layout->string_state, &state, sizeof(state)},
	};
	if (!address || !process_memory_read_parts(memory, parts, 2))
		return false;
	// The bit fields kind (3 bits), compact and ascii of PyASCIIObject.state.
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

void python_string_append_character(struct string_builder *text, uint32_t character)
{
	// What os.fsdecode() makes of a byte that is no UTF-8 becomes that byte again.
	enum { ESCAPED = 0xdc80, ESCAPED_END = 0xdd00, ESCAPE = 0xdc00 };
	if (character >= ESCAPED && character < ESCAPED_END) {
		string_builder_append_char(text, (char)(character - ESCAPE));
		return;
	}
	char utf8[UTF8_MAX_BYTES];
	string_builder_append_n(text, utf8, utf8_encode(character, utf8));
}

bool python_string_read_characters(const struct process_memory *memory,
				   const struct python_layout *layout, uint64_t address,
				   uint32_t *characters, uint32_t max, size_t *ret_num,
				   uint64_t *ret_length)
{
	struct string_head head;
	if (!python_string_read_head(memory, layout, address, &head))
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

bool python_string_is(const struct process_memory *memory, const struct python_layout *layout,
		      uint64_t address, const char *ascii)
{
	enum { LONGEST = 64 };
	const size_t length = strlen(ascii);
	struct string_head head;
	char bytes[LONGEST];
	return length <= LONGEST && python_string_read_head(memory, layout, address, &head) &&
	       head.is_ascii && head.length == length &&
	       process_memory_read(memory, address + layout->string_ascii, bytes, length) &&
	       !memcmp(bytes, ascii, length);
}
