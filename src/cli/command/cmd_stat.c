// SPDX-License-Identifier: Apache-2.0
// `stat` in four forms: once; -r, several runs of a program with mean and deviation; -I, period
// after period; -t, a timeline with pauses and CSV files, as WindowsPerf has it. All prepare alike:
// words that contradict each other are refused, the source is opened, events and metrics are found,
// and the empty tables are made (stat_tables.h), which every count fills. Then each form has its
// own loop.

#include "base/os/interrupt.h"
#include "base/terminal/terminal.h"
#include "catalog/linux/system_event.h"
#include "cli/command.h"
#include "cli/option/option_requests.h"
#include "cli/option/option_run_requests.h"
#include "cli/option/option_session.h"
#include "cli/option/options.h"
#include "report/notes/control_events.h"
#include "report/notes/control_notes.h"
#include "report/notes/diagnostics.h"
#include "report/output.h"
#include "report/result_file.h"
#include "report/stat/stat_notes.h"
#include "report/stat/stat_progress.h"
#include "report/stat/stat_repeat.h"
#include "report/stat/stat_tables.h"
#include "report/stat/stat_trace.h"
#include "session/control/control_channel.h"
#include "session/counting.h"
#include "session/setup/count_setup.h"
#include "session/setup/crowded_target.h"

#include <string.h>

enum { PEER_EXIT_NO_EVENT = 255 }; // its -1

/** A run of `stat`, from words to numbers. */
struct stat_run {
	const struct options *options;
	struct session session;
	struct count_request asked;
	struct count_setup setup;
	double *spreads; /* of -r, in percent, for CSV; or NULL */
	struct counting *counting;
	struct control_channel control; /* of --control; or closed */
	struct target_command_end end;  /* of the last run */
	struct stat_tables tables;
	struct value_counts values; /* of probes */
	struct trace_provider trace;
};

/** From here until close_counting(), Ctrl-C ends the count and not wperf. */
static struct error *open_counting(struct stat_run *run)
{
	struct error *err = interrupt_install();
	return err ? err : counting_create(run->session.source, &run->setup.config, &run->counting);
}

static void close_counting(struct stat_run *run)
{
	counting_destroy(take_ptr(run->counting));
	interrupt_uninstall();
}

static void stat_run_deinit(struct stat_run *run)
{
	value_counts_deinit(&run->values);
	stat_tables_deinit(&run->tables);
	trace_provider_deinit(&run->trace);
	close_counting(run);
	count_setup_deinit(&run->setup);
	session_close(&run->session);
	control_channel_close(&run->control);
	free(run->spreads);
}

/** Files that the way of counting does not write. */
static struct error *cmd_stat_check_files(const struct options *options)
{
	bool is_periodic = options->period_ns != DURATION_NONE;
	if (is_periodic && options->output_csv)
		return error_with_hint(error_create(ERROR_USAGE, "--output-csv belongs to -t"),
				       "with -I, -o FILE.csv writes CSV and -o FILE.json JSON");
	if (options->html && !is_periodic && !options->timeline)
		return error_with_hint(error_create(ERROR_USAGE, "--html needs -I or -t"),
				       "-I 1000 --html %s shows the counts of each second",
				       options->html);
	if (options->output && !options->json && !options->compat &&
	    result_format_of(options->output) == RESULT_HTML)
		return error_with_hint(error_create(ERROR_USAGE, "-o of 'stat' writes no page: %s",
						    options->output),
				       "--html %s writes it, with -I or -t", options->output);
	if (options->append && options->timeline)
		return error_with_hint(error_create(ERROR_USAGE, "both --append and -t were given"),
				       "-I MS -o FILE --append adds each period to a file");
	return NULL;
}

