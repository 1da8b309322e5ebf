/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_FOREIGN_FOREIGN_COMMAND_H
#define WPERF_CLI_OPTION_FOREIGN_FOREIGN_COMMAND_H

/**
 * Commands that users of perf, py-spy and samply type as the first word: those that stand for
 * words of ours, and those that we do not have, with what comes nearest. `wperf help perf` prints
 * the table.
 *
 * To add one: a row in foreign_command.c and a case in tests/cli/known_words.case.
 */

#include "base/error.h"
#include "base/text/string_builder.h"
#include "cli/command.h"

#include <stdbool.h>

enum { FOREIGN_MAX_WORDS = 8 };

struct foreign_command {
	const char *word;
	const char *second; /* the word behind it: "report" of `c2c report`; NULL: none */

	/** Our words for both, up to a NULL; empty: none. The user's other words follow them. */
	const char *reads[FOREIGN_MAX_WORDS];   /* for a recording */
	const char *records[FOREIGN_MAX_WORDS]; /* where a program, -p or -a follows */
	bool is_same; /* @reads is only another spelling: there is no note */

	/** What comes nearest; of a row with a second word: what else to know, or NULL. */
	const char *hint;

	/** Give the words behind it to the options that mean the same; or NULL. */
	struct error *(*take_arguments)(struct options *options);
};

/** The first row of a word, or NULL. */
const struct foreign_command *foreign_command_find(const char *word);

/** The row of both; of any second word if the word needs none. NULL: there is none. */
const struct foreign_command *foreign_command_find_second(const char *word, const char *second);

/** Does the word behind it say what is meant? */
bool foreign_command_needs_second(const char *word);

/** The row behind @previous, or NULL; NULL: the first. */
const struct foreign_command *foreign_command_next(const struct foreign_command *previous);

/** "wperf report --spe sharing", or what comes nearest. */
void foreign_command_describe(const struct foreign_command *command, struct string_builder *text);

/** The error of words that we do not have. @second: as it was typed, or NULL. */
struct error *foreign_command_refuse(const struct foreign_command *command, const char *second);

#endif
