// SPDX-License-Identifier: Apache-2.0

#include "base/terminal/terminal.h"
#include "base/text/string_builder.h"
#include "cli/command.h"
#include "cli/option/option_requests.h"
#include "cli/option/option_run_requests.h"
#include "cli/option/option_session.h"
#include "cli/option/options.h"
#include "process/pid_list.h"
#include "report/notes/diagnostics.h"
#include "report/output.h"
#include "report/result_file.h"
#include "report/stat/stat_progress.h"
#include "report/stat/stat_repeat.h"
#include "report/stat/stat_tables.h"
#include "session/counting.h"
#include "session/setup/crowded_target.h"
#include "session/setup/run_request.h"

#include <inttypes.h>
#include <string.h>

enum { PEER_EXIT_NO_EVENT = 255 }; // its -1

/** A run of `stat`, from words to numbers. */
struct stat_run {
	const struct options *options;
	struct session session;
	struct run_request request;
	struct counting_config config;
	uint32_t *pids;
	struct count_core_plan *core_plans;
	double *spreads; /* of -r, in percent, for CSV; or NULL */
	char *target_name;
	struct counting *counting;
	struct target_command_end end; /* of the last run */
	struct stat_tables tables;
};

static void stat_run_deinit(struct stat_run *run)
{
	stat_tables_deinit(&run->tables);
	counting_destroy(run->counting);
	run_request_deinit(&run->request);
	session_close(&run->session);
	free(run->pids);
	free(run->core_plans);
	free(run->spreads);
	free(run->target_name);
}

static struct error *no_event(const struct options *options, int *ret_exit)
{
	*ret_exit = options->compat ? PEER_EXIT_NO_EVENT : 0;
	return error_with_hint(
		error_create(ERROR_USAGE, "no event specified"),
		"choose events with -e or metrics with -m; 'wperf list' shows the names");
}

/** Of the source's list, what this machine has. */
static struct error *add_default_events(struct stat_run *run)
{
	struct session *session = &run->session;
	struct error *err = NULL;
	for (const char *const *name = session->source->ops->traits.default_events; !err && *name;
	     name++)
		if (catalog_find_event(&session->catalog, EVENT_CORE, *name))
			err = event_spec_parse(&session->catalog, *name, EVENT_SPEC_COUNT, NULL,
					       &run->request.events);
	if (!session->info.counters.free[EVENT_CORE])
		string_builder_append(&session->warnings,
				      "note: no CPU counters here, so no cycles and instructions; "
				      "wperf detect shows why\n");
	return err;
}

/** Words that contradict each other. */
static struct error *cmd_stat_check_words(const struct options *options)
{
	bool is_periodic = options->period_ns != DURATION_NONE;
	if (is_periodic && options->timeline)
		return error_with_hint(error_create(ERROR_USAGE, "both -I and -t were given"),
				       "-I shows period after period, -t counts with pauses and "
				       "writes CSV files");
	if (is_periodic && options->repeat > 1)
		return error_create(ERROR_USAGE, "both -I and -r were given");
	if (is_periodic && (options->output_csv || options->html))
		return error_with_hint(error_create(ERROR_USAGE, "%s belongs to -t",
						    options->html ? "--html" : "--output-csv"),
				       "with -I, -o FILE.csv writes CSV and -o FILE.json JSON");
	if (options->append && options->timeline)
		return error_with_hint(error_create(ERROR_USAGE, "both --append and -t were given"),
				       "-I MS -o FILE --append adds each period to a file");
	if (options->separator && options->timeline)
		return error_with_hint(
			error_create(ERROR_USAGE, "both -x and -t were given"),
			"-t writes CSV files by itself: --output-csv FILE; -I MS -x, "
			"prints each period");
	if (options->separator && (options->json || !*options->separator))
		return error_create(ERROR_USAGE, options->json ? "both -x and --json were given"
							       : "-x needs a separator: -x,");
	if (options->system_wide && options->pids)
		return error_create(ERROR_USAGE, "both -a and -p were given");
	return NULL;
}

