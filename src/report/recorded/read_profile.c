// SPDX-License-Identifier: Apache-2.0

#include "report/recorded/read_profile.h"

#include "base/file/file_path.h"
#include "cli/option/options.h"
#include "interpreter/python/python_choice.h"
#include "profile/idle_samples.h"
#include "profile/interpreted/interpreted_stacks.h"
#include "profile/python/python_stacks.h"
#include "report/notes/nameless_notes.h"
#include "session/loading.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_SECONDS = 1000000000,
};

const char *read_profile_path(const struct options *options)
{
	if (options->input)
		return options->input;
	if (options->arguments.num_items)
		return options->arguments.items[0];
	bool has_ours = file_path_kind("wperf.data") != FILE_PATH_ABSENT;
	return has_ours || file_path_kind("perf.data") == FILE_PATH_ABSENT ? "wperf.data"
									   : "perf.data";
}

static void note_spe(uint64_t number, const char *what)
{
	if (number)
		fprintf(stderr, "note: SPE: %s: %" PRIu64 "\n", what, number);
}

void read_profile_note_spe(const struct spe_trace_totals *spe)
{
	note_spe(spe->num_truncations, "times that a buffer was full and samples were lost");
	note_spe(spe->num_gaps, "buffers with gaps");
	note_spe(spe->num_collisions,
		 "buffers with sample collisions, each of which lost a sample");
	note_spe(spe->num_damages, "damaged packets");
	note_spe(spe->num_bad_bytes, "bytes that could not be decoded");
	note_spe(spe->num_unplaced, "samples whose time cannot be converted to nanoseconds");
}

static void read_profile_print_notes(const char *path, const struct loading_notes *notes)
{
	if (notes->truncated_bytes)
		fprintf(stderr,
			"note: '%s' is truncated: its last %" PRIu64
			" bytes are an incomplete record\n",
			path, notes->truncated_bytes);
	if (notes->bad_records)
		fprintf(stderr, "note: malformed records in '%s', ignored: %" PRIu64 "\n", path,
			notes->bad_records);
	read_profile_note_spe(&notes->spe);
	read_profile_note_cut_stacks(&notes->totals);
}

void read_profile_note_cut_stacks(const struct recording_totals *totals)
{
	uint64_t num_stacks = 0;
	for (size_t i = 0; i < UNWIND_NUM_ENDS; i++)
		num_stacks += totals->num_walks[i];
	uint64_t num_cut = num_stacks - totals->num_walks[UNWIND_END_OUTERMOST];
	if (num_cut)
		fprintf(stderr, "note: truncated stacks: %" PRIu64 " of %" PRIu64 "\n", num_cut,
			num_stacks);
	if (totals->num_cut_mappings)
		fprintf(stderr,
			"note: %" PRIu64 " mapped files are not known: mappings of all processes "
			"may take 256 MB\n",
			totals->num_cut_mappings);
}

struct error *read_profile_reduce(const struct options *options, struct named_profile *profile)
{
	struct python_choice choice;
	if (!options->python)
		return NULL;
	struct error *err = python_choice_read(options->python, &choice);
	if (err || !interpreted_stacks_are_there(profile))
		return err;
	if (!choice.is_wanted)
		return interpreted_stacks_hide(profile);
	return choice.rule == PYTHON_ONLY ? interpreted_stacks_reduce(profile) : NULL;
}

/** What lists samples, or sums all events up, would have each twice with its latency. */
static bool wants_spe(const struct options *options)
{
	bool is_export = options->command == COMMAND_EXPORT || options->command == COMMAND_SCRIPT;
	return !is_export || (options->event && !strcmp(options->event, SPE_LATENCY_EVENT));
}

struct error *read_profile_hint(const struct options *options, const char *path, struct error *err)
{
	if (options->input || options->arguments.num_items || err == &error_no_memory ||
	    file_path_kind(path) != FILE_PATH_ABSENT)
		return err;
	return error_with_hint(err, "make one: wperf record COMMAND");
}

