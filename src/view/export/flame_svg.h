/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_EXPORT_FLAME_SVG_H
#define WPERF_VIEW_EXPORT_FLAME_SVG_H

/**
 * A flame graph as one SVG file: callees below their callers, as wide as their share of the event,
 * in the colours of the HTML report, light or dark as the viewer prefers.
 *
 * It needs no network and no script: every box has its numbers as a tooltip, and names are clipped
 * to their boxes. In a browser, a script in the file fits the graph to the window, zooms and
 * searches.
 *
 * Functions that are too narrow to see, or called too deep, are one box per caller; a note counts
 * them and their share.
 */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stdio.h>

/** @event: NAMED_NONE for the first that has samples. @name: of the file, for messages. */
struct error *flame_svg_write(const struct named_profile *profile, uint32_t event, FILE *stream,
			      const char *name);

#endif
