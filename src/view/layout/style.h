/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_LAYOUT_STYLE_H
#define WPERF_VIEW_LAYOUT_STYLE_H

/**
 * How words stand out on a terminal, in one place. Without colour every code is empty, so that
 * callers need no branch:
 *
 *	struct style style = {.color = terminal_has_color(stderr)};
 *	fprintf(stderr, "%serror:%s %s\n", style_code(&style, STYLE_RED),
 *		style_code(&style, STYLE_RESET), err->message);
 */

#include <stdbool.h>

struct style {
	bool color;
};

enum style_part {
	STYLE_BOLD,
	STYLE_DIM,
	STYLE_RED,
	STYLE_YELLOW,
	STYLE_CYAN,
	STYLE_REVERSE, /* background and text are exchanged */
	STYLE_RESET,   /* back to normal; ends all of the above */
};

/** What to print before text that shall look like @part; never NULL. */
const char *style_code(const struct style *style, enum style_part part);

#endif
