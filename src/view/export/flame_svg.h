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
#include "profile/profile_join.h"

#include <stdint.h>
#include <stdio.h>

/** @event: NAMED_NONE for flame_svg_default_event(). @name: of the file, for messages. */
struct error *flame_svg_write(const struct named_profile *profile, uint32_t event, FILE *stream,
			      const char *name);

/** The event that is drawn if none is asked for: the first that has samples, else the first. */
uint32_t flame_svg_default_event(const struct named_profile *profile);

struct flame_svg_diff {
	const struct profile_join *join;
	const char *names[2]; /* of the recordings: the earlier one first */
	uint32_t events[2];   /* of each, as the joined profile numbers them */
};

/**
 * A joined profile. Boxes are as wide as their share in the later recording, red where it grew,
 * blue where it shrank; tooltips have both shares. A note says how much of the earlier recording
 * is in calls that the later one does not have.
 */
struct error *flame_svg_write_diff(const struct named_profile *profile,
				   const struct flame_svg_diff *diff, FILE *stream,
				   const char *name);

#endif
