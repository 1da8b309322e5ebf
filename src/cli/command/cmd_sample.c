// SPDX-License-Identifier: Apache-2.0
// `sample`, and what `record` has in common with it. What is wrong with the words is said before
// anything is opened; then the source is opened, the recording begun, and rounds of sampling follow
// until the target or the user ends them. Names are found before the recording is finished, which
// takes those along that cannot be found later; tables, page and export are made last, of one
// profile.

#include "cli/command/cmd_sample.h"

#include "base/file/file_path.h"
#include "base/file/memory_stream.h"
#include "base/os/interrupt.h"
#include "cli/command.h"
#include "cli/command/record_asks.h"
#include "cli/option/option_requests.h"
#include "cli/option/option_run_requests.h"
#include "cli/option/option_sampling.h"
#include "cli/option/option_session.h"
#include "cli/option/options.h"
#include "cli/option/recorder/option_recorder.h"
#include "profile/anonymous_profile.h"
#include "report/notes/diagnostics.h"
#include "report/output.h"
#include "report/profile_page.h"
#include "report/sample/sample_progress.h"
#include "view/layout/decimal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	// Ctrl-C, the end of the target and the progress are looked at between rounds.
	ROUND_NS = 100000000,
	// A second of simulated time, which takes no real time.
	SIMULATED_RUN_NS = 1000000000,
};

/** A run of `sample` or `record`, from words to a profile. */
struct sample_run {
	const struct sample_targets *targets;
	const struct options *options; // the words, as they are meant
	struct options words;
	struct record_files files;
	struct sample_request asked;
	struct session session;
	struct sample_setup setup;
	struct recording_file *file;
	struct recorder_config recorded; // of --ring and --switch-output
	struct recorder *recorder;       // NULL: there is one file, or none
	struct record_asks asks;
	struct error *asks_failure; // it ended the run: said once all is written
	bool has_failed_parts;
	struct sampling *sampling;
	struct sample_seconds seconds;
	struct symbolizer *symbolizer;
	struct sample_result_request shown;
	struct sample_result result;
	struct spe_choice spe; // of --spe
};

static void sample_run_deinit(struct sample_run *run)
{
	error_destroy(run->asks_failure);
	record_asks_close(&run->asks);
	sampling_destroy(run->sampling);
	interrupt_uninstall();
	recorder_destroy(run->recorder);
	recording_file_destroy(run->file);
	symbolizer_destroy(run->symbolizer);
	sample_result_deinit(&run->result);
	sample_setup_deinit(&run->setup);
	session_close(&run->session);
	sample_seconds_deinit(&run->seconds);
}

static struct error *check_file(const char *kind, const char *path)
{
	if (!path || file_path_kind(path) != FILE_PATH_ABSENT)
		return NULL;
	return error_create(ERROR_FAILED, "%s file '%s' doesn't exist", kind, path);
}

static bool keeps_samples(const struct sample_run *run)
{
	const struct export_format *format = run->files.export_format;
	return run->options->html || (format && format->keeps_samples);
}

/** What can be said of the target without any device. */
static struct error *check_target(const struct options *options,
				  const struct sample_targets *targets)
{
	// Also by cores, where all that runs on them is sampled. WindowsPerf wants to know a
	// program.
	bool is_named = options->pe_file || options->image_name || options->pids ||
			options->system_wide || (options->cores && !options->compat) ||
			(targets->may_be_started && options->spawn);
	struct error *err = check_file("PE", options->pe_file);
	if (!err)
		err = check_file("PDB", options->pdb_file);
	if (err || is_named)
		return err;
	return error_with_hint(
		error_create(ERROR_FAILED,
			     "no pid or process name specified, sample address are not de-ASLRed"),
		"%s", targets->hint);
}

/**
 * As in WindowsPerf, what is wrong with the events comes before what is missing of the target. What
 * the machine cannot do comes last.
 */
static struct error *open_setup(struct sample_run *run)
{
	run->asked = options_sample_request(run->options, keeps_samples(run));
	run->asked.keeps_none = options_wants_recorder(run->options);
	struct error *err =
		open_sample_setup(run->options, &run->asked, &run->session, &run->setup);
	if (err && run->session.source)
		return err;
	struct error *target_err = check_target(run->options, run->targets);
	if (target_err)
		error_destroy(err);
	return target_err ? target_err : err;
}

