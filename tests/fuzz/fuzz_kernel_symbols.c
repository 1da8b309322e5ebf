// SPDX-License-Identifier: Apache-2.0
// Input: a /proc/kallsyms.

#include "symbols/kernel_symbols.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = calloc(size + 1, 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	_cleanup_(kernel_symbols_deinit) struct kernel_symbols symbols = KERNEL_SYMBOLS_INIT;
	error_destroy(kernel_symbols_parse(&symbols, text, size));
	for (size_t i = 0; i < symbols.num_items; i++) {
		struct kernel_place place;
		if (!kernel_symbols_find(&symbols, symbols.items[i].address, &place))
			continue;
		if (place.address != symbols.items[i].address ||
		    memchr(place.name, '\n', place.name_length) ||
		    (place.module && strlen(place.module) > size))
			abort();
	}
	return 0;
}
