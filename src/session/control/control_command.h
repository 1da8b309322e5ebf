/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_CONTROL_CONTROL_COMMAND_H
#define WPERF_SESSION_CONTROL_CONTROL_COMMAND_H

/**
 * One line that another program writes to a run with --control. The words are those of perf
 * (perf-stat(1), perf-record(1)).
 *
 * To add a command: 1) a value below and its word in control_command.c, 2) what stat and record do
 * with it, 3) docs/counting.md and the help of --control.
 */

#include <stddef.h>

enum control_verb {
	CONTROL_ENABLE,
	CONTROL_DISABLE,
	CONTROL_SNAPSHOT,
	CONTROL_EVLIST, /* wperf prints its events */
	CONTROL_PING,   /* only wants the answer */
	CONTROL_STOP,   /* the run ends, as with Ctrl-C */
	CONTROL_UNKNOWN,
};

enum { CONTROL_LINE_MAX = 256 }; /* bytes of a line, without its end */

struct control_command {
	enum control_verb verb;
	size_t argument_at;              /* in `line`: see control_command_argument() */
	char line[CONTROL_LINE_MAX + 1]; /* as it came, for messages; cut if it was longer */
};

/** What stands behind the verb; "" if nothing does. */
static inline const char *control_command_argument(const struct control_command *command)
{
	return command->line + command->argument_at;
}

/** A line that is longer than CONTROL_LINE_MAX, or has bytes that do not print, is
 *  CONTROL_UNKNOWN. */
void control_command_parse(const char *line, size_t length, struct control_command *ret);

#endif
