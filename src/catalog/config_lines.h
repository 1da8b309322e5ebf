/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_CONFIG_LINES_H
#define WPERF_CATALOG_CONFIG_LINES_H

/**
 * The lines of a -C or -E file that say something: without comments ('#' to the end of the line)
 * and the blanks around; empty ones are passed over.
 */

#include "base/error.h"

#include <stddef.h>

struct config_lines {
	const char *path;
	unsigned number; /* of the line that was given last; the first is 1 */
	char *text;      /* private: a copy of all, */
	char *rest;      /* and what is left of it */
};

#define CONFIG_LINES_INIT \
	{                 \
	}

/** @text may be NULL if @size is 0, and may start with a UTF-8 byte order mark. */
struct error *config_lines_init(struct config_lines *lines, const char *path, const char *text,
				size_t size);
void config_lines_deinit(struct config_lines *lines);

/** The next line, which may be written to until the end; NULL behind the last. */
char *config_lines_next(struct config_lines *lines);

/** Tell where @err came from: file and line become its hint. */
struct error *config_lines_error(const struct config_lines *lines, struct error *err);

/** @text without the blanks around, in place. */
char *config_lines_trim(char *text);

#endif