/** Can its records be written to perf.data? */
static bool has_file_events(struct source *source)
{
	size_t num_events;
	return source->ops->sample->events && source->ops->sample->events(source, &num_events);
}

static struct error *create_recorder(struct sample_run *run)
{
	run->recorded.path = run->files.recording;
	run->recorded.keeps_old = run->files.is_default;
	struct error *err =
		sample_setup_create_recorder(&run->setup, &run->recorded, &run->recorder);
	if (!err)
		sampling_record(run->sampling, run->recorder);
	return err;
}

/** The attributes are known when the events are open. */
static struct error *create_file(struct sample_run *run)
{
	const char *path = run->files.recording;
	if (options_wants_recorder(run->options))
		return create_recorder(run);
	if (!path && run->options->archive)
		return error_with_hint(error_create(ERROR_USAGE, "--archive needs a recording"),
				       "name it with --save FILE");
	if (!path)
		return NULL;
	struct error *err = sample_setup_create_file(&run->setup, path, &run->file);
	// A recording that nobody asked for by name is not worth a run: without it the run goes on.
	if (err && run->files.is_default && err != &error_no_memory) {
		if (has_file_events(run->session.source))
			fprintf(stderr,
				"note: no recording is kept: %s; -o FILE names another place\n",
				err->message);
		error_destroy(err);
		return NULL;
	}
	if (!err)
		sampling_save(run->sampling, run->file);
	return err;
}

/** A table or JSON on the terminal that keeps all names would be a surprise. */
static struct error *cmd_sample_check_anonymous(const struct sample_run *run)
{
	if (!run->options->anonymous || run->options->html || run->files.export_format)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE,
					    "--anonymous needs a page or an exported file"),
			       "name one with --html FILE, or use it with 'wperf report'");
}

static struct error *cmd_sample_check_moment(const struct sample_run *run)
{
	const struct event_list *events = run->setup.config.plan.events;
	if (run->options->at_ns == DURATION_NONE)
		return NULL;
	for (size_t i = 0; i < events->num_items; i++)
		if (strcmp(events->items[i].event->name, "heap-at") == 0 ||
		    strcmp(events->items[i].event->name, "leak") == 0)
			return NULL;
	return error_with_hint(error_create(ERROR_USAGE,
					    "--at needs an event that is about a moment"),
			       "record with -e heap-at, or -e leak");
}

/** What is about all of a run cannot be told of a part of it. */
static struct error *cmd_sample_check_recorder(const struct sample_run *run)
{
	const struct options *options = run->options;
	const char *kind = options->ring ? "--ring" : "--switch-output";
	if (!options_wants_recorder(options))
		return NULL;
	if (sample_setup_is_simulated(&run->setup))
		return error_with_hint(error_create(ERROR_USAGE, "%s needs a run in real time",
						    kind),
				       "a simulated run ends at once: record all of it");
	if (run->setup.request.has_spe)
		return error_with_hint(error_create(ERROR_USAGE, "%s cannot keep traces of Arm SPE",
						    kind),
				       "record with another event, or without %s", kind);
	if (run->session.source->ops->sample->mark_moment)
		return error_with_hint(error_create(ERROR_USAGE,
						    "%s does not work with events of memory", kind),
				       "record with another event, or without %s", kind);
	if (run->session.source->ops->read_run_queue)
		return error_with_hint(error_create(ERROR_USAGE,
						    "%s cannot keep the sums of run queues", kind),
				       "record with another event, or without %s", kind);
	if (run->files.output || run->files.html || run->files.export_format)
		return error_with_hint(error_create(ERROR_USAGE, "%s writes recordings only", kind),
				       "read one of its files: wperf report -i FILE");
	return NULL;
}

static struct error *cmd_sample_open_asks(struct sample_run *run)
{
	const struct record_asks_request request = {
		.control = run->options->control,
		.triggers = run->options->triggers.items,
		.num_triggers = run->options->triggers.num_items,
		.pids = run->options->pids,
		.cores = run->options->cores,
		.is_quiet = run->options->quiet,
	};
	return record_asks_open(&run->asks, &request);
}

