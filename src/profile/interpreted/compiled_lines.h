/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_INTERPRETED_COMPILED_LINES_H
#define WPERF_PROFILE_INTERPRETED_COMPILED_LINES_H

/**
 * Samples in code that an interpreter's JIT made, for several events: CPython's says only now and
 * then where it is, so that the line they were found at may be another one of the same function.
 * The function is right.
 */

#include "base/error.h"
#include "profile/named_profile.h"
#include "profile/profile_filter.h"

#include <stddef.h>
#include <stdint.h>

struct compiled_line {
	uint32_t file, line;
	const struct named_total *selves; /* of each event */
};

struct compiled_lines {
	struct compiled_line *lines; /* by file and line; only those with such samples */
	size_t num_lines;
	struct named_total *sums; /* private: what the lines point into */
};

#define COMPILED_LINES_INIT \
	{                   \
	}

/**
 * A sample belongs to the innermost interpreted line on its stack.
 * @filters: one for each event. With none of them, there are only lines, and all that ever had
 * such samples. @ret: set only on success.
 */
struct error *compiled_lines_create(const struct named_profile *profile,
				    struct profile_filter *const *filters, size_t num_filters,
				    struct compiled_lines *ret);
void compiled_lines_deinit(struct compiled_lines *compiled);

/** The line's; NULL if it has none. */
const struct compiled_line *compiled_lines_find(const struct compiled_lines *compiled,
						uint32_t file, uint32_t line);

/** Of a file, or of all (NAMED_NONE). */
struct named_total compiled_lines_sum(const struct compiled_lines *compiled, uint32_t file,
				      size_t event);

#endif
