// SPDX-License-Identifier: Apache-2.0
// Names of threads, modules and functions are decided by profile_filter.h. Here are the two that
// depend on the recording as a whole: the events that it has, and the time of its first sample,
// which is the zero of --time.

#include "report/recorded/sample_choice.h"

#include "base/text/real_number.h"
#include "base/text/string_builder.h"
#include "session/profile_builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	// 30 years: times in nanoseconds stay below 2^63 by far.
	MAX_SECONDS = 1000000000,
};

/** @text: up to @end; an empty one is @if_empty. */
static bool parse_seconds(const char *text, const char *end, double if_empty, double *ret)
{
	char *stop;
	*ret = if_empty;
	if (text == end)
		return true;
	*ret = real_number_parse(text, &stop);
	return stop == end && isfinite(*ret) && *ret >= 0 && *ret <= MAX_SECONDS;
}

static struct error *set_time_range(const char *range, const struct named_profile *profile,
				    struct profile_criteria *criteria)
{
	const char *end = range + strlen(range);
	const char *comma = strchr(range, ',');
	double from, to;
	if (!parse_seconds(range, comma ? comma : end, 0, &from) ||
	    !parse_seconds(comma ? comma + 1 : end, end, MAX_SECONDS, &to) || from >= to)
		return error_with_hint(error_create(ERROR_USAGE, "not a time range: '%s'", range),
				       "give seconds since the first sample: --time 1.5,2");
	criteria->start_ns = profile->start_time_ns + (uint64_t)(from * 1e9);
	criteria->end_ns = profile->start_time_ns + (uint64_t)(to * 1e9);
	return NULL;
}

struct error *sample_choice_filter(const struct sample_choice *choice,
				   const struct named_profile *profile, uint32_t event,
				   struct profile_filter **ret)
{
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	criteria.event = event;
	criteria.thread = choice->thread;
	criteria.module = choice->module;
	criteria.symbol = choice->symbol;
	criteria.pick = choice->pick;
	struct error *err =
		choice->time_range ? set_time_range(choice->time_range, profile, &criteria) : NULL;
	return err ? err : profile_filter_create(profile, &criteria, ret);
}

bool sample_choice_wants_event(const struct sample_choice *choice,
			       const struct named_profile *profile, uint32_t event)
{
	const char *name = named_profile_text(profile, profile->events[event].name);
	if (choice->event)
		return strcmp(choice->event, name) == 0;
	// Beside others it would be an empty table.
	return !profile->events[event].is_dummy || profile->num_events == 1;
}

uint32_t sample_choice_next_event(const struct sample_choice *choice,
				  const struct named_profile *profile, uint32_t event)
{
	while (event < profile->num_events && !sample_choice_wants_event(choice, profile, event))
		event++;
	return event;
}

struct error *sample_choice_check_event(const struct sample_choice *choice,
					const struct named_profile *profile)
{
	// Collected on the way, for the hint of the error.
	_cleanup_(string_builder_deinit) struct string_builder names = STRING_BUILDER_INIT;
	for (uint32_t i = 0; i < profile->num_events; i++) {
		if (sample_choice_wants_event(choice, profile, i))
			return NULL;
		string_builder_appendf(&names, "%s%s", i ? ", " : "",
				       named_profile_text(profile, profile->events[i].name));
	}
	if (!choice->event)
		return error_create(ERROR_FAILED, "the recording has no events");
	bool is_wait = !strcmp(choice->event, OFF_CPU_NAME);
	return error_with_hint(error_create(ERROR_USAGE, "the recording has no event '%s'",
					    choice->event),
			       "%sits events: %s", is_wait ? "record it with --off-cpu; " : "",
			       string_builder_peek(&names));
}

uint32_t sample_choice_single_event(const struct sample_choice *choice,
				    const struct named_profile *profile)
{
	uint32_t event = sample_choice_next_event(choice, profile, 0);
	bool is_only = choice->event ||
		       sample_choice_next_event(choice, profile, event + 1) >= profile->num_events;
	return event < profile->num_events && is_only ? event : NAMED_NONE;
}

struct error *sample_choice_keep(const struct sample_choice *choice, struct named_profile *profile)
{
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	struct error *err = sample_choice_check_event(choice, profile);
	if (!err)
		err = sample_choice_filter(choice, profile,
					   sample_choice_single_event(choice, profile), &filter);
	if (!err)
		// Exports take a whole profile: samples that are not wanted are removed from it.
		profile_filter_keep(filter, profile);
	return err;
}
