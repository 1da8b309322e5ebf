// SPDX-License-Identifier: Apache-2.0
// Input: the start of an interpreter's runtime.

#include "interpreter/python/layout/python_published.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct python_layout layout;
	uint32_t version;
	bool is_windows = size && data[size - 1] & 1;
	_cleanup_(error_destroyp) struct error *err =
		python_published_parse(data, size, is_windows, &layout, &version);
	if (err)
		return 0;
	struct python_walk walk = python_layout_walk(&layout);
	if (walk.frame_size > PYTHON_WALK_FRAME_BYTES || walk.frame_code + 8 > walk.frame_size ||
	    walk.frame_back + 8 > walk.frame_size || walk.frame_instruction + 8 > walk.frame_size ||
	    walk.frame_mark >= walk.frame_size ||
	    layout.thread_frame + 8 > python_layout_thread_bytes(&layout) ||
	    python_layout_thread_bytes(&layout) > PYTHON_LAYOUT_THREAD_BYTES ||
	    python_layout_code_bytes(&layout) > PYTHON_LAYOUT_CODE_BYTES ||
	    python_layout_code_flags(&layout) > PYTHON_LAYOUT_CODE_BYTES - 4)
		abort();
	return 0;
}