/** Said before anything is opened: it needs no device. */
static struct error *cmd_stat_check_events(const struct options *options, int *ret_exit)
{
	_cleanup_(source_settings_deinit) struct source_settings settings = SOURCE_SETTINGS_INIT;
	const struct source_ops *ops;
	struct error *err = source_select(options->source, &ops, &settings);
	if (err || options->num_counted || options->null_run)
		return err;
	return options->compat || !ops->traits.default_events ? no_event(options, ret_exit) : NULL;
}

/** Behind the others; where the machine has no such events, the rows say so. */
static struct error *add_cache_events(struct stat_run *run)
{
	static const char events[] =
		"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses";
	struct catalog *catalog = &run->session.catalog;
	if (!catalog->num_system_events)
		return error_with_hint(error_create(ERROR_USAGE,
						    "source '%s' has no generic cache "
						    "events for -d",
						    run->session.source->ops->traits.name),
				       "-m dcache counts the caches of an Arm CPU");
	return event_spec_parse(catalog, events, EVENT_SPEC_COUNT, NULL, &run->request.events);
}

static struct error *cmd_stat_make_request(struct stat_run *run)
{
	const struct run_words words = options_run_words(run->options);
	struct error *err = run_request_create(&words, &run->session, EVENT_SPEC_COUNT,
					       &run->request, &run->session.warnings);
	if (!err && !run->options->num_counted && !run->options->null_run)
		err = add_default_events(run);
	return err || !run->options->detailed ? err : add_cache_events(run);
}

/** "'sleep 1'", the name of what is counted. */
static struct error *name_command(struct stat_run *run)
{
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	for (size_t i = 0; i < run->options->num_spawn; i++)
		string_builder_appendf(&name, "%s%s", i ? " " : "'", run->options->spawn[i]);
	string_builder_append_char(&name, '\'');
	return string_builder_finish(&name, &run->target_name);
}

static struct error *choose_target(struct stat_run *run)
{
	const struct options *options = run->options;
	const struct source_info *info = &run->session.info;
	struct count_plan *plan = &run->config.plan;
	if (options->pids && options->spawn)
		return error_create(ERROR_USAGE, "a command and -p cannot be combined");
	if (options->pids && !info->counts_processes)
		return error_with_hint(error_create(ERROR_USAGE, "this source counts whole cores, "
								 "not processes"),
				       "choose cores with -c");
	if (options->spawn && !info->counts_processes && run->request.cores.num_cores != 1)
		return error_with_hint(
			error_create(ERROR_USAGE,
				     "you can specify only one core for process spawn"),
			"this source counts whole cores: choose one with -c");
	plan->inherit = true;
	plan->per_thread = options->per_thread;
	run->config.command = options->clock;
	run->config.is_clock = options->clock != NULL;
	run->config.command_output = output_of_command(options_output_request(options));
	if (options->pids)
		return pid_list_parse(options->pids, &run->pids, &plan->num_pids);
	if (options->spawn)
		run->config.command = options->spawn;
	run->config.sysroot = options->sysroot;
	run->config.counts_cores = !info->counts_processes;
	return options->spawn ? name_command(run) : NULL;
}

static struct error *fill_core_plans(struct stat_run *run)
{
	const struct run_request *request = &run->request;
	run->core_plans = calloc(request->num_core_requests + 1, sizeof(*run->core_plans));
	if (!run->core_plans)
		return &error_no_memory;
	for (size_t i = 0; i < request->num_core_requests; i++) {
		const struct core_request *own = &request->core_requests[i];
		run->core_plans[i] = (struct count_core_plan){
			.placement = &own->placement,
			.cores = own->cores.cores,
			.num_cores = own->cores.num_cores,
		};
	}
	return NULL;
}

