/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_EXPORT_FLAME_SVG_COLORS_H
#define WPERF_VIEW_EXPORT_FLAME_SVG_COLORS_H

/** The colours of a flame graph, for the light and the dark theme: those of the HTML report. */

#include "profile/named_profile.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
	FLAME_SVG_NUM_KINDS = FRAME_MARKER + 1,
	FLAME_SVG_NUM_HUES = 15,  /* by module */
	FLAME_SVG_NUM_SHADES = 7, /* by name */
	FLAME_SVG_NUM_FILLS = FLAME_SVG_NUM_KINDS * FLAME_SVG_NUM_HUES * FLAME_SVG_NUM_SHADES,
	FLAME_SVG_NO_CHANGE = 10, /* less: it shrank, more: it grew */
	FLAME_SVG_NUM_CHANGES = 2 * FLAME_SVG_NO_CHANGE + 1,
};

/** Number of the fill of a function, less than FLAME_SVG_NUM_FILLS: the class of its boxes is
 *  "f" with the number behind. */
uint32_t flame_svg_fill(const struct named_profile *profile, uint32_t function);

/** Number of the fill of a share that changed by so many percentage points, less than
 *  FLAME_SVG_NUM_CHANGES: the class of its boxes is "c" with the number behind. Ten points are as
 *  red or as blue as it gets. */
uint32_t flame_svg_change_fill(double points);

/** The fills that boxes have. */
struct flame_svg_fills {
	bool functions[FLAME_SVG_NUM_FILLS], changes[FLAME_SVG_NUM_CHANGES];
};

/** Write the style sheet. */
void flame_svg_write_style(const struct flame_svg_fills *fills, FILE *stream);

#endif
