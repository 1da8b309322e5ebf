/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_LINE_IMAGE_LINE_IMAGE_DWARF_H
#define WPERF_OBJECT_LINE_IMAGE_LINE_IMAGE_DWARF_H

/** The debug information of an image of interpreted lines: where functions and lines are. */

#include "base/text/string_builder.h"
#include "object/line_image/line_image.h"

struct line_image_dwarf {
	/** The bytes of .debug_abbrev, .debug_info, .debug_line and .debug_aranges. */
	struct string_builder abbreviations, info, lines, ranges;
	/* private */
	const struct line_image *image;
	const struct line_image_language *language;
	uint32_t *file_numbers; /* by number of the string */
	uint32_t num_files;
};

/** To be ended with _deinit also after a failure. What builders failed at is seen in them. */
struct error *line_image_dwarf_init(struct line_image_dwarf *dwarf, const struct line_image *image,
				    const struct line_image_language *language);
void line_image_dwarf_deinit(struct line_image_dwarf *dwarf);

#endif