static struct error *cmd_sample_watch(struct sample_run *run)
{
	struct error *err = record_asks_need_session(&run->asks)
				    ? open_stand_in_session(run->options, NULL, &run->asks.session)
				    : NULL;
	return err ? err : record_asks_watch(&run->asks, run->sampling);
}

static struct error *cmd_sample_prepare(struct sample_run *run)
{
	const struct record_files_request request = options_record_files(&run->words);
	struct error *err = options_recorder_config(run->options, &run->recorded);
	if (!err)
		err = options_check_sched(run->options);
	if (!err)
		err = record_files_choose(&request, &run->files);
	if (err)
		return err;
	// From here on -o and --html are as they are meant.
	run->words.output = run->files.output;
	run->words.html = run->files.html;
	err = cmd_sample_check_anonymous(run);
	if (!err)
		err = output_check(options_output_request(&run->words));
	if (!err && run->options->spe)
		err = options_choose_spe(run->options, &run->spe);
	if (!err)
		err = open_setup(run);
	if (!err)
		err = finish_sample_setup(run->options, &run->setup);
	run->setup.config.plan.can_pause = run->options->control != NULL;
	// Better said before the program runs than behind it.
	if (!err && run->options->spe && !run->setup.request.has_spe)
		err = error_with_hint(error_create(ERROR_USAGE, "--spe needs samples of Arm SPE"),
				      "sample with -e arm_spe_0//");
	if (!err)
		err = cmd_sample_check_moment(run);
	if (!err)
		err = cmd_sample_check_recorder(run);
	if (!err)
		err = interrupt_install();
	if (!err &&
	    (run->session.source->ops->sample->mark_moment || options_wants_recorder(run->options)))
		interrupt_use_moments();
	if (!err)
		err = cmd_sample_open_asks(run);
	if (!err)
		err = sampling_create(run->session.source, &run->setup.config, run->setup.builder,
				      &run->sampling);
	if (!err)
		err = cmd_sample_watch(run);
	if (!err && !run->options->quiet)
		diagnostics_print_start_note(run->session.source, stderr);
	return err ? err : create_file(run);
}

/** That was asked for; 0 if every event has an interval. */
static uint32_t asked_frequency(const struct sample_run *run)
{
	const struct sample_plan *plan = &run->setup.config.plan;
	for (size_t i = 0; i < plan->events->num_items; i++)
		if (plan->events->items[i].interval == 0)
			return plan->frequency_hz;
	return 0;
}

static void print_part(const struct sample_run *run, const struct recorder_part *part)
{
	enum { MB = 1000000 };
	if (part->failure) {
		diagnostics_print_error(part->failure);
		return;
	}
	if (run->options->quiet)
		return;
	fprintf(stderr, "recorded %s samples in %s (%s MB, %s s); see 'wperf report -i %s'\n",
		decimal_grouped(part->num_samples).text, part->path,
		decimal_fixed((double)part->num_bytes / MB, 1).text,
		decimal_fixed((double)part->covered_ns / 1e9, 1).text, part->path);
	if (part->num_let_go)
		fprintf(stderr, "note: samples before these were let go, as asked: %s\n",
			decimal_grouped(part->num_let_go).text);
	if (part->lacked_room)
		fprintf(stderr,
			"note: the ring of %s MB has no room for all of that time; "
			"--ring %s,SIZE sets another size\n",
			decimal_fixed((double)run->recorded.ring_bytes / (1 << 20), 0).text,
			run->options->ring);
}

/** The files since the last call. */
static void print_parts(struct sample_run *run)
{
	struct recorder_part part;
	while (run->recorder && recorder_take_part(run->recorder, &part)) {
		run->has_failed_parts = run->has_failed_parts || part.failure;
		print_part(run, &part);
		recorder_part_deinit(&part);
	}
}

