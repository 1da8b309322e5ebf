// SPDX-License-Identifier: Apache-2.0

#include "fleet/otlp/otlp_message.h"

// The wire format is explained in view/export/protobuf_message.c. The wire types 3 and 4 (groups)
// are of protocol buffers before OTLP.

enum { WIRE_BITS = 3, WIRE_MASK = 7 };

bool otlp_message_next(struct reader *message, struct otlp_field *ret)
{
	if (!reader_left(message))
		return false;
	uint64_t tag = reader_uleb128(message);
	*ret = (struct otlp_field){
		.number = (uint32_t)(tag >> WIRE_BITS),
		.wire = (enum otlp_wire)(tag & WIRE_MASK),
		.bytes = reader_create(NULL, 0),
	};
	if (!ret->number || tag > UINT32_MAX)
		message->failed = true;
	uint64_t length;
	switch (ret->wire) {
	case OTLP_WIRE_VARINT:
		ret->value = reader_uleb128(message);
		break;
	case OTLP_WIRE_64BIT:
		ret->value = reader_u64(message);
		break;
	case OTLP_WIRE_BYTES:
		length = reader_uleb128(message);
		message->failed |= length > reader_left(message);
		ret->bytes = reader_sub(message, (size_t)length);
		break;
	case OTLP_WIRE_32BIT:
		ret->value = reader_u32(message);
		break;
	default:
		message->failed = true;
	}
	return !message->failed;
}

bool otlp_field_is(struct reader *message, const struct otlp_field *field, uint32_t number,
		   enum otlp_wire wire)
{
	if (field->number != number)
		return false;
	message->failed |= field->wire != wire;
	return field->wire == wire;
}