static void cmd_stat_fill_plan(struct stat_run *run)
{
	const struct options *options = run->options;
	struct count_plan *plan = &run->config.plan;
	plan->events = &run->request.events;
	plan->placements = run->request.placements;
	plan->kernel = options->kernel;
	plan->skips_absent = true;
	plan->period_ms = run->request.config.count_period_ms;
	plan->channel = options->dmc == NUMBER_NONE ? COUNT_ALL_CHANNELS : options->dmc;
	plan->cores = run->request.cores.cores;
	plan->num_cores = run->request.cores.num_cores;
	plan->pids = run->pids;
	plan->core_plans = run->core_plans;
	plan->num_core_plans = run->request.num_core_requests;
	bool is_periodic = options->period_ns != DURATION_NONE;
	bool has_end = options->timeout_ns != DURATION_NONE;
	run->config.counts_on = is_periodic;
	run->config.is_endless =
		options->timeline || (is_periodic && !has_end) ? options->count == 0 : !has_end;
}

static struct error *cmd_stat_prepare(struct stat_run *run, int *ret_exit)
{
	crowded_target_precede(run->options->pids);
	struct error *err = cmd_stat_check_words(run->options);
	if (!err)
		err = cmd_stat_check_events(run->options, ret_exit);
	if (!err)
		err = open_catalogue_session(run->options, &run->session);
	if (!err)
		err = cmd_stat_make_request(run);
	diagnostics_print_warnings(string_builder_peek(&run->session.warnings));
	if (!err)
		err = choose_target(run);
	if (!err)
		err = fill_core_plans(run);
	if (err)
		return err;
	cmd_stat_fill_plan(run);
	return stat_tables_create(&run->session, &run->request, run->options->kernel,
				  (int)run->options->metric_precision, run->target_name,
				  run->options->compat, &run->tables);
}

/** "     6  core events: 0x001b 0x0075", a line per class; with padding. */
static void print_events(const struct run_request *request, FILE *stream)
{
	fputs("events to be counted:\n", stream);
	for (enum event_class i = EVENT_CORE; event_class_is_pmu(i); i++) {
		const struct placement *placement = &request->placements[i];
		if (!placement->num_events)
			continue;
		fprintf(stream, "%4zu%18s events:", placement->num_events, event_class_name(i));
		for (size_t k = 0; k < placement->num_events; k++)
			fprintf(stream, " 0x%04" PRIx64, placement->events[k].event->code);
		fputc('\n', stream);
	}
}

static void set_command_times(struct stat_run *run)
{
	struct target_command_end end = run->end;
	run->tables.report.has_cpu_times = end.has_ended && !run->config.is_clock;
	run->tables.report.user_ns = end.user_ns;
	run->tables.report.system_ns = end.system_ns;
}

static void print_lost_cores(struct source *source)
{
	uint32_t core;
	for (size_t i = 0;
	     source->ops->count->lost_core && source->ops->count->lost_core(source, i, &core); i++)
		fprintf(stderr, "note: core %u went offline; its counts end there\n", core);
}

static const char *cmd_stat_count_note(const struct stat_run *run, size_t column)
{
	struct source *source = run->session.source;
	return source->ops->count->note ? source->ops->count->note(source, column) : NULL;
}

static bool have_same_note(const struct stat_run *run, size_t a, size_t b)
{
	const char *first = cmd_stat_count_note(run, a), *second = cmd_stat_count_note(run, b);
	return first && second && strcmp(first, second) == 0;
}

static bool is_first_with_note(const struct stat_run *run, size_t column)
{
	for (size_t i = 0; i < column; i++)
		if (have_same_note(run, i, column))
			return false;
	return true;
}

/** One line for all events of which the same is to be said. */
static void print_note(const struct stat_run *run, size_t column)
{
	const struct event_list *events = &run->request.events;
	fprintf(stderr, "note: %s", events->items[column].event->name);
	for (size_t i = column + 1; i < events->num_items; i++)
		if (have_same_note(run, column, i))
			fprintf(stderr, ", %s", events->items[i].event->name);
	fprintf(stderr, ": %s\n", cmd_stat_count_note(run, column));
}