/** At --at, and when a signal asks. @is_marked: the time of --at has come. */
static struct error *cmd_sample_mark_moments(struct sample_run *run,
					     const struct sampling_state *state, bool *is_marked)
{
	if (run->recorder)
		return NULL; // a signal asks for a file
	bool is_time = !*is_marked && state->elapsed_ns >= run->options->at_ns;
	*is_marked = *is_marked || is_time;
	return interrupt_take_moment() || is_time ? sampling_mark_moment(run->sampling) : NULL;
}

static struct error *cmd_sample_sample(struct sample_run *run)
{
	uint64_t timeout = run->options->timeout_ns;
	// What a simulated command would take.
	if (sample_setup_is_simulated(&run->setup) && run->options->spawn &&
	    timeout == DURATION_NONE)
		timeout = SIMULATED_RUN_NS;
	struct sample_progress progress =
		sample_progress_create(!run->options->quiet, asked_frequency(run));
	struct error *err = sampling_begin(run->sampling,
					   timeout == DURATION_NONE ? SAMPLING_FOREVER : timeout);
	if (!err && run->file)
		recording_file_begin(run->file, run->files.is_default);
	bool is_over = false, is_marked = false;
	while (!err && !is_over) {
		bool is_busy = run->recorder && recorder_is_busy(run->recorder);
		err = sampling_round(run->sampling, is_busy ? 0 : ROUND_NS, &is_over);
		print_parts(run);
		sample_progress_show(&progress, run->sampling);
		struct sampling_state state = sampling_state(run->sampling);
		sample_seconds_note(&run->seconds, &state);
		if (!err)
			err = cmd_sample_mark_moments(run, &state, &is_marked);
		if (!err)
			run->asks_failure = record_asks_take(&run->asks, run->sampling,
							     run->recorder, &is_over);
		is_over = is_over || run->asks_failure;
	}
	if (!err)
		err = sampling_finish(run->sampling);
	sample_progress_end(&progress);
	print_parts(run);
	return err;
}

/** Exact sums that the source has, beside the samples. */
static struct error *cmd_sample_read_sums(struct sample_run *run)
{
	struct source *source = run->session.source;
	struct named_profile *profile = profile_builder_profile(run->setup.builder);
	return source->ops->read_run_queue
		       ? source->ops->read_run_queue(source, &profile->run_queue)
		       : NULL;
}

/** Names are looked up for those who see them; a recording that is only saved needs none. */
static bool cmd_sample_is_shown(const struct options *options)
{
	return output_is_wanted(options_output_request(options)) || options->html;
}

/** Names are found before the file is finished, which brings them along. */
static struct error *finish_file(struct sample_run *run)
{
	// Names that only the source knows (of a simulated program) cannot be found later.
	bool is_named = cmd_sample_is_shown(run->options) || run->files.export_format ||
			run->options->archive ||
			(run->file && sample_setup_is_simulated(&run->setup));
	if (run->recorder)
		return NULL; // each file was finished when it was complete
	struct error *err =
		is_named ? sample_setup_symbolizer(&run->setup, &run->symbolizer) : NULL;
	if (is_named && !err)
		err = profile_builder_name(run->setup.builder, run->symbolizer);
	if (!run->file)
		return err;
	// Also where the names could not be found: what was recorded is not lost.
	struct error *file_err =
		recording_file_finish(run->file, run->setup.builder, err ? NULL : run->symbolizer,
				      run->options->command_line);
	if (err)
		error_destroy(file_err);
	return err ? err : file_err;
}

/** Last, so that it is what the user sees. */
static void print_recording(const struct sample_run *run)
{
	enum { KB = 1000, MB = 1000000 };
	if (!run->file || recording_file_failure(run->file))
		return;
	uint64_t size = recording_file_size(run->file);
	bool is_large = size >= MB / 10;
	fprintf(stderr, "recorded %s samples in %s (%s %s); see 'wperf report%s%s'\n",
		decimal_grouped(run->result.totals.num_samples).text, run->files.recording,
		decimal_fixed((double)size / (is_large ? MB : KB), 1).text, is_large ? "MB" : "kB",
		run->files.is_default ? "" : " -i ",
		run->files.is_default ? "" : run->files.recording);
	if (run->options->anonymous)
		fputs("note: the recording is not anonymous; pass on only the page or the exported "
		      "file\n",
		      stderr);
}

