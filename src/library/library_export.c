// SPDX-License-Identifier: Apache-2.0
// The formats are those of `wperf export`, the page, and the JSON of `wperf report`. Each writes a
// draft, which takes the place of the file when it is complete (report/result_file.h).

#include "base/container/array.h"
#include "library/library_error.h"
#include "library/library_profile.h"
#include "report/export_format.h"
#include "report/output.h"
#include "report/profile_page.h"
#include "report/recorded/profile_report.h"
#include "report/recorded/sample_choice.h"
#include "report/result_file.h"

#include <stdlib.h>
#include <string.h>

static const char html[] = "html", json[] = "json";

/** Those that are no format of other programs come first. */
static const char *const own_formats[] = {html, json};

/** Profiles of the library have no code without samples, as formats of one module need it. */
static bool library_export_is_here(const struct export_format *format)
{
	return !format->is_of_one_module;
}

const char *wperf_export_format_at(size_t number)
{
	if (number < ARRAY_SIZE(own_formats))
		return own_formats[number];
	size_t left = number - ARRAY_SIZE(own_formats);
	const struct export_format *format;
	for (size_t i = 0; (format = export_format_at(i)); i++)
		if (library_export_is_here(format) && !left--)
			return format->name;
	return NULL;
}

/** What the end of a name stands for; NULL: for nothing. */
static const char *library_export_format_of(const char *path)
{
	enum result_format wanted = result_format_of(path);
	if (wanted == RESULT_HTML)
		return html;
	if (wanted == RESULT_JSON)
		return json;
	const struct export_format *format = export_format_of(path);
	return format ? format->name : NULL;
}

static struct error *library_export_write_json(const struct wperf_profile *profile,
					       const char *path)
{
	struct profile_report_request request = profile_report_default();
	request.sysroots = profile->sysroots;
	_cleanup_(output_deinit) struct output output;
	struct error *err =
		output_open((struct output_request){.path = path, .is_json = true}, &output);
	if (err)
		return err;
	err = profile_report_print(&request, &profile->profile, &output);
	return err ? err : output_close(&output);
}

/**
 * For what lists samples, or sums all events up: samples of SPE are in the profile once more, with
 * their latency. @ret: shares everything but samples with the profile. @ret_samples: to be freed.
 */
static struct error *library_export_drop_latency(const struct named_profile *profile,
						 struct named_profile *ret,
						 struct named_sample **ret_samples)
{
	*ret = *profile;
	*ret_samples = NULL;
	uint32_t latency = profile->spe ? profile->spe->latency_event : NAMED_NONE;
	if (latency == NAMED_NONE)
		return NULL;
	struct named_sample *samples = calloc(profile->num_samples + 1, sizeof(*samples));
	if (!samples)
		return &error_no_memory;
	ret->num_samples = 0;
	for (size_t i = 0; i < profile->num_samples; i++)
		if (profile->samples[i].event != latency)
			samples[ret->num_samples++] = profile->samples[i];
	ret->samples = *ret_samples = samples;
	// It came last, with the first sample that has one.
	if (latency + 1 == profile->num_events)
		ret->num_events--;
	return NULL;
}

static struct error *library_export_write_foreign(const struct wperf_profile *profile,
						  const struct export_format *format,
						  const char *path)
{
	const struct sample_choice all = {.event = NULL};
	struct named_profile exported;
	_cleanup_free_ struct named_sample *samples = NULL;
	struct error *err = sample_choice_check_event(&all, &profile->profile);
	if (!err)
		err = library_export_drop_latency(&profile->profile, &exported, &samples);
	return err ? err
		   : export_format_write(format, path, &exported,
					 sample_choice_single_event(&all, &exported));
}

static struct error *library_export_unknown(const char *format, const char *path)
{
	struct error *err =
		format ? error_create(ERROR_USAGE, "unknown format '%s'", format)
		       : error_create(ERROR_USAGE, "the end of '%s' names no format", path);
	return error_with_hint(err, "formats are html, json, pprof, firefox, speedscope, collapsed "
				    "and perf-script");
}

static struct error *library_export_write(const struct wperf_profile *profile, const char *format,
					  const char *path)
{
	const char *name = format ? format : library_export_format_of(path);
	const struct export_format *foreign = name ? export_format_find(name) : NULL;
	if (foreign && !library_export_is_here(foreign))
		return library_export_unknown(name, path);
	bool is_html = name && !strcmp(name, html);
	if (!foreign && !is_html && (!name || strcmp(name, json) != 0))
		return library_export_unknown(format, path);
	if ((is_html || (foreign && foreign->keeps_samples)) && !profile->keeps_times)
		return error_with_hint(error_create(ERROR_USAGE,
						    "cannot write '%s': %s needs the time of each "
						    "sample",
						    path, name),
				       "set keeps_times before the profile is opened or sampled");
	if (foreign)
		return library_export_write_foreign(profile, foreign, path);
	const struct profile_page_request page = {
		.path = path, .sysroots = profile->sysroots, .notes = profile->notes.text};
	return is_html ? profile_page_write(&page, &profile->profile)
		       : library_export_write_json(profile, path);
}

struct wperf_error *wperf_profile_export(const struct wperf_profile *profile, const char *format,
					 const char *path)
{
	return library_error_give(library_export_write(profile, format, path));
}
