// SPDX-License-Identifier: Apache-2.0
// `sample` and `record`, which differ in who starts the program.

#include "base/file_path.h"
#include "cli/command.h"
#include "cli/diagnostics.h"
#include "cli/off_cpu_notes.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/profile_page.h"
#include "cli/python_notes.h"
#include "cli/python_tables.h"
#include "cli/read_profile.h"
#include "cli/sample_progress.h"
#include "cli/sample_setup.h"
#include "cli/sample_tables.h"
#include "cli/spe_counts.h"
#include "cli/spe_tables.h"
#include "cli/thread_table.h"
#include "profile/python_stacks.h"
#include "profile/spe_by_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	ROUND_NS = 100000000,
	SIMULATED_RUN_NS = 1000000000,
	PYTHON_ROWS = 20, // of each of its tables
};

/** A run of `sample` or `record`, from words to a profile. */
struct sample_run {
	const struct options *options;
	struct sample_setup setup;
	struct recording_file *file;
	struct sampling *sampling;
	struct symbolizer *symbolizer;
	struct named_profile profile;
	struct recording_totals walks;
	struct python_tables python; // without events if there is no Python
	struct python_snapshot_totals snapshots;
	struct named_profile by_name; // with SPE: what happened to operations are its events
	struct spe_counts spe_counts; // likewise
	struct thread_table threads;
	struct spe_choice spe; // of --spe
};

static void sample_run_deinit(struct sample_run *run)
{
	sampling_destroy(run->sampling);
	recording_file_destroy(run->file);
	symbolizer_destroy(run->symbolizer);
	python_tables_deinit(&run->python);
	spe_by_name_deinit(&run->by_name);
	spe_counts_deinit(&run->spe_counts);
	named_profile_deinit(&run->profile);
	sample_setup_deinit(&run->setup);
}

static struct error *check_file(const char *kind, const char *path)
{
	if (!path || file_path_kind(path) != FILE_PATH_ABSENT)
		return NULL;
	return error_create(ERROR_FAILED, "%s file '%s' doesn't exist", kind, path);
}

/** What can be said of the target before any device is opened. */
static struct error *check_target(const struct options *options)
{
	bool spawns = options->command == COMMAND_RECORD && options->spawn;
	bool is_named = options->pe_file || options->image_name || options->pids ||
			options->system_wide || options->cores;
	if (spawns && (options->pids || options->system_wide))
		return error_create(ERROR_USAGE, "both a command and %s were given",
				    options->pids ? "-p" : "-a");
	if (!is_named && !spawns)
		return error_with_hint(error_create(ERROR_FAILED,
						    "no pid or process name specified, sample "
						    "address are not de-ASLRed"),
				       options->command == COMMAND_RECORD
					       ? "write wperf record ... -- COMMAND [ARGS]"
					       : "name the program with --pe_file, --image_name or "
						 "-p, or take -a");
	struct error *err = check_file("PE", options->pe_file);
	return err ? err : check_file("PDB", options->pdb_file);
}

static const char *save_path(const struct options *options)
{
	return options->save ? options->save : options->export_perf_data ? "perf.data" : NULL;
}

/** The attributes are known when the events are open. */
static struct error *create_file(struct sample_run *run)
{
	const char *path = save_path(run->options);
	if (!path && run->options->archive)
		return error_with_hint(error_create(ERROR_USAGE, "--archive is of a file"),
				       "say with --save which file");
	if (!path)
		return NULL;
	size_t num_events = 0;
	const struct source_ops *ops = run->setup.session.source->ops;
	const struct perf_data_event *events =
		ops->sample_events ? ops->sample_events(run->setup.session.source, &num_events)
				   : NULL;
	if (!events)
		return error_create(ERROR_FAILED, "source '%s' has no records for perf.data",
				    ops->name);
	const struct sample_plan *plan = &run->setup.config.plan;
	bool makes_chains =
		plan->chain == SAMPLE_CHAIN_CFI || plan->off_cpu || run->setup.python.is_wanted;
	struct error *err =
		recording_file_create(path, events, num_events, makes_chains, &run->file);
	if (!err)
		sampling_save(run->sampling, run->file);
	return err;
}