/** Also where nothing else is shown: the user expects a recording. False: there is none. */
static bool print_failure(const struct sample_run *run)
{
	const struct error *failure = run->file ? recording_file_failure(run->file) : NULL;
	if (failure && failure->hint) // complete, but not in its place
		diagnostics_print_error(failure);
	else if (failure)
		fprintf(stderr, "warning: the recording ends early: %s\n", failure->message);
	return failure;
}

/** After the tables, which are the user's own. */
static struct error *cmd_sample_write_files(struct sample_run *run, const char *notes)
{
	const struct options *options = run->options;
	struct named_profile *profile = &run->result.profile;
	const struct export_format *format = run->files.export_format;
	const struct profile_page_request page = {
		.path = options->html, .sysroots = options->sysroot, .notes = notes};
	struct error *err = options->anonymous ? anonymous_profile_apply(profile) : NULL;
	if (!err && options->html)
		err = profile_page_write(&page, profile);
	if (err || !format)
		return err;
	// The only event has its name and unit; of several the sums are of samples.
	uint32_t event = profile->num_events == 1 ? 0 : NAMED_NONE;
	export_format_note_event(format, profile, event, stderr);
	return export_format_write(format, run->files.export_path, profile, event);
}

static struct error *cmd_sample_take_notes(const struct sample_run *run, struct memory_stream *ret)
{
	struct error *err = memory_stream_open(ret);
	if (err)
		return err;
	err = sample_result_print_notes(&run->result, ret->stream);
	struct error *close_err = memory_stream_close(ret);
	if (!err)
		return close_err;
	error_destroy(close_err);
	return err;
}

static struct error *cmd_sample_show(struct sample_run *run)
{
	bool is_shown = cmd_sample_is_shown(run->options) || run->files.export_format;
	if (!is_shown || run->recorder)
		return NULL;
	run->shown = options_sample_result(run->options, &run->spe);
	run->result = (struct sample_result){
		.request = &run->shown,
		.setup = &run->setup,
		.sampling = run->sampling,
		.seconds = &run->seconds,
		.symbolizer = run->symbolizer,
	};
	struct error *err = sample_result_take(&run->result);
	if (!err && output_is_wanted(run->shown.output))
		err = sample_result_write(&run->result);
	if (err)
		return err;
	// The page has them as well.
	_cleanup_(memory_stream_deinit) struct memory_stream notes = MEMORY_STREAM_INIT;
	struct error *notes_err = cmd_sample_take_notes(run, &notes);
	err = cmd_sample_write_files(run, notes.text);
	if (!run->options->quiet) {
		fflush(stdout); // notes stand behind the tables, also where both go into one pipe
		fputs(notes.text ? notes.text : "", stderr);
		print_recording(run);
	}
	if (!err)
		return notes_err;
	error_destroy(notes_err);
	return err;
}

struct error *cmd_sample_run(const struct options *options, const struct sample_targets *targets,
			     int *ret_exit)
{
	_cleanup_(sample_run_deinit) struct sample_run run = {
		.words = *options,
		.asks = RECORD_ASKS_INIT,
	};
	run.targets = targets;
	run.options = &run.words;
	struct error *err = cmd_sample_prepare(&run);
	if (!err)
		err = cmd_sample_sample(&run);
	if (!err)
		err = cmd_sample_read_sums(&run);
	if (!err)
		err = finish_file(&run);
	if (!err)
		err = cmd_sample_show(&run);
	bool is_incomplete = print_failure(&run) || run.has_failed_parts;
	if (!err)
		err = take_ptr(run.asks_failure);
	if (err)
		return err;
	// The command's own exit code is ours, except for programs that know the peer, which has 0.
	struct target_command_end end = sampling_state(run.sampling).command;
	if (end.has_ended && !options->compat)
		*ret_exit = end.exit_code;
	if (is_incomplete && !*ret_exit)
		*ret_exit = EXIT_FAILURE;
	return NULL;
}

struct error *command_sample(const struct options *options, int *ret_exit)
{
	static const struct sample_targets targets = {
		.hint = "name the program with --pe_file, --image_name or -p, or take -a",
	};
	return cmd_sample_run(options, &targets, ret_exit);
}
