/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_INTERPRETED_INTERPRETED_FUNCTION_H
#define WPERF_PROFILE_INTERPRETED_INTERPRETED_FUNCTION_H

/** An interpreted function on its way into a profile: its file is its module. */

#include "profile/named_profile.h"

struct interpreted_function {
	const char *name;
	const char *file; /* as the interpreter has it; "": not known */
	uint32_t first_line;
};

/** A frame of the function, at a line of it; 0: not known. @is_compiled: see struct named_frame. */
struct error *interpreted_function_frame(struct named_profile *profile,
					 const struct interpreted_function *function, uint32_t line,
					 bool is_compiled, uint32_t *ret);

#endif
