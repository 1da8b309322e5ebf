// SPDX-License-Identifier: Apache-2.0

#include "session/profile_facts.h"

#include "base/string_builder.h"

static struct error *join_arguments(struct named_profile *profile, const char *const *arguments)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	for (size_t i = 0; arguments && arguments[i]; i++)
		string_builder_appendf(&text, "%s%s", i ? " " : "", arguments[i]);
	return text.failed ? &error_no_memory
			   : named_profile_string(profile, string_builder_peek(&text),
						  &profile->command_line);
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

struct error *profile_facts_describe(struct named_profile *profile,
				     const struct perf_data_info *info)
{
	struct error *err = join_arguments(profile, info->arguments);
	if (!err)
		err = named_profile_string(profile, or_empty(info->host), &profile->host);
	if (!err)
		err = named_profile_string(profile, or_empty(info->system_release),
					   &profile->system);
	if (!err)
		err = named_profile_string(profile, or_empty(info->machine), &profile->machine);
	return err;
}

void profile_facts_set_time(struct named_profile *profile, const struct perf_data_info *info)
{
	if (info->wall_ns && profile->start_time_ns)
		profile->start_wall_ns = info->wall_ns + profile->start_time_ns - info->clock_ns;
}
