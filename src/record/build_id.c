// SPDX-License-Identifier: Apache-2.0

#include "record/build_id.h"

#include "base/text/number.h"

#include <stdio.h>
#include <string.h>

struct record_build_id build_id_parse(const char *digits)
{
	struct record_build_id id = {0};
	size_t length = strlen(digits);
	if (length % 2)
		return id;
	for (size_t i = 0; i < length; i += 2) {
		uint64_t byte;
		if (number_parse_hex(&digits[i], 2, false, &byte) != NUMBER_OK)
			return (struct record_build_id){0};
		if (id.size < RECORD_BUILD_ID_MAX)
			id.bytes[id.size++] = (uint8_t)byte;
	}
	return id;
}

void build_id_format(const struct record_build_id *id, char ret[BUILD_ID_DIGITS + 1])
{
	ret[0] = '\0';
	for (size_t i = 0; i < id->size && i < RECORD_BUILD_ID_MAX; i++)
		snprintf(ret + 2 * i, 3, "%02x", id->bytes[i]);
}
