/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_FILE_CONFIG_LINES_H
#define WPERF_CATALOG_FILE_CONFIG_LINES_H

/**
 * The lines of a -C or -E file, without comments ('#' to the end of the line), surrounding blanks
 * and empty lines.
 */

#include "base/error.h"

#include <stddef.h>

struct config_lines {
	const char *path;
	unsigned number; /* of the last line returned; the first is 1 */
	char *text;      /* private: a copy of the file */
	char *rest;      /* private: the rest of it */
};

#define CONFIG_LINES_INIT \
	{                 \
	}

/** @text may be NULL if @size is 0, and may start with a UTF-8 byte order mark. */
struct error *config_lines_init(struct config_lines *lines, const char *path, const char *text,
				size_t size);
void config_lines_deinit(struct config_lines *lines);

/** The next line, which is writable; NULL after the last. */
char *config_lines_next(struct config_lines *lines);

/** Set the hint of @err to the file and the line. */
struct error *config_lines_error(const struct config_lines *lines, struct error *err);

/** Remove surrounding blanks, in place. */
char *config_lines_trim(char *text);

#endif
