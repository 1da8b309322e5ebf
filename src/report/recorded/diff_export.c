// SPDX-License-Identifier: Apache-2.0

#include "report/recorded/diff_export.h"

#include "profile/profile_join.h"
#include "report/recorded/diff_pair.h"
#include "view/export/flame_svg.h"

struct error *diff_export_check(const struct export_format *format)
{
	if (format->write_diff)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "%s has one recording: --diff is for svg",
					    format->name),
			       "wperf report --diff compares in tables, JSON and pages");
}

struct error *diff_export_write(const struct diff_export *request, struct named_profile *before,
				struct named_profile *later)
{
	const struct named_profile *const profiles[] = {before, later};
	struct profile_join join;
	struct flame_svg_diff diff = {.join = &join};
	struct error *err = diff_pair_choose_events(&request->choice, profiles, false, diff.events);
	if (!err)
		err = sample_choice_keep(&request->choice, before);
	if (!err)
		err = sample_choice_keep(&request->choice, later);
	if (!err)
		err = profile_join_add(before, later, &join);
	if (err)
		return err;
	diff_pair_name(request->recording_paths, request->is_anonymous, diff.names);
	diff.events[1] += join.first_event;
	return export_format_write_diff(request->format, request->path, before, &diff);
}
