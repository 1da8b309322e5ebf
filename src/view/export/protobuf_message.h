/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_EXPORT_PROTOBUF_MESSAGE_H
#define WPERF_VIEW_EXPORT_PROTOBUF_MESSAGE_H

/**
 * One message of protocol buffers, as bytes. Fields that are 0 or empty are left out, as proto3
 * does. Memory: adding does not fail visibly; bytes.failed tells.
 *
 *	protobuf_message_u64(&line, 1, function_id);
 *	protobuf_message_nested(&location, 4, &line);
 *
 * The nested message is empty behind that: the same one serves for the next.
 */

#include "base/text/string_builder.h"

#include <stddef.h>
#include <stdint.h>

struct protobuf_message {
	struct string_builder bytes;
};

#define PROTOBUF_MESSAGE_INIT \
	{                     \
	}

void protobuf_message_u64(struct protobuf_message *message, uint32_t field, uint64_t value);

/** The same of a field that says something by being there (one of a oneof): also 0 is written. */
void protobuf_message_number(struct protobuf_message *message, uint32_t field, uint64_t value);

/** Of the type fixed64: eight bytes. */
void protobuf_message_fixed64(struct protobuf_message *message, uint32_t field, uint64_t value);

/** Text: bytes that are not UTF-8 become U+FFFD, or readers would refuse the whole file. Also an
 *  empty one is written. */
void protobuf_message_text(struct protobuf_message *message, uint32_t field, const char *text);

/** Also an empty one is written. @nested is empty behind it. */
void protobuf_message_nested(struct protobuf_message *message, uint32_t field,
			     struct protobuf_message *nested);

/** Numbers of a packed field, one by one into a message of their own, which is then nested. */
void protobuf_message_packed(struct protobuf_message *message, uint64_t value);
void protobuf_message_packed_fixed64(struct protobuf_message *message, uint64_t value);

/** Fields of another message of the same type behind those of this one. */
void protobuf_message_append(struct protobuf_message *message,
			     const struct protobuf_message *fields);

/** Empty again, its memory kept. */
void protobuf_message_clear(struct protobuf_message *message);
void protobuf_message_deinit(struct protobuf_message *message);

#endif
