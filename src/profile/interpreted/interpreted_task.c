// SPDX-License-Identifier: Apache-2.0

#include "profile/interpreted/interpreted_task.h"

#include <string.h>

bool interpreted_task_is(const struct named_profile *profile, uint32_t frame)
{
	const struct named_function *function =
		&profile->functions[profile->frames[frame].function];
	return function->kind == FRAME_INTERPRETED &&
	       strcmp(named_profile_text(profile, function->file), INTERPRETED_TASK_FILE) == 0;
}