/** Better said before the program runs than behind it. */
static struct error *check_spe(const struct sample_run *run)
{
	if (!run->options->spe || run->setup.request.has_spe)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE,
					    "--spe tells of samples of Arm SPE, and none are asked "
					    "for"),
			       "sample with -e arm_spe_0//");
}

static struct error *prepare(struct sample_run *run)
{
	struct error *err = check_target(run->options);
	if (!err && run->options->spe)
		err = spe_tables_choose(run->options, &run->spe);
	if (!err)
		err = sample_setup_init(&run->setup, run->options);
	if (!err)
		err = check_spe(run);
	if (!err)
		err = sampling_create(run->setup.session.source, &run->setup.config,
				      run->setup.recording, &run->sampling);
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

static struct error *sample(struct sample_run *run)
{
	uint64_t timeout = run->options->timeout_ns;
	// What a simulated command would take.
	if (sample_setup_is_simulated(&run->setup) && run->options->spawn &&
	    timeout == DURATION_NONE)
		timeout = SIMULATED_RUN_NS;
	struct sample_progress progress =
		sample_progress_create(run->options, asked_frequency(run));
	struct error *err = sampling_begin(run->sampling,
					   timeout == DURATION_NONE ? SAMPLING_FOREVER : timeout);
	bool is_over = false;
	while (!err && !is_over) {
		err = sampling_round(run->sampling, ROUND_NS, &is_over);
		sample_progress_show(&progress, run->sampling);
	}
	if (!err)
		err = sampling_finish(run->sampling);
	sample_progress_end(&progress);
	return err;
}

/** Names are looked up for those who see them; a recording that is only saved needs none. */
static bool is_shown(const struct options *options)
{
	return output_is_wanted(options) || options->html;
}

/** Before the file is finished, which brings them along. */
static struct error *find_names(struct sample_run *run)
{
	if (!is_shown(run->options) && !run->options->archive)
		return NULL;
	struct error *err = sample_setup_symbolizer(&run->setup, &run->symbolizer);
	return err ? err : recording_name(run->setup.recording, run->symbolizer);
}

/** Also where the names could not be found: what was recorded is not lost. */
static struct error *finish_file(struct sample_run *run, struct error *err)
{
	if (!run->file)
		return err;
	struct error *file_err =
		recording_file_finish(run->file, run->setup.recording, err ? NULL : run->symbolizer,
				      run->options->command_line);
	if (err)
		error_destroy(file_err);
	return err ? err : file_err;
}

static struct error *take_profile(struct sample_run *run)
{
	run->walks = recording_totals(run->setup.recording);
	run->snapshots = python_frames_snapshots(recording_python(run->setup.recording));
	run->threads = (struct thread_table){
		.profile = &run->profile,
		.times = recording_thread_times(run->setup.recording),
		.has_off_cpu = run->options->off_cpu,
		.off_cpu_event = (uint32_t)run->setup.request.events.num_items - 1,
	};
	return recording_finish(run->setup.recording, run->symbolizer, &run->profile);
}

/** The program that is sampled, by its file; NULL for several. */
static const char *program_of(const struct options *options)
{
	if (options->spawn)
		return options->spawn[0];
	return options->pe_file ? options->pe_file : options->image_name;
}

static void add_totals(const struct sample_run *run, struct sample_report *report)
{
	struct sampling_state state = sampling_state(run->sampling);
	report->generated = state.totals.num_generated;
	report->dropped = state.totals.num_lost;
	report->has_elapsed = true;
	report->elapsed_ns = state.elapsed_ns;
	report->sampling_type =
		run->profile.spe ? "hardware sampling (FEAT_SPE)" : "software sampling";
	// The peer's number of samples is that of its counter.
	if (run->profile.spe && state.totals.spe.is_known)
		report->generated = state.totals.spe.filtrate;
}

/** As the peer has it: names of events, and counts. */
static struct error *find_spe(struct sample_run *run)
{
	if (!run->profile.spe)
		return NULL;
	const struct sample_totals totals = sampling_state(run->sampling).totals;
	struct error *err = spe_by_name_create(&run->profile, &run->by_name);
	return err ? err
		   : spe_counts_init(&run->spe_counts, &totals.spe, run->options->kernel,
				     run->setup.session.info.vendor_name);
}

static struct error *add_python_event(struct sample_run *run, uint32_t event)
{
	struct profile_filter *filter;
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	criteria.event = event;
	struct error *err = profile_filter_create(&run->profile, &criteria, &filter);
	return err ? err : python_tables_add(&run->python, event, filter);
}

static struct error *find_python(struct sample_run *run)
{
	if (!python_stacks_are_there(&run->profile))
		return NULL;
	struct error *err = python_tables_init(&run->python, &run->profile, run->options->sysroot);
	for (uint32_t i = 0; !err && i < run->profile.num_events; i++)
		err = add_python_event(run, i);
	return err ? err : python_tables_finish(&run->python);
}

/** The files that --file names, line by line. */
static struct error *write_sources(struct sample_run *run, struct json_writer *json)
{
	json_key(json, "sources");
	json_begin_array(json);
	struct error *err = python_tables_show_sources(&run->python, run->options->source_file,
						       run->options->verbose, NULL, json, NULL);
	json_end_array(json);
	return err;
}

/** The peer has what SPE sampled in one more object, and counts beside it. */
static struct error *write_sampling(const struct sample_run *run,
				    const struct sample_report *report, struct json_writer *json)
{
	json_key(json, "sampling");
	if (!run->profile.spe)
		return sample_report_write_json_value(report, json);
	struct error *err = sample_report_write_json(report, json);
	json_key(json, "counting");
	return err ? err : stat_report_write_json(&run->spe_counts.report, json);
}

/** What Python has to say stands beside the peer's members. */
static struct error *write_json(struct sample_run *run, const struct sample_report *report,
				struct json_writer *json)
{
	json_begin_object(json);
	struct error *err = write_sampling(run, report, json);
	if (!err && run->python.num_events) {
		json_key(json, "python");
		err = python_report_write_json(&run->python.report, json);
	}
	if (!err && run->python.num_events && run->options->source_file)
		err = write_sources(run, json);
	if (thread_table_is_wanted(&run->threads)) {
		json_key(json, "threads");
		thread_table_write_json(&run->threads, json);
	}
	if (!err && run->options->spe)
		err = spe_tables_write(run->options, &run->profile, &run->spe, NULL, json);
	json_end_object(json);
	return err;
}

static struct error *print_text(const struct sample_run *run, const struct sample_report *report,
				FILE *stream)
{
	sample_report_print_image(report, stream);
	struct error *err = NULL;
	if (run->profile.spe)
		err = stat_report_print_cores(&run->spe_counts.report, stream);
	if (!err)
		err = sample_report_print(report, stream);
	if (err || !run->options->spe)
		return err;
	fputc('\n', stream);
	return spe_tables_write(run->options, &run->profile, &run->spe, stream, NULL);
}

static struct error *write_report(struct sample_run *run)
{
	_cleanup_(sample_tables_deinit) struct sample_tables tables = SAMPLE_TABLES_INIT;
	_cleanup_(output_deinit) struct output output;
	struct error *err = sample_tables_fill(&tables, run->options,
					       run->profile.spe ? &run->by_name : &run->profile,
					       program_of(run->options));
	if (err)
		return err;
	tables.report.layout = output_narrow_layout(run->options, stdout);
	run->spe_counts.report.layout = output_narrow_layout(run->options, stdout);
	add_totals(run, &tables.report);
	err = sample_tables_add_base(&tables, recording_processes(run->setup.recording));
	if (!err && run->options->verbose)
		err = sample_tables_add_modules(&tables, recording_processes(run->setup.recording));
	if (err)
		return err;
	err = output_open(run->options, &output);
	if (!err && output.text)
		err = print_text(run, &tables.report, output.text);
	if (!err && output.json)
		err = write_json(run, &tables.report, output.json);
	if (!err)
		err = output_close(&output);
	if (!err && !run->setup.options->quiet)
		fputs(string_builder_peek(&tables.notes), stderr);
	return err;
}

/** Where the result is less than was asked for. */
static struct error *print_notes(const struct sample_run *run)
{
	fflush(stdout); // notes stand behind the tables, also where both go into one pipe
	struct sample_totals totals = sampling_state(run->sampling).totals;
	if (totals.num_lost)
		fprintf(stderr,
			"note: samples that were lost for want of room: %" PRIu64 " of %" PRIu64
			"\n",
			totals.num_lost, totals.num_generated);
	if (totals.num_throttled)
		fprintf(stderr,
			"note: the kernel paused sampling, as it took too long: %" PRIu64
			" times\n",
			totals.num_throttled);
	read_profile_note_spe(&totals.spe_trace);
	off_cpu_notes_print(&totals, &run->walks, run->setup.python.is_wanted);
	python_notes_print(run->setup.recording, &totals, &run->walks, &run->snapshots);
	diagnostics_print_run_notes(run->setup.session.source);
	read_profile_note_cut_stacks(&run->walks);
	return read_profile_complain(run->symbolizer);
}

/** --file asks for more than the tables. */
static struct error *show_source(struct sample_run *run)
{
	const struct options *options = run->options;
	size_t num_files = 0;
	if (!options->source_file)
		return NULL;
	struct error *err = python_tables_show_sources(&run->python, options->source_file,
						       options->verbose, stdout, NULL, &num_files);
	if (!err && !num_files)
		fprintf(stderr, "note: no sample is in a file '%s' of Python\n",
			options->source_file);
	return err;
}

static struct error *show_python(struct sample_run *run)
{
	if (run->options->quiet || run->options->json || !run->python.num_events)
		return NULL;
	putchar('\n');
	run->python.report.layout = output_narrow_layout(run->options, stdout);
	struct error *err = python_report_print(&run->python.report, PYTHON_ROWS, stdout);
	return err ? err : show_source(run);
}

static struct error *show_threads(struct sample_run *run)
{
	if (run->options->quiet || run->options->json || !thread_table_is_wanted(&run->threads))
		return NULL;
	putchar('\n');
	return thread_table_print(&run->threads, PYTHON_ROWS,
				  output_narrow_layout(run->options, stdout), stdout);
}

static struct error *show(struct sample_run *run)
{
	if (!is_shown(run->options))
		return NULL;
	struct error *err = take_profile(run);
	if (!err)
		err = find_spe(run);
	if (!err)
		err = find_python(run);
	if (!err)
		err = write_report(run);
	if (!err && run->options->html)
		err = profile_page_write(run->options->html, &run->profile, run->options->sysroot);
	if (!err)
		err = show_python(run);
	if (!err)
		err = show_threads(run);
	return err || run->options->quiet ? err : print_notes(run);
}

struct error *command_sample(const struct options *options, int *ret_exit)
{
	_cleanup_(sample_run_deinit) struct sample_run run = {.options = options};
	struct error *err = prepare(&run);
	if (!err)
		err = sample(&run);
	if (!err)
		err = finish_file(&run, find_names(&run));
	if (!err)
		err = show(&run);
	if (err)
		return err;
	// The command's own exit code is ours, except for programs that know the peer, which has 0.
	struct target_command_end end = sampling_state(run.sampling).command;
	if (end.has_ended && !options->compat)
		*ret_exit = end.exit_code;
	return NULL;
}
