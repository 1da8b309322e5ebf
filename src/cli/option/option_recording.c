// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_recording.h"

#include "cli/option/option_otlp.h"
#include "cli/option/stored/stored_choice.h"
#include "cli/option/stored/stored_profile.h"
#include "report/export_format.h"
#include "report/recorded/read_profile.h"
#include "report/result_file.h"

#include <stdio.h>
#include <string.h>

// Which recording is meant, and what of it, is the same for all commands that read one. The steps
// are: the path, the samples that are wanted and what becomes of frames of Python (--python), which
// read_profile() of the report does.

bool options_names_no_recording(const struct options *options)
{
	return !options->input && !options->arguments.num_items;
}

const char *options_recording_path(const struct options *options)
{
	if (options->from)
		return options->from;
	if (options->input)
		return options->input;
	// "report FILE" is how other profilers are called; -i is perf's.
	return options->arguments.num_items ? options->arguments.items[0]
					    : read_profile_default_path();
}

struct error *options_check_recording(const struct options *options)
{
	if (options->arguments.num_items > 1 || (options->input && options->arguments.num_items))
		return error_create(ERROR_USAGE, "more than one recording given");
	return stored_choice_check(options);
}

struct sample_choice options_sample_choice(const struct options *options)
{
	return (struct sample_choice){
		.event = options->event,
		.thread = options->thread,
		.module = options->module,
		.symbol = options->symbol,
		.time_range = options->time_range,
	};
}

/** Tables and pages are about work, but for who asks for idle CPUs in one way or another. */
static bool leaves_out_idle(const struct options *options)
{
	bool is_view = options->command == COMMAND_REPORT || options->command == COMMAND_FLAMEGRAPH;
	return is_view && !options->idle && !options->thread && !options->symbol;
}

/** What lists samples, or sums all events up, would have each twice with its latency. */
static bool wants_latencies(const struct options *options)
{
	return options->event && (!strcmp(options->event, SPE_LATENCY_EVENT) ||
				  !strcmp(options->event, MEMORY_LATENCY_EVENT));
}

/** For a compiler, code that never ran says as much as the hottest does. */
static bool options_want_cold_code(const struct options *options)
{
	const struct export_format *format = NULL;
	if (options->command == COMMAND_EXPORT && options->format)
		format = export_format_find(options->format);
	return format && format->is_of_one_module;
}

static struct read_request options_read_request(const struct options *options, const char *path,
						bool keeps_samples)
{
	bool is_export = options->command == COMMAND_EXPORT || options->command == COMMAND_SCRIPT;
	return (struct read_request){
		.path = path ? path : options_recording_path(options),
		.is_default = !path && options_names_no_recording(options),
		.is_forced = options->force,
		.is_anonymous = options->anonymous,
		.sysroots = options->sysroot,
		.symbol_path = options->pdb_places,
		// Sums cannot be cut to a range of time.
		.keeps_samples = keeps_samples || options->time_range,
		.with_full_names = options->display_long,
		.with_cold_code = options_want_cold_code(options),
		.with_spe = !is_export || wants_latencies(options),
		.tells_spe_threads = options->thread,
		.leaves_out_idle = leaves_out_idle(options),
		.leaves_out_own_cost = !options->event,
		.time_range = options->time_range,
		.interpreted = options->python,
		.joins_wakers = options->wakers,
	};
}

/** Of a file, or of a range of a store: NULL for that of --since and --until. */
static struct error *options_read(const struct options *options, const struct read_request *request,
				  const char *range, FILE *notes, struct named_profile *ret)
{
	// A page shows samples with times, but needs none.
	bool needs_times = request->keeps_samples && (options->command == COMMAND_EXPORT ||
						      options->command == COMMAND_SCRIPT);
	bool is_otlp = !options->from && options_names_otlp(request->path);
	if (!options->from && !is_otlp)
		return read_profile(request, notes, ret);
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	struct error *err =
		is_otlp ? options_read_otlp(request, needs_times, &profile)
			: stored_profile_read(options, range, request->keeps_samples, &profile);
	if (!err)
		err = read_profile_adapt(request, &profile);
	if (err)
		return err;
	*ret = profile;
	profile = (struct named_profile){0};
	return NULL;
}

struct error *options_read_profile(const struct options *options, const char *path,
				   bool keeps_samples, struct named_profile *ret)
{
	struct error *err = options_check_recording(options);
	const struct read_request request = options_read_request(options, path, keeps_samples);
	return err ? err : options_read(options, &request, path, stderr, ret);
}

/** A page has no filters of its own for these: what is not wanted is not on it. */
static struct error *options_keep_wanted(const struct options *options, FILE *notes,
					 struct named_profile *profile)
{
	const struct sample_choice choice = options_sample_choice(options);
	if (!choice.event && !choice.thread && !choice.module && !choice.symbol &&
	    !choice.time_range)
		return NULL;
	struct error *err = sample_choice_keep(&choice, profile);
	// They are sums over the whole recording.
	if (!err && profile->spe)
		fputs("note: the page's tables of SPE samples are of all samples\n", notes);
	return err;
}

struct error *options_read_for_page(const struct options *options, const char *path,
				    struct memory_stream *ret_notes, struct named_profile *ret)
{
	struct error *err = options_check_recording(options);
	if (!err)
		err = memory_stream_open(ret_notes);
	if (err)
		return err;
	const struct read_request request = options_read_request(options, path, true);
	err = options_read(options, &request, path, ret_notes->stream, ret);
	if (!err)
		err = options_keep_wanted(options, ret_notes->stream, ret);
	struct error *close_err = memory_stream_close(ret_notes);
	if (!close_err)
		fputs(ret_notes->text, stderr); // also if the recording is of no use
	if (!err)
		return close_err;
	error_destroy(close_err);
	return err;
}

struct error *options_copy_recording(const struct options *options)
{
	_cleanup_(named_profile_deinit) struct named_profile profile = {0};
	struct read_request request = options_read_request(options, NULL, false);
	request.copy_path = options->output;
	struct error *err = options_check_recording(options);
	if (!err)
		err = result_file_check(options->output);
	return err ? err : options_read(options, &request, NULL, stderr, &profile);
}
