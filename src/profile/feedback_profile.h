/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_FEEDBACK_PROFILE_H
#define WPERF_PROFILE_FEEDBACK_PROFILE_H

/**
 * How often the lines of a module's functions ran, for a compiler: by distance from the line where
 * the function is defined, so that changes elsewhere in the file do no harm. Inlined calls are
 * functions of their own within what they are inlined into. Functions without a line in the debug
 * information are left out.
 */

#include "base/container/string_table.h"
#include "base/error.h"
#include "profile/leaf_module.h"
#include "profile/named_profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** In a function. */
struct feedback_place {
	uint32_t line;  /* after that of the definition; the lower 16 bits, as LLVM has it */
	uint32_t piece; /* of the line's code: feedback_discriminator_piece() */
};

/** What a place called, by the stacks of samples. */
struct feedback_target {
	const char *name;
	uint64_t count; /* an estimate of how often */
};

struct feedback_line {
	struct feedback_place place;
	uint64_t count;
	size_t first_target, num_targets;
};

struct feedback_function {
	const char *name;            /* as linkers see it, without what compilers append */
	uint32_t depth;              /* 0; of what is inlined into it 1, ... */
	struct feedback_place place; /* of the call, in what it is inlined into */
	uint64_t total;              /* samples, also of what is inlined */
	uint64_t head;               /* an estimate of how often it was called; 0: not known */
	size_t first_line, num_lines;
};

struct feedback_profile {
	struct leaf_module of;
	uint64_t num_samples; /* of the module's, those in functions with lines */
	bool has_cold_code;   /* it is known which lines have no samples */
	/** Hottest first, each followed by what is inlined into it. */
	struct feedback_function *functions;
	struct feedback_line *lines;
	struct feedback_target *targets;
	size_t num_functions, num_lines, num_targets;
	struct string_table names; /* private: what the others point into */
};

#define FEEDBACK_PROFILE_INIT \
	{                     \
	}

/** Of the module with the most samples. @event: NAMED_NONE for all. @ret: set only on success. */
struct error *feedback_profile_create(const struct named_profile *profile, uint32_t event,
				      struct feedback_profile *ret);
void feedback_profile_deinit(struct feedback_profile *feedback);

#endif
