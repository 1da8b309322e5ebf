/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_LINE_IMAGE_LINE_IMAGE_LAYOUT_H
#define WPERF_OBJECT_LINE_IMAGE_LINE_IMAGE_LAYOUT_H

/** What those who make images of interpreted lines and those who know them again agree on. */

#include "object/line_image/line_image.h"

#include <stdint.h>

enum {
	LINE_IMAGE_CODE = 0x1000, /* where the code begins, in the file and in memory */
	LINE_IMAGE_LINE_SIZE = 8, /* bytes of code for a line */
};

static inline uint64_t line_image_address(const struct line_image_range *range)
{
	return LINE_IMAGE_CODE + range->offset;
}

static inline uint32_t line_image_size(const struct line_image_range *range)
{
	return range->num_lines * LINE_IMAGE_LINE_SIZE;
}

/** A section that no other object has. */
#define LINE_IMAGE_MARK ".wperf.python"

#endif
