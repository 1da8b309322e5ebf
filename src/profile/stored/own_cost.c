// SPDX-License-Identifier: Apache-2.0

#include "profile/stored/own_cost.h"

#include <stdlib.h>
#include <string.h>

static bool own_cost_is_event(const struct named_profile *profile, uint32_t event)
{
	const char *name = named_profile_text(profile, profile->events[event].name);
	return strcmp(name, OWN_COST_CPU) == 0 || strcmp(name, OWN_COST_MEMORY) == 0;
}

/** @numbers: of the events that are kept; NAMED_NONE of others. */
static void own_cost_renumber(struct named_profile *profile, const uint32_t *numbers)
{
	size_t num_samples = 0;
	for (size_t i = 0; i < profile->num_samples; i++) {
		struct named_sample sample = profile->samples[i];
		sample.event = numbers[sample.event];
		if (sample.event != NAMED_NONE)
			profile->samples[num_samples++] = sample;
	}
	profile->num_samples = num_samples;
}

struct error *own_cost_leave_out(struct named_profile *profile)
{
	_cleanup_free_ uint32_t *numbers = calloc(profile->num_events + 1, sizeof(*numbers));
	uint32_t num_kept = 0;
	if (!numbers)
		return &error_no_memory;
	for (uint32_t i = 0; i < profile->num_events; i++)
		numbers[i] = own_cost_is_event(profile, i) ? NAMED_NONE : num_kept++;
	if (!num_kept || num_kept == profile->num_events)
		return NULL;
	for (uint32_t i = 0; i < profile->num_events; i++)
		if (numbers[i] != NAMED_NONE)
			profile->events[numbers[i]] = profile->events[i];
	profile->num_events = num_kept;
	own_cost_renumber(profile, numbers);
	return NULL;
}
