/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_TEXT_LINES_H
#define WPERF_BASE_TEXT_TEXT_LINES_H

/** Finds the lines of a text by number, in constant time. */

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct text_lines {
	const char *text;
	size_t size;
	size_t *starts; /* of each line */
	size_t num_lines, cap_lines;
};

#define TEXT_LINES_INIT \
	{               \
	}

/** @text must outlive @lines. The last line may have no line end; a line end at the end of the text
 *  does not begin another line. */
struct error *text_lines_init(struct text_lines *lines, const char *text, size_t size);
void text_lines_deinit(struct text_lines *lines);

struct text_line {
	const char *text; /* NULL: there is no such line; does not end with NUL */
	size_t length;    /* without "\n" or "\r\n" */
};

/** @number: 1 for the first one. */
struct text_line text_lines_get(const struct text_lines *lines, uint64_t number);

#endif
