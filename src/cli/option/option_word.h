/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_OPTION_WORD_H
#define WPERF_CLI_OPTION_OPTION_WORD_H

/**
 * One word of the command line, read as an option or several: "--timeout", "--timeout=5",
 * "--timeo", "-timeout", "-F99", "-ag", "-agF99", and what other tools call an option.
 */

#include "base/error.h"
#include "cli/option/foreign/foreign_option.h"
#include "cli/option/option.h"

#include <stdbool.h>
#include <stddef.h>

enum { OPTION_WORD_MAX_FLAGS = 8 };

struct option_word {
	const struct option *flags[OPTION_WORD_MAX_FLAGS]; /* of a bundle, before its last */
	size_t num_flags;
	const struct option *option;          /* the last one; or NULL */
	const struct foreign_option *foreign; /* how another tool spells it; or NULL */
	const char *value; /* that is in the word or goes without saying; or NULL */
};

/**
 * @takers: 1 << command_id of the commands that were named; 0: not known yet.
 * @ret: all NULL if the word is no option. An abbreviation of several options is an error.
 */
struct error *option_word_read(const char *word, unsigned takers, struct option_word *ret);

static inline bool option_word_is_known(const struct option_word *word)
{
	return word->option || word->foreign;
}

/** Is the next word its value? */
bool option_word_wants_value(const struct option_word *word);

#endif
