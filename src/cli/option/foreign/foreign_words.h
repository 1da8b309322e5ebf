/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_FOREIGN_FOREIGN_WORDS_H
#define WPERF_CLI_OPTION_FOREIGN_FOREIGN_WORDS_H

/** A command line with a command of another tool, in words of ours. */

#include "base/error.h"

#include <stddef.h>

/** Where the command stands in the user's words. */
struct foreign_place {
	size_t num_words;
	char *const *words;
	size_t command, second; /* indexes; @num_words: there is no such word */
};

/**
 * @ours: instead of the command and its second word, up to a NULL.
 * @ret:  ends with NULL; its texts are those of @ours and @place. To be freed by the caller.
 */
struct error *foreign_words_replace(const struct foreign_place *place, const char *const *ours,
				    char ***ret, size_t *ret_num);

#endif