/** perf pairs the groups of -G with events; of that, wperf has the case of one group for all. */
static struct error *cmd_stat_check_cgroups(const struct options *options)
{
	struct core_grouping grouping;
	const char *word;
	struct error *err = options_core_grouping(options, &grouping, &word);
	if (err || (!options->cgroup && !options->each_cgroup))
		return err;
	if (options->cgroup && options->each_cgroup)
		return error_create(ERROR_USAGE, "both -G and --for-each-cgroup were given");
	if (options->cgroup && strchr(options->cgroup, ','))
		return error_with_hint(
			error_create(ERROR_USAGE, "-G takes one control group for all events"),
			"--for-each-cgroup %s counts all events in each of them", options->cgroup);
	if (word || options->per_core || options->per_thread)
		return error_with_hint(error_create(ERROR_USAGE,
						    "both %s and control groups were given",
						    word                ? word
						    : options->per_core ? "-A"
									: "--per-thread"),
				       "a group is one row for all CPUs; -c chooses CPUs");
	if (options->timeline)
		return error_with_hint(error_create(ERROR_USAGE,
						    "both -t and control groups were given"),
				       "-I MS shows each period");
	return NULL;
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
	if (options->start_delay_ns == DELAY_ENDLESS && !options->control)
		return error_with_hint(error_create(ERROR_USAGE,
						    "-D -1 counts nothing without --control"),
				       "--control fd:CTL lets another program write 'enable'");
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
	struct error *err = cmd_stat_check_cgroups(options);
	return err ? err : cmd_stat_check_files(options);
}

/** Said before anything is opened: it needs no device. */
static struct error *cmd_stat_check_events(const struct options *options, int *ret_exit)
{
	_cleanup_(source_settings_deinit) struct source_settings settings = SOURCE_SETTINGS_INIT;
	const struct source_ops *ops;
	struct error *err = source_select(options->source, &ops, &settings);
	// --null counts nothing on purpose.
	if (err || options->num_counted || options->null_run)
		return err;
	if (!options->compat && ops->traits.default_events)
		return NULL;
	*ret_exit = options->compat ? PEER_EXIT_NO_EVENT : 0;
	return error_with_hint(
		error_create(ERROR_USAGE, "no event specified"),
		"choose events with -e or metrics with -m; 'wperf list' shows the names");
}

/** Sums by topology need CPUs to sum up, and know which are together. */
static struct error *cmd_stat_set_groups(struct stat_run *run)
{
	const struct options *options = run->options;
	struct stat_core_groups *groups = &run->tables.groups;
	const char *word;
	struct error *err = options_core_grouping(options, &groups->by, &word);
	if (err || !groups->by.kind)
		return err;
	if (run->setup.config.plan.num_pids ||
	    (run->setup.config.command && !run->setup.config.is_clock))
		return error_with_hint(error_create(ERROR_USAGE,
						    "%s sums up whole CPUs, not processes", word),
				       "add -a; a command then only says for how long");
	if (run->setup.request.num_core_requests)
		return error_create(ERROR_USAGE, "%s cannot sum up events that differ by core",
				    word);
	if (options->timeline)
		return error_with_hint(error_create(ERROR_USAGE, "both %s and -t were given", word),
				       "-I MS shows the sums of each period");
	groups->root = run->session.info.topology;
	if (!groups->root)
		return error_with_hint(
			error_create(ERROR_FAILED,
				     "source '%s' does not know which CPUs belong together",
				     run->session.source->ops->traits.name),
			"leave out %s: each CPU has a table", word);
	const struct core_list *cores = &run->setup.request.cores;
	size_t num_cores = cores->num_cores ? cores->num_cores : run->session.info.num_cores;
	return stat_core_groups_place(groups, cores->num_cores ? cores->cores : NULL, num_cores,
				      &run->tables.arena);
}

/** @context: the struct stat_run. */
static bool cmd_stat_list_events(void *context, const struct control_command *command)
{
	const struct stat_run *run = context;
	const struct event_list *list = &run->setup.request.events;
	const struct count_ops *count = run->session.source->ops->count;
	_cleanup_free_ struct perf_data_event *attrs =
		count->event ? calloc(list->num_items + 1, sizeof(*attrs)) : NULL;
	for (size_t i = 0; attrs && i < list->num_items; i++)
		count->event(run->session.source, i, &attrs[i]);
	const struct control_events events = {list, attrs};
	return control_events_print(command, &events, stderr);
}

