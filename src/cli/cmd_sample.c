// SPDX-License-Identifier: Apache-2.0
// `sample` and `record`, which differ in who starts the program.

#include "base/array.h"
#include "cli/command.h"
#include "cli/diagnostics.h"
#include "cli/open_session.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/pid_list.h"
#include "cli/profile_page.h"
#include "cli/read_profile.h"
#include "cli/request.h"
#include "cli/sample_progress.h"
#include "cli/sample_tables.h"
#include "process/process_search.h"
#include "session/sampling.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

enum {
	DEFAULT_FREQUENCY = 999, // not a divisor of a timer's rate: programs tick at those
	ROUND_NS = 100000000,
	SIMULATED_RUN_NS = 1000000000,
};

/** A run of `sample` or `record`, from words to a profile. */
struct sample_run {
	const struct options *options;
	struct session session;
	struct request request;
	struct sampling_config config;
	pid_t *pids;
	struct recording *recording;
	struct recording_file *file;
	struct sampling *sampling;
	struct symbolizer *symbolizer;
	struct symbolizer_name *names; /* of the source's own code */
	size_t num_names;
	struct named_profile profile;
	struct recording_totals walks;
};

static void sample_run_deinit(struct sample_run *run)
{
	sampling_destroy(run->sampling);
	recording_file_destroy(run->file);
	recording_destroy(run->recording);
	symbolizer_destroy(run->symbolizer);
	free(run->names);
	named_profile_deinit(&run->profile);
	request_deinit(&run->request);
	session_close(&run->session);
	free(run->pids);
}

static struct error *check_file(const char *kind, const char *path)
{
	struct stat status;
	if (!path || stat(path, &status) == 0)
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

static struct error *check_cores(const struct sample_run *run)
{
	const struct options *options = run->options;
	if (run->session.info.counts_processes || run->request.cores.num_cores == 1)
		return NULL;
	return error_with_hint(
		error_create(ERROR_USAGE,
			     options->command == COMMAND_RECORD
				     ? "you can specify only one core for sampling"
				     : "sampling: you can specify 1 core with -c option"),
		"this source samples one core: say which one with -c");
}

/** Cycles, if the machine counts them; else time. */
static struct error *add_default_event(struct sample_run *run)
{
	struct session *session = &run->session;
	static const char *const names[] = {"cycles", "cpu_cycles", "cpu-clock"};
	bool counts_cycles = session->info.counters.free[EVENT_CORE] > 0;
	for (size_t i = counts_cycles ? 0 : 2; i < ARRAY_SIZE(names); i++)
		if (catalog_find_event(&session->catalog, EVENT_CORE, names[i]))
			return event_spec_parse(&session->catalog, names[i], EVENT_SPEC_SAMPLE,
						NULL, &run->request.events);
	return error_with_hint(error_create(ERROR_USAGE, "no event specified"),
			       "say what to sample with -e; wperf list shows the names");
}

static struct error *make_request(struct sample_run *run)
{
	struct error *err = request_create(run->options, &run->session, EVENT_SPEC_SAMPLE,
					   &run->request, &run->session.warnings);
	diagnostics_print_warnings(string_builder_peek(&run->session.warnings));
	if (!err && !run->options->num_counted)
		err = add_default_event(run);
	if (!err && run->request.has_spe)
		err = error_with_hint(error_create(ERROR_FAILED,
						   "this version of wperf does not sample by SPE"),
				      "the request is fine, and nothing was started");
	return err ? err : check_cores(run);
}

static struct error *choose_chain(const struct options *options, enum sample_chain *ret)
{
	static const struct {
		const char *name;
		enum sample_chain chain;
	} chains[] = {
		{"fp", SAMPLE_CHAIN_FP},
		{"cfi", SAMPLE_CHAIN_CFI},
		{"lbr", SAMPLE_CHAIN_LBR},
	};
	*ret = options->callers ? SAMPLE_CHAIN_CFI : SAMPLE_CHAIN_NONE;
	for (size_t i = 0; options->call_graph && i < ARRAY_SIZE(chains); i++) {
		if (strcmp(options->call_graph, chains[i].name) != 0)
			continue;
		*ret = chains[i].chain;
		return NULL;
	}
	if (!options->call_graph)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "callers cannot be found by '%s'",
					    options->call_graph),
			       "--call-graph takes fp, cfi or lbr");
}

