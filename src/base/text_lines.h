/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_LINES_H
#define WPERF_BASE_TEXT_LINES_H

/** The lines of a text that somebody else owns, found by number in no time. */

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

/** @text must outlive the lines. A last line may have no end; what comes behind the last end of a
 *  line is one only if it is not empty. */
struct error *text_lines_init(struct text_lines *lines, const char *text, size_t size);
void text_lines_deinit(struct text_lines *lines);

struct text_line {
	const char *text; /* NULL: there is no such line; no NUL behind it */
	size_t length;    /* without its end, "\n" or "\r\n" */
};

/** @number: 1 for the first one. */
struct text_line text_lines_get(const struct text_lines *lines, uint64_t number);

#endif
