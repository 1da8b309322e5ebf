/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_PROFILE_FIXTURE_H
#define WPERF_TESTS_UNIT_PROFILE_FIXTURE_H

/** Profiles of few words; for cmocka tests, include it after assert_error.h. */

#include "profile/named_profile.h"

static inline uint32_t fixture_frame(struct named_profile *profile, const char *name,
				     const char *file, uint32_t line)
{
	struct named_function function = {.module = NAMED_NONE, .line = 1};
	assert_no_error(named_profile_string(profile, name, &function.name));
	assert_no_error(named_profile_string(profile, file, &function.file));
	struct named_frame frame = {.file = function.file, .line = line};
	assert_no_error(named_profile_function(profile, &function, &frame.function));
	uint32_t index;
	assert_no_error(named_profile_frame(profile, &frame, &index));
	return index;
}

/** @frames: leaf first. */
static inline void fixture_sample(struct named_profile *profile, uint64_t weight,
				  const uint32_t *frames, size_t num_frames)
{
	struct named_sample sample = {.weight = weight, .count = 1, .cpu = NAMED_NONE};
	assert_no_error(stack_table_intern(&profile->stacks, frames, num_frames, &sample.stack));
	assert_no_error(named_profile_add(profile, &sample));
}

#endif