/** Where the numbers are not quite what was asked for. */
static void cmd_stat_print_notes(const struct stat_run *run)
{
	const struct event_list *events = &run->request.events;
	for (size_t i = 0; i < events->num_items; i++)
		if (cmd_stat_count_note(run, i) && is_first_with_note(run, i))
			print_note(run, i);
	print_lost_cores(run->session.source);
	diagnostics_print_run_notes(run->session.source);
}

/** Of -x, or the file's name; NULL for tables. */
static const char *separator_of(const struct options *options)
{
	if (options->separator)
		return options->separator;
	bool is_csv = options->output && !options->timeline && !options->json && !options->compat &&
		      result_format_of(options->output) == RESULT_CSV;
	return is_csv ? "," : NULL;
}

static struct stat_rows cmd_stat_rows_of(const struct stat_run *run)
{
	return (struct stat_rows){
		.separator = separator_of(run->options),
		.adds_up = run->options->system_wide && !run->options->per_core,
		.spreads = run->spreads,
	};
}

static struct error *cmd_stat_print_report(struct stat_run *run, const struct output *output)
{
	FILE *stream = output->text;
	const struct stat_rows rows = cmd_stat_rows_of(run);
	run->tables.report.adds_up = rows.adds_up;
	return rows.separator
		       ? stat_rows_print(&rows, &run->tables.report, stream, output_name(output))
		       : stat_report_print(&run->tables.report, stream);
}

static struct error *cmd_stat_write_report(struct stat_run *run)
{
	_cleanup_(output_deinit) struct output output;
	struct error *err = output_open(options_output_request(run->options), &output);
	run->tables.report.layout = output.layout;
	if (!err && output.text)
		err = cmd_stat_print_report(run, &output);
	if (!err && output.json)
		err = stat_report_write_json(&run->tables.report, output.json);
	return err ? err : output_close(&output);
}

/** @progress: where to show it, or NULL. */
static struct error *count_one_run(struct stat_run *run, FILE *progress,
				   struct counting_result *ret)
{
	uint64_t timeout = run->options->timeout_ns;
	struct error *err = counting_create(run->session.source, &run->config, &run->counting);
	if (!err)
		err = counting_begin(run->counting,
				     timeout == DURATION_NONE ? COUNTING_FOREVER : timeout);
	if (!err)
		err = stat_progress_wait(run->counting, progress);
	if (!err)
		err = counting_finish(run->counting, ret);
	if (!err)
		run->end = counting_command_end(run->counting);
	return err;
}

static void end_run(struct stat_run *run)
{
	counting_destroy(run->counting);
	run->counting = NULL;
}

/** @ret: the means of all runs, or of as many as there were until Ctrl-C. */
static struct error *repeat_runs(struct stat_run *run, struct stat_repeat *repeat,
				 struct counting_result *ret)
{
	enum target_end end = TARGET_TIME_UP;
	struct error *err = NULL;
	for (uint32_t i = 0; !err && end != TARGET_INTERRUPTED && i < run->options->repeat; i++) {
		_cleanup_(counting_result_deinit) struct counting_result result =
			COUNTING_RESULT_INIT;
		end_run(run); // the one before; the last stays, for what it has to say
		err = count_one_run(run, NULL, &result);
		if (!err)
			err = stat_repeat_add(repeat, &result, &run->end);
		end = result.end;
	}
	run->end.user_ns = (uint64_t)repeat->user.mean;
	run->end.system_ns = (uint64_t)repeat->system.mean;
	return err ? err : stat_repeat_mean(repeat, ret);
}

static struct error *show_report(struct stat_run *run, bool shows_text)
{
	set_command_times(run);
	struct error *err = cmd_stat_write_report(run);
	if (!err && shows_text && run->counting)
		cmd_stat_print_notes(run);
	return err;
}

