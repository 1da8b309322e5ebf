// SPDX-License-Identifier: Apache-2.0

#include "profile/interpreted/interpreted_raise.h"

#include <string.h>

bool interpreted_raise_is(const struct named_profile *profile, uint32_t frame)
{
	const struct named_function *function =
		&profile->functions[profile->frames[frame].function];
	return function->kind == FRAME_INTERPRETED &&
	       strncmp(named_profile_text(profile, function->name), INTERPRETED_RAISE_PREFIX,
		       strlen(INTERPRETED_RAISE_PREFIX)) == 0;
}

const char *interpreted_raise_type(const struct named_profile *profile, uint32_t function)
{
	return named_profile_text(profile, profile->functions[function].name) +
	       strlen(INTERPRETED_RAISE_PREFIX);
}
