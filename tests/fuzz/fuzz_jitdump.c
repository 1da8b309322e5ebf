// SPDX-License-Identifier: Apache-2.0
// Input: a jit-PID.dump.

#include "symbols/jit/jitdump.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(code_map_deinit) struct code_map map = CODE_MAP_INIT;
	error_destroy(jitdump_parse(&map, data, size));
	for (size_t i = 0; i < map.num_pieces; i++) {
		uint64_t address = map.pieces[i].end - 1;
		const struct code_range *range = code_map_find(&map, address);
		if (!range || strlen(range->name) > size)
			abort();
		const struct code_line *line = code_map_find_line(&map, range, address);
		if (line && strlen(line->file) > size)
			abort();
	}
	return 0;
}
