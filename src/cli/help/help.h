/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_HELP_HELP_H
#define WPERF_CLI_HELP_HELP_H

/**
 * Help in all its forms, made from the tables of commands and options, so that they cannot
 * disagree, and from the files in text/. Those are embedded when wperf is built (help_text.cmake).
 */

#include "cli/command.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct option;

#define HELP_SENTENCE "find the functions and lines that burn CPU, miss caches or wait"

enum {
	HELP_MAX_HEADING = 128,
	HELP_MAX_TEXT = 256,
	HELP_DEFAULT_WIDTH = 80, /* where nothing says how wide the terminal is */
	HELP_MAX_WIDTH = 100,
};

struct help_layout {
	size_t width; /* columns */
	bool verbose; /* with the details that are in the man page */
};

/** What `wperf` alone prints: one screen with the commands, the most used options, examples. */
void help_print_overview(FILE *stream);

void help_print_command(enum command_id id, const struct help_layout *layout, FILE *stream);

/** The sources of events and their settings, for --source. */
void help_print_sources(const struct help_layout *layout, FILE *stream);

/** The commands of other tools, and what wperf runs or has instead. @word: of one; NULL: all. */
void help_print_foreign(const char *word, const struct help_layout *layout, FILE *stream);

/** All options and commands, laid out as WindowsPerf 3.8.0 does: tools look for its lines. */
void help_print_compat(FILE *stream);

/** A man page: wperf-<command>(1), or wperf(1) for COMMAND_NONE. */
void help_print_man(enum command_id id, FILE *stream);

/** Completion for bash. */
void help_print_bash(FILE *stream);

/** Whether the command takes the option. With COMMAND_NONE: any command. */
bool help_command_takes(enum command_id id, const struct option *option);

/** "-c, --cpu CORES"; choices are "KIND". */
void help_option_heading(const struct option *option, bool with_value, char *buffer, size_t size);

/** The text of an option, with the choices of its value: "Output format: text, man or bash." */
void help_option_text(const struct option *option, char *buffer, size_t size);

/** One way to call a command, behind "wperf "; NULL if there are not so many. */
const char *help_usage(enum command_id id, size_t i);

/** "record" of wperf-record(1). */
const char *help_page_name(enum command_id id);

/** The commands in the order in which people look for them. */
extern const enum command_id help_order[NUM_COMMANDS];

struct help_pair {
	const char *name;
	const char *text;
};

// From text/exit_status.txt, environment.txt and files.txt.
extern const struct help_pair help_exit_codes[];  /* until a NULL name */
extern const struct help_pair help_environment[]; /* until a NULL name */
extern const struct help_pair help_files[];       /* until a NULL name */

#endif
