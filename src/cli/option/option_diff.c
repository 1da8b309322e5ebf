// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_diff.h"

#include "base/cleanup.h"
#include "cli/option/option_recording.h"
#include "cli/option/stored/stored_choice.h"
#include "report/recorded/diff_export.h"
#include "report/recorded/diff_page.h"

#include <stdlib.h>

struct error *option_diff_paths_init(struct option_diff_paths *paths, const struct options *options)
{
	*paths = (struct option_diff_paths){{options_recording_path(options), options->diff}, {0}};
	if (!options->from)
		return NULL;
	struct error *err = stored_choice_words(options, NULL, &paths->owned[0]);
	if (!err)
		err = stored_choice_words(options, options->diff, &paths->owned[1]);
	paths->items[0] = paths->owned[0];
	paths->items[1] = paths->owned[1];
	return err;
}

void option_diff_paths_deinit(struct option_diff_paths *paths)
{
	free(paths->owned[0]);
	free(paths->owned[1]);
}

struct error *options_write_diff_page(const struct options *options, const char *path,
				      const char *const notes[2], struct named_profile *before,
				      const struct named_profile *later)
{
	_cleanup_(option_diff_paths_deinit) struct option_diff_paths paths;
	struct error *err = option_diff_paths_init(&paths, options);
	const struct diff_page page = {
		.path = path,
		.recording_paths = {paths.items[0], paths.items[1]},
		.notes = {notes[0], notes[1]},
		.sysroots = options->sysroot,
		.is_anonymous = options->anonymous,
	};
	return err ? err : diff_page_write(&page, before, later);
}

struct error *options_export_diff(const struct options *options, const struct export_format *format,
				  const char *path)
{
	_cleanup_(option_diff_paths_deinit) struct option_diff_paths paths = {0};
	_cleanup_(named_profile_deinit) struct named_profile later = {0};
	_cleanup_(named_profile_deinit) struct named_profile before = {0};
	struct error *err = diff_export_check(format);
	if (!err)
		err = option_diff_paths_init(&paths, options);
	if (!err)
		err = options_read_profile(options, NULL, format->keeps_samples, &before);
	if (!err)
		err = options_read_profile(options, options->diff, format->keeps_samples, &later);
	const struct diff_export request = {
		.format = format,
		.path = path,
		.recording_paths = {paths.items[0], paths.items[1]},
		.choice = options_sample_choice(options),
		.is_anonymous = options->anonymous,
	};
	return err ? err : diff_export_write(&request, &before, &later);
}