static struct error *count_repeatedly(struct stat_run *run, bool shows_text)
{
	_cleanup_(stat_repeat_deinit) struct stat_repeat repeat = STAT_REPEAT_INIT;
	_cleanup_(counting_result_deinit) struct counting_result result = COUNTING_RESULT_INIT;
	if (!run->config.command)
		return error_with_hint(error_create(ERROR_USAGE, "-r needs a command to repeat"),
				       "write wperf stat -r %u ... -- COMMAND [ARGS]",
				       run->options->repeat);
	struct error *err = repeat_runs(run, &repeat, &result);
	if (!err)
		err = stat_tables_fill(&run->tables, &result);
	if (!err)
		err = separator_of(run->options) ? stat_repeat_spreads(&repeat, &run->spreads)
						 : stat_repeat_annotate(&repeat, &run->tables);
	return err ? err : show_report(run, shows_text);
}

/** Or NULL: a command's own output would get between the words of ours. */
static FILE *progress_stream(const struct stat_run *run, bool shows_text)
{
	const struct options *options = run->options;
	bool is_in_file = options->output && !output_writes_json(options_output_request(options)) &&
			  !options->timeline;
	bool shows_progress = shows_text && !is_in_file && !separator_of(options) &&
			      (!run->config.command || options->compat);
	return shows_progress ? stdout : NULL;
}

static struct error *cmd_stat_count_once(struct stat_run *run, bool shows_text)
{
	_cleanup_(counting_result_deinit) struct counting_result result = COUNTING_RESULT_INIT;
	struct error *err = count_one_run(run, progress_stream(run, shows_text), &result);
	if (!err)
		err = stat_tables_fill(&run->tables, &result);
	return err ? err : show_report(run, shows_text);
}

static struct error *count_timeline(struct stat_run *run, bool shows_text)
{
	const struct stat_timeline_request request = options_stat_timeline(run->options);
	struct error *err = counting_create(run->session.source, &run->config, &run->counting);
	if (!err)
		err = stat_timeline(&request, run->counting, &run->tables,
				    progress_stream(run, shows_text));
	if (!err && shows_text)
		cmd_stat_print_notes(run);
	if (run->counting)
		run->end = counting_command_end(run->counting);
	return err;
}

static struct error *cmd_stat_count_periods(struct stat_run *run, bool shows_text)
{
	const struct stat_rows rows = cmd_stat_rows_of(run);
	const struct stat_periods_request request = options_stat_periods(run->options);
	struct error *err = counting_create(run->session.source, &run->config, &run->counting);
	if (!err)
		err = stat_periods(&request, run->counting, &run->tables, &rows);
	if (!err && shows_text)
		cmd_stat_print_notes(run);
	if (run->counting)
		run->end = counting_command_end(run->counting);
	return err;
}

static struct error *cmd_stat_count(struct stat_run *run)
{
	const struct options *options = run->options;
	bool shows_text = !options->json && !options->quiet;
	if (shows_text && options->verbose)
		print_events(&run->request, stdout);
	if (options->period_ns != DURATION_NONE)
		return cmd_stat_count_periods(run, shows_text);
	if (options->timeline)
		return count_timeline(run, shows_text);
	return options->repeat > 1 ? count_repeatedly(run, shows_text)
				   : cmd_stat_count_once(run, shows_text);
}

/** The command's own exit code is ours, except for programs that know the peer, which has 0. */
static int exit_code(const struct stat_run *run)
{
	return run->end.has_ended && !run->options->compat ? run->end.exit_code : 0;
}

struct error *command_stat(const struct options *options, int *ret_exit)
{
	_cleanup_(stat_run_deinit) struct stat_run run = {.options = options};
	struct error *err = output_check(options_output_request(options));
	if (!err)
		err = cmd_stat_prepare(&run, ret_exit);
	if (!err)
		err = cmd_stat_count(&run);
	if (!err)
		*ret_exit = exit_code(&run);
	return err;
}
