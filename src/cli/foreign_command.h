/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_FOREIGN_COMMAND_H
#define WPERF_CLI_FOREIGN_COMMAND_H

/**
 * Commands that users of perf, py-spy and samply type as the first word: those that are another
 * spelling of ours, and those that we do not have, with what comes nearest.
 *
 * To add one: a row in foreign_command.c and a case in tests/cli/known_words.case.
 */

#include "base/error.h"
#include "cli/command.h"

struct foreign_command {
	const char *word;
	enum command_id command; /* that does it, or COMMAND_NONE */
	const char *hint;        /* of COMMAND_NONE: what comes nearest */

	/** Give the words behind it to the options that mean the same; or NULL. */
	struct error *(*take_arguments)(struct options *options);
};

/** NULL if there is none. */
const struct foreign_command *foreign_command_find(const char *word);

/** The error of one that we do not have. */
struct error *foreign_command_refuse(const struct foreign_command *command);

#endif
