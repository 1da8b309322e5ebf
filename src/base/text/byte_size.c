// SPDX-License-Identifier: Apache-2.0

#include "base/text/byte_size.h"

#include "base/text/number.h"

#include <string.h>

bool byte_size_parse(const char *text, uint64_t *ret)
{
	static const char units[] = "kKmMgG"; // two letters of each, 10 bits more
	size_t length = strlen(text);
	const char *unit = length ? strchr(units, text[length - 1]) : NULL;
	unsigned shift = unit ? ((unsigned)(unit - units) / 2 + 1) * 10 : 0;
	uint64_t number;
	if (number_parse_decimal(text, unit ? length - 1 : length, &number) != NUMBER_OK ||
	    number > UINT64_MAX >> shift)
		return false;
	*ret = number << shift;
	return true;
}
