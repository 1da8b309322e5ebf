// SPDX-License-Identifier: Apache-2.0
// `trace`: system calls of a program, or of running processes. Source `calls` counts them in the
// kernel, and samples them as other events are sampled; its counts are read when it has stopped.

#include "base/os/interrupt.h"
#include "cli/command.h"
#include "cli/option/option_requests.h"
#include "cli/option/option_sampling.h"
#include "cli/option/options.h"
#include "report/calls/call_report.h"
#include "report/sample/sample_progress.h"
#include "report/sample/sample_result.h"

#include <stdio.h>

enum { ROUND_NS = 100000000 };

static const struct counted_word trace_events[CALL_NUM_EVENTS] = {
	[CALL_EVENT_COUNT] = {false, "syscalls"},
	[CALL_EVENT_TIME] = {false, "syscall-time"},
	[CALL_EVENT_WAIT] = {false, "syscall-wait"},
	[CALL_EVENT_WAKE] = {false, "syscall-wake"},
};

struct trace_run {
	const struct options *options;
	struct sample_request asked;
	struct session session;
	struct sample_setup setup;
	struct sampling *sampling;
	struct symbolizer *symbolizer;
	struct sample_result result;
	struct call_table table;
	struct call_places places;
};

static void trace_run_deinit(struct trace_run *run)
{
	sampling_destroy(run->sampling);
	interrupt_uninstall();
	symbolizer_destroy(run->symbolizer);
	call_table_deinit(&run->table);
	call_places_deinit(&run->places);
	sample_result_deinit(&run->result);
	sample_setup_deinit(&run->setup);
	session_close(&run->session);
}

/** On this system, by any source? */
static struct error *cmd_trace_check_system(void)
{
	for (const struct source_ops *const *ops = all_sources; *ops; ops++)
		if ((*ops)->read_calls)
			return NULL;
	return error_with_hint(error_create(ERROR_FAILED, "system calls are counted on Linux only"),
			       "wperf record samples programs on this system");
}

static struct error *cmd_trace_prepare(struct trace_run *run)
{
	const struct options *options = run->options;
	if (!options->spawn && !options->pids)
		return error_with_hint(error_create(ERROR_USAGE, "'trace' needs a program"),
				       "wperf trace -- PROGRAM [ARGS], or wperf trace -p PID");
	struct error *err = cmd_trace_check_system();
	if (!err)
		err = output_check(options_output_request(options));
	if (err)
		return err;
	run->asked = options_sample_request(options, false);
	run->asked.words.counted = trace_events;
	run->asked.words.num_counted = CALL_NUM_EVENTS;
	run->asked.with_spe = false;
	err = open_sample_setup(options, &run->asked, &run->session, &run->setup);
	const struct source *source = run->session.source;
	if (!err && source && !source->ops->read_calls)
		err = error_with_hint(error_create(ERROR_FAILED,
						   "source '%s' counts no system calls",
						   source->ops->traits.name),
				      "unset WPERF_SOURCE");
	if (!err)
		err = finish_sample_setup(options, &run->setup);
	if (!err)
		err = interrupt_install();
	return err ? err
		   : sampling_create(run->session.source, &run->setup.config, run->setup.builder,
				     &run->sampling);
}

static struct error *cmd_trace_sample(struct trace_run *run)
{
	uint64_t timeout = run->options->timeout_ns;
	struct sample_progress progress = sample_progress_create(!run->options->quiet, 0);
	struct error *err = sampling_begin(run->sampling,
					   timeout == DURATION_NONE ? SAMPLING_FOREVER : timeout);
	for (bool is_over = false; !err && !is_over;) {
		err = sampling_round(run->sampling, ROUND_NS, &is_over);
		sample_progress_show(&progress, run->sampling);
	}
	if (!err)
		err = sampling_finish(run->sampling);
	sample_progress_end(&progress);
	return err;
}

static struct error *cmd_trace_show(struct trace_run *run)
{
	const struct options *options = run->options;
	struct source *source = run->session.source; // open, since cmd_trace_prepare()
	struct error *err = source ? source->ops->read_calls(source, &run->table) : NULL;
	if (!err)
		err = sample_setup_symbolizer(&run->setup, &run->symbolizer);
	run->result = (struct sample_result){
		.setup = &run->setup,
		.sampling = run->sampling,
		.symbolizer = run->symbolizer,
	};
	if (!err)
		err = sample_result_take_profile(&run->result);
	if (!err)
		err = call_places_init(&run->places, &run->result.profile);
	const struct call_report report = {
		.table = &run->table,
		.places = &run->places,
		.max_rows = options_rows(options, DEFAULT_ROWS),
		.shows_waits = options->waits,
		.is_quiet = options->quiet,
	};
	if (!err)
		err = call_report_write(&report, options_output_request(options));
	return err || options->quiet ? err : sample_result_print_notes(&run->result, stderr);
}

struct error *command_trace(const struct options *options, int *ret_exit)
{
	_cleanup_(trace_run_deinit) struct trace_run run = {.options = options};
	struct error *err = cmd_trace_prepare(&run);
	if (!err)
		err = cmd_trace_sample(&run);
	if (!err)
		err = cmd_trace_show(&run);
	if (err)
		return err;
	struct target_command_end end = sampling_state(run.sampling).command;
	if (end.has_ended)
		*ret_exit = end.exit_code;
	return NULL;
}
