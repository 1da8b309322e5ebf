/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_LAYOUT_SHORT_NAME_H
#define WPERF_VIEW_LAYOUT_SHORT_NAME_H

/**
 * Long names for narrow tables. Template arguments go first, then the middle:
 *
 *	std::vector<int, std::allocator<int> >::push_back    std::vector<…>::push_back
 *	/usr/lib/python3/dist-packages/apt/cache.py:12        /usr/lib…packages/apt/cache.py:12
 */

#include <stddef.h>

/** Which part of a text can be left out. */
enum short_name_cut {
	SHORT_NAME_MIDDLE, /* of a name or a path */
	SHORT_NAME_END,    /* of a sentence or a line of source */
};

/**
 * At most @max_columns wide (see safe_text_width(); at least 1), or @text itself if it fits.
 * To be freed; NULL: no memory.
 */
char *short_name_create(const char *text, size_t max_columns, enum short_name_cut cut);

#endif
