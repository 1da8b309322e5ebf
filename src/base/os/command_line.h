/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_OS_COMMAND_LINE_H
#define WPERF_BASE_OS_COMMAND_LINE_H

/** The arguments of this process, in UTF-8. */

#include "base/error.h"

struct command_line {
	int argc;
	char **argv; /* ends with NULL */
};

#define COMMAND_LINE_INIT \
	{                 \
	}

/** @argc, @argv: of main(); they must outlive @line. */
struct error *command_line_init(struct command_line *line, int argc, char **argv);
void command_line_deinit(struct command_line *line);

#endif
