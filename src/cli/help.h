/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_HELP_H
#define WPERF_CLI_HELP_H

/**
 * Help in three forms, all made from the tables of commands and options, so that they cannot
 * disagree.
 */

#include "cli/command.h"

#include <stdbool.h>
#include <stdio.h>

struct option;

/** @id: COMMAND_NONE for all of it. */
void help_print_text(enum command_id id, bool compat, FILE *stream);

/** The source of a man page: wperf(1), or wperf-<command>(1). */
void help_print_man(enum command_id id, FILE *stream);

/** Completion for bash. */
void help_print_bash(FILE *stream);

/** Does this command take this option? With COMMAND_NONE: any. */
bool help_command_takes(enum command_id id, const struct option *option);

/** "-c, --cpu CORES" */
void help_option_heading(const struct option *option, bool with_value, char *buffer, size_t size);

/** The commands in the order in which people look for them. */
extern const enum command_id help_order[NUM_COMMANDS];

/** Exit codes and environment, for text and man page. */
struct help_pair {
	const char *name;
	const char *text;
};

extern const struct help_pair help_exit_codes[];  /* until a NULL name */
extern const struct help_pair help_environment[]; /* until a NULL name */

#endif
