/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_FOREIGN_FOREIGN_OPTION_H
#define WPERF_CLI_OPTION_FOREIGN_FOREIGN_OPTION_H

/**
 * Options that users of perf, py-spy and samply type, and that we spell differently or do not
 * need. Help and completion do not list them.
 *
 * To add one: a row in foreign_option.c and a case in tests/cli/known_words.case.
 */

#include <stdbool.h>
#include <stddef.h>

struct foreign_option {
	const char *word;
	unsigned commands;  /* 1 << command_id of those where it is known */
	bool has_value;     /* unless @option says so */
	const char *option; /* our spelling of the same; or NULL */
	const char *value;  /* that it gives to our option, which needs one; or NULL */
	const char *hint;   /* why it is refused; NULL beside a NULL @option: it changes nothing */
};

/**
 * The row of a word, or NULL.
 * @takers: 1 << command_id of the commands that were named; 0: any.
 */
const struct foreign_option *foreign_option_find(const char *word, size_t length, unsigned takers);

/** The same behind the one of @previous; NULL: the first. */
const struct foreign_option *foreign_option_next(const struct foreign_option *previous);

#endif