/** Before anything is started that waits for commands. */
static struct error *cmd_stat_open_control(struct stat_run *run)
{
	if (!run->options->control)
		return NULL;
	run->setup.config.control = &run->control;
	run->setup.config.list_events = cmd_stat_list_events;
	run->setup.config.list_context = run;
	return control_channel_open(run->options->control, &run->control);
}

static struct error *cmd_stat_prepare(struct stat_run *run, int *ret_exit)
{
	const struct options *options = run->options;
	struct count_setup *setup = &run->setup;
	crowded_target_precede(options->pids);
	struct error *err = cmd_stat_check_words(options);
	if (!err)
		err = cmd_stat_check_events(options, ret_exit);
	if (!err)
		err = open_catalogue_session(options, &run->session);
	setup->session = &run->session;
	run->asked = options_count_request(options);
	if (!err)
		err = count_setup_find_events(setup, &run->asked);
	diagnostics_print_warnings(string_builder_peek(&run->session.warnings));
	if (!err)
		err = count_setup_finish(setup);
	if (err)
		return err;
	err = stat_tables_create(&run->session, &setup->request, setup->config.plan.kernel,
				 (int)options->metric_precision, setup->target_name,
				 options->compat, &run->tables);
	// JSON and pages have the metrics of each core.
	run->tables.adds_up = options->system_wide && !options->per_core && !options->html &&
			      !output_writes_json(options_output_request(options));
	if (setup->cgroups.num_items)
		run->tables.cgroups = &setup->cgroups;
	if (!err)
		err = cmd_stat_set_groups(run);
	if (!err)
		err = cmd_stat_open_control(run);
	// Before the count: who records has time to be told of the new provider.
	stat_trace_open(&run->trace);
	run->tables.trace = &run->trace;
	return err;
}

