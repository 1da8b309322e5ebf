// SPDX-License-Identifier: Apache-2.0

#include "session/profile_facts.h"

#include "base/text/string_builder.h"
#include "interpreter/interpreter_ops.h"

#include <string.h>

// A run and a file that is read describe themselves by the same struct perf_data_info: what
// sample_setup.c fills in for this machine, a reader finds in the header of perf.data. So a report
// says the same of a recording as of the run that made it.

static const char *profile_facts_or_empty(const char *text)
{
	return text ? text : "";
}

struct error *profile_facts_describe(struct named_profile *profile,
				     const struct perf_data_info *info)
{
	_cleanup_(string_builder_deinit) struct string_builder words = STRING_BUILDER_INIT;
	for (size_t i = 0; info->arguments && info->arguments[i]; i++)
		string_builder_appendf(&words, "%s%s", i ? " " : "", info->arguments[i]);
	struct error *err = words.failed
				    ? &error_no_memory
				    : named_profile_string(profile, string_builder_peek(&words),
							   &profile->command_line);
	if (!err)
		err = named_profile_string(profile, profile_facts_or_empty(info->host),
					   &profile->host);
	if (!err)
		err = named_profile_string(profile, profile_facts_or_empty(info->system_release),
					   &profile->system);
	if (!err)
		err = named_profile_string(profile, profile_facts_or_empty(info->machine),
					   &profile->machine);
	return err;
}

struct error *profile_facts_set_collection(struct named_profile *profile,
					   const struct collection_facts *facts)
{
	static const struct {
		const char *name, *words; // for programs that read JSON, and for people
	} ways[COLLECTION_NUM] = {
		[COLLECTION_SAMPLE] = {"sample", "in the kernel, with the sample"},
		[COLLECTION_HELD] = {"held", "with the sample, while its thread was stopped"},
		[COLLECTION_SNAPSHOT] = {"after", "from outside, shortly after the sample"},
		[COLLECTION_STOPPED] = {"stop", "from outside, while its thread was stopped"},
		[COLLECTION_TIMER] = {"timer", "on a timer: no events, no native code"},
	};
	if (facts->method == COLLECTION_NONE || facts->method >= COLLECTION_NUM)
		return NULL;
	struct named_collection collection = {
		.num_samples = facts->num_samples,
		.num_without = facts->num_without,
		.mean_skew_ns = facts->mean_skew_ns,
		.max_skew_ns = facts->max_skew_ns,
	};
	struct error *err =
		named_profile_string(profile, ways[facts->method].name, &collection.way);
	if (!err)
		err = named_profile_string(profile, ways[facts->method].words, &collection.words);
	if (!err)
		profile->collection = collection;
	return err;
}

struct error *profile_facts_set_language(struct named_profile *profile, const char *name)
{
	if (!name || !language_is_name(name))
		return NULL;
	for (size_t i = 0; all_interpreters[i]; i++) {
		const struct language *language = all_interpreters[i]->language;
		bool is_it = strcmp(language->name, name) == 0 ||
			     (language->frame_type && strcmp(language->frame_type, name) == 0);
		if (!is_it)
			continue;
		profile->language = language;
		return NULL;
	}
	return named_profile_set_language(profile, name);
}

void profile_facts_set_time(struct named_profile *profile, const struct perf_data_info *info)
{
	// Both clocks were read at one moment, so their difference turns any time of one into the
	// other.
	if (info->wall_ns && profile->start_time_ns)
		profile->start_wall_ns = info->wall_ns + profile->start_time_ns - info->clock_ns;
}
