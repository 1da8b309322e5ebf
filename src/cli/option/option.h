/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_OPTION_H
#define WPERF_CLI_OPTION_OPTION_H

/**
 * The options as a table: how they are spelt, what they take, which commands know them, what
 * help says, and where their value goes.
 *
 * To add an option: a member in struct options (options.h), a row in the option_<group>.c where
 * help should list it, a case in tests/cli, and "ninja docs" for the man pages. Details that are
 * longer than a line are a section of help/text/options/<group>.txt; the row refers to it as
 * details_<heading>.
 */

#include "cli/command.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_kind {
	OPTION_FLAG,     /* bool */
	OPTION_TEXT,     /* const char *; the last one counts */
	OPTION_TEXTS,    /* struct text_list; all count */
	OPTION_EVENTS,   /* appended to the counted words */
	OPTION_METRICS,  /* likewise */
	OPTION_DURATION, /* uint64_t nanoseconds; a number alone is seconds */
	OPTION_PERIOD,   /* likewise, but a number alone is milliseconds, as perf has it */
	OPTION_NUMBER,   /* uint32_t within min..max */
	OPTION_RATE,     /* the same, and "max" for NUMBER_MAX */
	OPTION_COMMAND,  /* stands for a command: -l, --help, --version */
};

enum { OPTION_MAX_SPELLINGS = 3 };

struct option {
	const char *spellings[OPTION_MAX_SPELLINGS]; /* the first is the one of help */
	const char *alias; /* one more that help lists under aliases, or NULL */
	const char *value; /* what help calls the value; NULL: it takes none */
	/** It stands behind "=" only, and may be left out: this is meant then. NULL: it may not. */
	const char *value_if_left_out;
	enum option_kind kind;
	size_t offset;       /* of the member of struct options; OPTION_COMMAND: the command */
	uint32_t min, max;   /* OPTION_NUMBER; OPTION_DURATION has only a minimum, in nanoseconds */
	unsigned commands;   /* 1 << command_id of those that take it */
	const char *help;    /* one or two lines; NULL: an alias that help leaves out */
	const char *details; /* what only the man page and help -v add, or NULL */
	/** Is a word with a dash its value all the same? NULL: no. */
	bool (*may_be_value)(const char *word);
	bool is_rare; /* the help of a command names it in its last line only */
};

/** Options that help lists under one title. */
struct option_group {
	const char *title;
	const struct option *options; /* the most used first */
	size_t num_options;
};

extern const struct option_group *const option_groups[]; /* the most used first; until NULL */

/**
 * All options, group by group: the first one behind NULL, NULL behind the last.
 *
 * for (const struct option *option = NULL; (option = option_next(option));)
 */
const struct option *option_next(const struct option *previous);

/**
 * The option spelt exactly so (an alias, too), or NULL.
 * @takers: 1 << command_id of those that were named; of two options that are spelt alike, the
 *          one that they take. Options that are spelt alike agree in whether they have a value.
 */
const struct option *option_find(const char *word, size_t length, unsigned takers);

/** 1 << command_id of all that take an option spelt so. */
unsigned option_takers(const char *spelling);

/**
 * The option whose long spelling alone begins with this ("--sample-display-r").
 * @takers: of the options that one of these takes; 0: of all.
 * @ret: set to NULL if none does. More than one is an error that names them.
 */
struct error *option_find_abbreviation(const char *word, size_t length, unsigned takers,
				       const struct option **ret);

/** Have all options that this abbreviates, of whatever command, a value? No, if there are none. */
bool option_abbreviation_has_value(const char *word);

/** The spelling that is nearest to an unknown word, of options and commands; or NULL. */
const char *option_nearest(const char *word);

#endif
