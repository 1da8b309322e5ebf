// SPDX-License-Identifier: Apache-2.0
// Input: a perf-PID.map.

#include "base/cleanup.h"
#include "symbols/jit/perf_map.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = calloc(size + 1, 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	_cleanup_(code_map_deinit) struct code_map map = CODE_MAP_INIT;
	error_destroy(perf_map_parse(&map, text, size));
	for (size_t i = 0; i < map.num_pieces; i++) {
		const struct code_range *range = code_map_find(&map, map.pieces[i].end - 1);
		if (range != &map.ranges[map.pieces[i].range] || !strlen(range->name))
			abort();
		if (i && map.pieces[i - 1].end > map.pieces[i].start)
			abort();
	}
	return 0;
}
