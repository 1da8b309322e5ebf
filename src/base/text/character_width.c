// SPDX-License-Identifier: Apache-2.0
// To renew the table for a newer Unicode, run scripts/character_widths.py on a system that has it.

#include "base/text/character_width.h"

#include "base/container/array.h"

#include <stddef.h>

// By character; the rest takes one column.
static const struct character_width_range {
	uint32_t first, last;
	uint8_t width;
} character_width_ranges[] = {
#include "base/text/character_width.inc"
};

unsigned character_width(uint32_t code_point)
{
	size_t low = 0, high = ARRAY_SIZE(character_width_ranges);
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct character_width_range *range = &character_width_ranges[middle];
		if (code_point < range->first)
			high = middle;
		else if (code_point > range->last)
			low = middle + 1;
		else
			return range->width;
	}
	return 1;
}
