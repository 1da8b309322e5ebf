// SPDX-License-Identifier: Apache-2.0

#include "view/export/protobuf_message.h"

#include "base/byte_order.h"
#include "base/text/utf8.h"

#include <string.h>

// The wire format of Protocol Buffers (protobuf.dev, "Encoding"): a field is a tag, which is its
// number and a wire type, and a value. Numbers are varints, seven bits in each byte, the lowest
// first; texts, nested messages and packed lists are bytes with their length before them. Therefore
// a nested message is built on its own and copied when its length is known.
//
//	field 5, number 300              28 ac 02        tag 5 << 3 | 0, then 300 in two bytes
//	field 6, bytes "ab"              32 02 61 62     tag 6 << 3 | 2, then the length

enum { WIRE_VARINT = 0, WIRE_64BIT = 1, WIRE_BYTES = 2, WIRE_BITS = 3 };
enum { VARINT_MAX = 10, VARINT_BITS = 7, VARINT_MORE = 0x80 };

void protobuf_message_packed(struct protobuf_message *message, uint64_t value)
{
	char bytes[VARINT_MAX];
	size_t length = 0;
	while (value >= VARINT_MORE) {
		bytes[length++] = (char)(value | VARINT_MORE);
		value >>= VARINT_BITS;
	}
	bytes[length++] = (char)value;
	string_builder_append_n(&message->bytes, bytes, length);
}

void protobuf_message_packed_fixed64(struct protobuf_message *message, uint64_t value)
{
	unsigned char bytes[8];
	byte_order_store64(bytes, value, false);
	string_builder_append_n(&message->bytes, (const char *)bytes, sizeof(bytes));
}

static void add_tag(struct protobuf_message *message, uint32_t field, unsigned wire)
{
	protobuf_message_packed(message, (uint64_t)field << WIRE_BITS | wire);
}

static void add_bytes(struct protobuf_message *message, uint32_t field,
		      const struct string_builder *bytes)
{
	add_tag(message, field, WIRE_BYTES);
	protobuf_message_packed(message, bytes->length);
	string_builder_append_n(&message->bytes, string_builder_peek(bytes), bytes->length);
	message->bytes.failed |= bytes->failed;
}

void protobuf_message_u64(struct protobuf_message *message, uint32_t field, uint64_t value)
{
	// A field that is missing has its default, which is 0.
	if (value)
		protobuf_message_number(message, field, value);
}

void protobuf_message_number(struct protobuf_message *message, uint32_t field, uint64_t value)
{
	add_tag(message, field, WIRE_VARINT);
	protobuf_message_packed(message, value);
}

void protobuf_message_fixed64(struct protobuf_message *message, uint32_t field, uint64_t value)
{
	if (!value)
		return;
	add_tag(message, field, WIRE_64BIT);
	protobuf_message_packed_fixed64(message, value);
}

void protobuf_message_text(struct protobuf_message *message, uint32_t field, const char *text)
{
	_cleanup_(string_builder_deinit) struct string_builder safe = STRING_BUILDER_INIT;
	while (*text) {
		const char *start = text;
		// Texts must be UTF-8; names of files and symbols can be any bytes.
		if (utf8_next(&text) == UTF8_REPLACEMENT)
			string_builder_append(&safe, "\xef\xbf\xbd");
		else
			string_builder_append_n(&safe, start, (size_t)(text - start));
	}
	add_bytes(message, field, &safe);
}

void protobuf_message_nested(struct protobuf_message *message, uint32_t field,
			     struct protobuf_message *nested)
{
	add_bytes(message, field, &nested->bytes);
	protobuf_message_clear(nested);
}

void protobuf_message_append(struct protobuf_message *message,
			     const struct protobuf_message *fields)
{
	string_builder_append_n(&message->bytes, string_builder_peek(&fields->bytes),
				fields->bytes.length);
	message->bytes.failed |= fields->bytes.failed;
}

void protobuf_message_clear(struct protobuf_message *message)
{
	message->bytes.length = 0;
}

void protobuf_message_deinit(struct protobuf_message *message)
{
	string_builder_deinit(&message->bytes);
}
