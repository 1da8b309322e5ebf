/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_HELP_COMMAND_TEXT_H
#define WPERF_CLI_HELP_COMMAND_TEXT_H

/**
 * What help and man pages say about each command. The texts are in text/commands/<name>.txt;
 * help_text.cmake makes this table of them and explains their format.
 */

#include "cli/command.h"

struct command_example {
	const char *line; /* behind "wperf " */
	const char *text;
};

enum { COMMAND_MAX_EXAMPLES = 8, COMMAND_MAX_USAGES = 4 };

struct command_text {
	const char *summary;                   /* one line, without a full stop */
	const char *usage[COMMAND_MAX_USAGES]; /* behind "wperf "; until NULL */
	const char *description;               /* at most three lines */
	const char *details;                   /* what the man page and help -v add, or NULL */
	struct command_example examples[COMMAND_MAX_EXAMPLES]; /* until a NULL line */
};

extern const struct command_text command_texts[NUM_COMMANDS];

#endif
