// SPDX-License-Identifier: Apache-2.0

#include "driver/core/wide_text.h"

void driver_wide_text_append(uint16_t *text, size_t size, const char *ascii)
{
	size_t length = 0;
	while (length < size && text[length])
		length++;
	for (; *ascii && length + 1 < size; ascii++, length++)
		text[length] = (unsigned char)*ascii < 0x80 ? (uint16_t)*ascii : '?';
	if (length < size)
		text[length] = 0;
}

bool driver_wide_text_fits(size_t size, const char *ascii)
{
	if (!ascii)
		return false;
	for (size_t length = 0; length < size; length++) {
		if (!ascii[length])
			return true;
	}
	return false;
}
