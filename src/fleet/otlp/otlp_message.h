/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_OTLP_OTLP_MESSAGE_H
#define WPERF_FLEET_OTLP_OTLP_MESSAGE_H

/**
 * Reads a message of protocol buffers, of untrusted bytes, field by field:
 *
 *	struct otlp_field field;
 *	while (otlp_message_next(&message, &field))
 *		if (field.number == 2) ...
 *	if (message.failed) ...
 */

#include "base/reader.h"

#include <stdbool.h>
#include <stdint.h>

enum otlp_wire {
	OTLP_WIRE_VARINT = 0,
	OTLP_WIRE_64BIT = 1,
	OTLP_WIRE_BYTES = 2,
	OTLP_WIRE_32BIT = 5,
};

struct otlp_field {
	uint32_t number;
	enum otlp_wire wire;
	uint64_t value;      /* of numbers; else 0 */
	struct reader bytes; /* of texts, messages and packed lists; else empty */
};

/** False: there are no more, or the reader has failed. */
bool otlp_message_next(struct reader *message, struct otlp_field *ret);

/** Is it the field of this number, which has this type? Of another type, the message fails. */
bool otlp_field_is(struct reader *message, const struct otlp_field *field, uint32_t number,
		   enum otlp_wire wire);

#endif