/** Of -x, or the file's name; NULL for tables. */
static const char *separator_of(const struct options *options)
{
	if (options->separator)
		return options->separator;
	// A timeline writes its own CSV files, and --json and --compat have JSON in every file.
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

static struct error *cmd_stat_write_report(struct stat_run *run)
{
	struct stat_report *report = &run->tables.report;
	_cleanup_(output_deinit) struct output output;
	struct error *err = output_open(options_output_request(run->options), &output);
	report->layout = output.layout;
	if (!err && output.text) {
		const struct stat_rows rows = cmd_stat_rows_of(run);
		report->adds_up = rows.adds_up;
		err = rows.separator
			      ? stat_rows_print(&rows, report, output.text, output_name(&output))
			      : stat_report_print(report, output.text);
	}
	if (!err && output.json)
		err = stat_report_write_json(report, output.json);
	return err ? err : output_close(&output);
}

/** @progress: where to show it, or NULL. */
static struct error *count_one_run(struct stat_run *run, FILE *progress,
				   struct counting_result *ret)
{
	uint64_t timeout = run->options->timeout_ns;
	struct error *err = open_counting(run);
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

/** @ret: the means of all runs, or of as many as there were until Ctrl-C. */
static struct error *repeat_runs(struct stat_run *run, struct stat_repeat *repeat,
				 struct counting_result *ret)
{
	enum target_end end = TARGET_TIME_UP;
	struct error *err = NULL;
	for (uint32_t i = 0; !err && end != TARGET_INTERRUPTED && i < run->options->repeat; i++) {
		_cleanup_(counting_result_deinit) struct counting_result result =
			COUNTING_RESULT_INIT;
		// The run before; the last one stays, for what it has to say.
		close_counting(run);
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
	struct target_command_end end = run->end;
	// The program of -a or -p is only the clock of the run: its own times are not those of what
	// was counted.
	run->tables.report.has_cpu_times = end.has_ended && !run->setup.config.is_clock;
	run->tables.report.user_ns = end.user_ns;
	run->tables.report.system_ns = end.system_ns;
	const struct count_ops *ops = run->session.source->ops->count;
	struct error *err = NULL;
	if (run->counting && ops->read_values)
		err = ops->read_values(run->session.source, &run->values);
	run->tables.report.values = &run->values;
	if (!err)
		err = cmd_stat_write_report(run);
	// Notes are about the source, and -q and --json ask for none.
	if (!err && shows_text && run->counting)
		stat_notes_print(&run->setup, stderr);
	if (!err)
		stat_notes_print_values(&run->values, stderr);
	return err;
}

static struct error *count_repeatedly(struct stat_run *run, bool shows_text)
{
	_cleanup_(stat_repeat_deinit) struct stat_repeat repeat = STAT_REPEAT_INIT;
	_cleanup_(counting_result_deinit) struct counting_result result = COUNTING_RESULT_INIT;
	if (!run->setup.config.command)
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
			      (!run->setup.config.command || options->compat);
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
	struct error *err = open_counting(run);
	if (!err)
		err = stat_timeline(&request, run->counting, &run->tables,
				    progress_stream(run, shows_text));
	if (!err && shows_text)
		stat_notes_print(&run->setup, stderr);
	if (run->counting)
		run->end = counting_command_end(run->counting);
	return err;
}

static struct error *cmd_stat_count_periods(struct stat_run *run, bool shows_text)
{
	const struct stat_rows rows = cmd_stat_rows_of(run);
	const struct stat_periods_request request = options_stat_periods(run->options);
	struct error *err = open_counting(run);
	if (!err)
		err = stat_periods(&request, run->counting, &run->tables, &rows);
	if (!err && shows_text)
		stat_notes_print(&run->setup, stderr);
	if (run->counting)
		run->end = counting_command_end(run->counting);
	return err;
}

/** They are summed up over one run, and have tables of their own. */
static struct error *check_values(const struct stat_run *run)
{
	const struct options *options = run->options;
	const struct event_list *events = &run->setup.request.events;
	bool has_values = false;
	for (size_t i = 0; i < events->num_items; i++)
		has_values |= events->items[i].event->event_class == EVENT_PERF &&
			      system_event_of(events->items[i].event)->reading;
	bool is_plain = options->period_ns == DURATION_NONE && !options->timeline &&
			options->repeat <= 1 && !separator_of(options) && !options->html;
	if (!has_values || is_plain)
		return NULL;
	return error_with_hint(
		error_create(ERROR_USAGE, "values of probes are shown once for a "
					  "run, as text or JSON"),
		"leave out -I, -t, -r, -x and --html, or the values behind the probe");
}

static struct error *cmd_stat_count(struct stat_run *run)
{
	const struct options *options = run->options;
	struct error *err = check_values(run);
	if (err)
		return err;
	bool shows_text = !options->json && !options->quiet;
	if (shows_text && options->verbose)
		stat_notes_print_events(&run->setup.request, stdout);
	if (options->period_ns != DURATION_NONE)
		return cmd_stat_count_periods(run, shows_text);
	if (options->timeline)
		return count_timeline(run, shows_text);
	return options->repeat > 1 ? count_repeatedly(run, shows_text)
				   : cmd_stat_count_once(run, shows_text);
}

struct error *command_stat(const struct options *options, int *ret_exit)
{
	_cleanup_(stat_run_deinit) struct stat_run run = {.options = options,
							  .control = CONTROL_CHANNEL_INIT};
	struct error *err = output_check(options_output_request(options));
	if (!err)
		err = cmd_stat_prepare(&run, ret_exit);
	if (!err)
		err = cmd_stat_count(&run);
	if (!err)
		control_notes_print(&run.control, stderr);
	// The command's own exit code is ours, except for programs that know the peer, which has 0.
	if (!err)
		*ret_exit = run.end.has_ended && !options->compat ? run.end.exit_code : 0;
	return err;
}
