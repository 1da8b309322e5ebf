// SPDX-License-Identifier: Apache-2.0

#include "library/library_choice.h"

#include "library/library_config.h"
#include "library/library_error.h"

#include <inttypes.h>
#include <stdlib.h>

static struct error *library_choice_check(const struct named_profile *profile,
					  const struct wperf_choice *choice)
{
	if (!profile->num_events)
		return error_create(ERROR_FAILED, "the recording has no events");
	if (choice->event == WPERF_NONE || choice->event < profile->num_events)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "the profile has no event %" PRIu32,
					    choice->event),
			       "it has %zu; the first is 0", profile->num_events);
}

/** Nanoseconds and cache misses have no sum; numbers of samples have. */
static struct error *library_choice_weigh(struct library_choice *choice)
{
	struct named_profile *profile = &choice->profile;
	choice->samples = calloc(profile->num_samples + 1, sizeof(*choice->samples));
	if (!choice->samples)
		return &error_no_memory;
	size_t num_samples = 0;
	for (size_t i = 0; i < profile->num_samples; i++) {
		struct named_sample sample = profile->samples[i];
		sample.weight = sample.count;
		// Samples of SPE are in the profile once more, with their latency.
		if (!profile->spe || sample.event != profile->spe->latency_event)
			choice->samples[num_samples++] = sample;
	}
	profile->samples = choice->samples;
	profile->num_samples = num_samples;
	return NULL;
}

struct error *library_choice_make(const struct named_profile *profile,
				  const struct wperf_choice *choice, struct library_choice *ret)
{
	struct wperf_choice taken;
	if (!library_config_take(choice, &taken, sizeof(taken)))
		return library_error_of_size("wperf_choice");
	struct error *err = library_choice_check(profile, &taken);
	if (err)
		return err;
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	criteria.event = taken.event;
	criteria.thread = taken.thread;
	criteria.module = taken.module;
	criteria.symbol = taken.symbol;
	criteria.start_ns = taken.start_ns;
	if (taken.end_ns)
		criteria.end_ns = taken.end_ns;
	bool is_one_event = taken.event != WPERF_NONE || profile->num_events == 1;
	struct library_choice made = {
		.profile = *profile,
		.is_whole =
			is_one_event &&
			profile->events[criteria.event == NAMED_NONE ? 0 : criteria.event].is_whole,
	};
	if (!is_one_event)
		err = library_choice_weigh(&made);
	if (!err)
		err = profile_filter_create(&made.profile, &criteria, &made.filter);
	if (err)
		library_choice_deinit(&made);
	else
		*ret = made;
	return err;
}

void library_choice_deinit(struct library_choice *choice)
{
	profile_filter_destroy(choice->filter);
	free(choice->samples);
	*choice = (struct library_choice){.filter = NULL};
}