static struct error *find_processes(struct sample_run *run, const char *name)
{
	uint32_t *pids;
	size_t num_pids;
	struct error *err = process_search(name, &pids, &num_pids);
	if (err)
		return err;
	_Static_assert(sizeof(pid_t) == sizeof(uint32_t), "pid_t has 32 bits");
	run->pids = (pid_t *)pids;
	run->config.plan.num_pids = num_pids;
	if (num_pids)
		return NULL;
	return error_with_hint(error_create(ERROR_FAILED, "there is no process '%s'", name),
			       "--image_name takes the name of its program file");
}

/** A machine that plays itself has a program of its own, whatever command was said. */
static bool is_simulated(const struct sample_run *run)
{
	return run->session.source->ops->pass_time != NULL;
}

static void note_simulation(const struct options *options)
{
	if (options->spawn && !options->quiet)
		fprintf(stderr,
			"note: source sim plays a program of its own; '%s' was not started\n",
			options->spawn[0]);
}

static struct error *choose_processes(struct sample_run *run)
{
	const struct options *options = run->options;
	if (is_simulated(run)) {
		note_simulation(options);
		return NULL;
	}
	if (options->spawn) {
		run->config.command = options->spawn;
		return NULL;
	}
	if (!run->session.info.counts_processes)
		return NULL;
	if (options->pids)
		return pid_list_parse(options->pids, &run->pids, &run->config.plan.num_pids);
	const char *name = options->image_name ? options->image_name : options->pe_file;
	return name ? find_processes(run, name) : NULL;
}

static struct error *fill_plan(struct sample_run *run)
{
	const struct options *options = run->options;
	struct sample_plan *plan = &run->config.plan;
	struct error *err = choose_chain(options, &plan->chain);
	if (!err)
		err = choose_processes(run);
	plan->events = &run->request.events;
	plan->frequency_hz = options->frequency ? options->frequency : DEFAULT_FREQUENCY;
	plan->kernel = options->kernel;
	plan->stack_bytes = options->stack_bytes / 8 * 8;
	plan->cores = run->request.cores.cores;
	plan->num_cores = run->request.cores.num_cores;
	plan->pids = run->pids;
	plan->inherit = true;
	return err;
}

static struct error *add_event(struct sample_run *run, const struct event_request *request)
{
	struct named_profile *profile = recording_profile(run->recording);
	struct named_event event = {.period = request->interval};
	if (!event.period && run->session.info.counts_processes)
		event.frequency = run->config.plan.frequency_hz;
	else if (!event.period)
		event.period = EVENT_DEFAULT_INTERVAL;
	struct error *err = named_profile_string(profile, request->event->name, &event.name);
	bool is_time = strcmp(request->event->name, "cpu-clock") == 0 ||
		       strcmp(request->event->name, "task-clock") == 0;
	if (!err)
		err = named_profile_string(profile, is_time ? "nanoseconds" : "events",
					   &event.unit);
	return err ? err : recording_add_event(run->recording, &event);
}

static struct error *create_recording(struct sample_run *run)
{
	struct utsname host;
	uname(&host);
	bool has_callers = run->config.plan.chain != SAMPLE_CHAIN_NONE;
	const struct recording_config config = {
		.machine = host.machine,
		.keeps_samples = run->options->html != NULL,
		.has_callers = has_callers,
		.walks_stacks = run->config.plan.chain == SAMPLE_CHAIN_CFI,
		.files = {.sysroots = run->options->sysroot,
			  .are_processes_here = !is_simulated(run)},
	};
	struct error *err = recording_create(&config, &run->recording);
	for (size_t i = 0; !err && i < run->request.events.num_items; i++)
		err = add_event(run, &run->request.events.items[i]);
	return err;
}

static const char *save_path(const struct options *options)
{
	return options->save ? options->save : options->export_perf_data ? "perf.data" : NULL;
}

/** The attributes are known when the events are open. */
static struct error *create_file(struct sample_run *run)
{
	const char *path = save_path(run->options);
	if (!path)
		return NULL;
	size_t num_events = 0;
	const struct source_ops *ops = run->session.source->ops;
	const struct perf_data_event *events =
		ops->sample_events ? ops->sample_events(run->session.source, &num_events) : NULL;
	if (!events)
		return error_create(ERROR_FAILED, "source '%s' has no records for perf.data",
				    ops->name);
	struct error *err = recording_file_create(
		path, events, num_events, run->config.plan.chain == SAMPLE_CHAIN_CFI, &run->file);
	if (!err)
		sampling_save(run->sampling, run->file);
	return err;
}