/** @text: up to @end; an empty one is @if_empty. */
static bool parse_seconds(const char *text, const char *end, double if_empty, double *ret)
{
	char *stop;
	*ret = if_empty;
	if (text == end)
		return true;
	*ret = strtod(text, &stop);
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

/** Tables and pages are about work, but for who asks for idle CPUs in one way or another. */
static struct error *read_profile_leave_out_idle(const struct options *options,
						 struct named_profile *profile)
{
	bool is_view = options->command == COMMAND_REPORT || options->command == COMMAND_FLAMEGRAPH;
	if (!is_view || options->idle || options->thread || options->symbol || profile->spe)
		return NULL;
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	struct error *err = options->time_range
				    ? set_time_range(options->time_range, profile, &criteria)
				    : NULL;
	if (!err)
		err = profile_filter_create(profile, &criteria, &filter);
	return err ? err : idle_samples_leave_out(profile, filter);
}

struct error *read_profile_check_words(const struct options *options)
{
	if (options->arguments.num_items > 1 || (options->input && options->arguments.num_items))
		return error_create(ERROR_USAGE, "more than one recording given");
	return NULL;
}

struct error *read_profile(const struct options *options, const char *path, bool keeps_samples,
			   struct named_profile *ret)
{
	struct error *err = read_profile_check_words(options);
	if (err)
		return err;
	const struct loading_config config = {
		.path = path ? path : read_profile_path(options),
		.is_forced = options->force,
		.sysroots = options->sysroot,
		.symbol_path = options->pdb_places,
		.keeps_samples = keeps_samples || options->time_range,
		.has_callers = true,
		.with_lines = true,
		.with_full_names = options->display_long,
		.with_spe = wants_spe(options),
		.tells_spe_threads = options->thread,
	};
	struct loading_notes notes;
	_cleanup_(symbolizer_destroyp) struct symbolizer *symbolizer = NULL;
	err = loading_read(&config, ret, &notes, &symbolizer);
	if (err)
		return path ? err : read_profile_hint(options, config.path, err);
	read_profile_print_notes(config.path, &notes);
	err = read_profile_leave_out_idle(options, ret);
	if (!err)
		err = nameless_notes_print(symbolizer, ret);
	return err ? err : read_profile_reduce(options, ret);
}

bool read_profile_wants_event(const struct options *options, const struct named_profile *profile,
			      uint32_t event)
{
	const char *name = named_profile_text(profile, profile->events[event].name);
	return !options->event || strcmp(options->event, name) == 0;
}

struct error *read_profile_check_event(const struct options *options,
				       const struct named_profile *profile)
{
	_cleanup_(string_builder_deinit) struct string_builder names = STRING_BUILDER_INIT;
	for (uint32_t i = 0; i < profile->num_events; i++) {
		if (read_profile_wants_event(options, profile, i))
			return NULL;
		string_builder_appendf(&names, "%s%s", i ? ", " : "",
				       named_profile_text(profile, profile->events[i].name));
	}
	if (!options->event)
		return error_create(ERROR_FAILED, "the recording has no events");
	bool is_wait = !strcmp(options->event, OFF_CPU_NAME);
	return error_with_hint(error_create(ERROR_USAGE, "the recording has no event '%s'",
					    options->event),
			       "%sits events: %s", is_wait ? "record it with --off-cpu; " : "",
			       string_builder_peek(&names));
}

struct error *read_profile_filter(const struct options *options,
				  const struct named_profile *profile, uint32_t event,
				  struct profile_filter **ret)
{
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	criteria.event = event;
	criteria.thread = options->thread;
	criteria.module = options->module;
	criteria.symbol = options->symbol;
	struct error *err = options->time_range
				    ? set_time_range(options->time_range, profile, &criteria)
				    : NULL;
	return err ? err : profile_filter_create(profile, &criteria, ret);
}