static struct error *prepare(struct sample_run *run)
{
	struct error *err = check_target(run->options);
	if (!err)
		err = open_catalogue_session(run->options, &run->session);
	if (!err)
		err = make_request(run);
	if (!err)
		err = fill_plan(run);
	if (!err)
		err = create_recording(run);
	if (!err)
		err = sampling_create(run->session.source, &run->config, run->recording,
				      &run->sampling);
	return err ? err : create_file(run);
}

static struct error *sample(struct sample_run *run)
{
	uint64_t timeout = run->options->timeout_ns;
	// What a simulated command would take.
	if (is_simulated(run) && run->options->spawn && timeout == DURATION_NONE)
		timeout = SIMULATED_RUN_NS;
	struct sample_progress progress =
		sample_progress_create(run->options, run->config.plan.frequency_hz);
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

static struct error *finish_file(struct sample_run *run)
{
	if (!run->file)
		return NULL;
	return recording_file_finish(run->file, run->recording, run->options->command_line);
}

/** Names that the source has for code that is in no file. @ret: to be freed. */
static struct error *names_of_source(struct source *source, struct symbolizer_name **ret,
				     size_t *ret_num)
{
	*ret_num = 0;
	const struct sample_symbol *symbols =
		source->ops->sample_symbols ? source->ops->sample_symbols(source, ret_num) : NULL;
	struct symbolizer_name *names = calloc(*ret_num + 1, sizeof(*names));
	if (!names)
		return &error_no_memory;
	for (size_t i = 0; i < *ret_num; i++)
		names[i] = (struct symbolizer_name){
			.address = symbols[i].address,
			.size = symbols[i].size,
			.name = symbols[i].name,
			.file = symbols[i].file,
			.line = symbols[i].line,
		};
	*ret = names;
	return NULL;
}

static struct error *symbolize(struct sample_run *run)
{
	struct error *err = names_of_source(run->session.source, &run->names, &run->num_names);
	if (err)
		return err;
	const struct symbolizer_config config = {
		.sysroots = run->options->sysroot,
		.is_this_kernel = !is_simulated(run),
		.are_processes_here = !is_simulated(run),
		.with_lines = true,
		.with_full_names = run->options->display_long,
		.names = run->names,
		.num_names = run->num_names,
	};
	run->walks = recording_totals(run->recording);
	err = symbolizer_create(&config, &run->symbolizer);
	return err ? err : recording_finish(run->recording, run->symbolizer, &run->profile);
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
	report->sampling_type = "software sampling";
}

static struct error *write_report(const struct sample_run *run)
{
	_cleanup_(sample_tables_deinit) struct sample_tables tables = SAMPLE_TABLES_INIT;
	_cleanup_(output_deinit) struct output output;
	struct error *err =
		sample_tables_fill(&tables, run->options, &run->profile, program_of(run->options));
	if (err)
		return err;
	add_totals(run, &tables.report);
	if (run->options->verbose)
		err = sample_tables_add_modules(&tables, recording_processes(run->recording));
	if (err)
		return err;
	err = output_open(run->options, &output);
	if (!err && output.text)
		sample_report_print_image(&tables.report, output.text);
	if (!err && output.text)
		err = sample_report_print(&tables.report, output.text);
	if (!err && output.json)
		err = sample_report_write_json(&tables.report, output.json);
	return err ? err : output_close(&output);
}

/** Where the result is less than was asked for. */
static struct error *print_notes(const struct sample_run *run)
{
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
	read_profile_note_cut_stacks(&run->walks);
	return read_profile_complain(run->symbolizer);
}

/** Names are looked up for those who see them; a recording that is only saved needs none. */
static struct error *show(struct sample_run *run)
{
	if (!output_is_wanted(run->options) && !run->options->html)
		return NULL;
	struct error *err = symbolize(run);
	if (!err)
		err = write_report(run);
	if (!err && run->options->html)
		err = profile_page_write(run->options->html, &run->profile, run->options->sysroot);
	return err || run->options->quiet ? err : print_notes(run);
}

struct error *command_sample(const struct options *options, int *ret_exit)
{
	_cleanup_(sample_run_deinit) struct sample_run run = {.options = options};
	struct error *err = prepare(&run);
	if (!err)
		err = sample(&run);
	if (!err)
		err = finish_file(&run);
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
