// SPDX-License-Identifier: Apache-2.0
// Sampling is prepared in two parts, since words may be wrong in ways that only an open source can
// tell: first the source and the events, then, when a command has checked its own options, the
// rest. Notes are printed in the order in which things are decided, before what the program prints,
// and also if an error comes later.
//
// Where the default source cannot sample, another one does (absent_source.h): ETW on Windows, for
// who may; else the timer, which needs no rights, shows Python everywhere, and native code where it
// can hold threads. It is used only if nothing was asked for that it lacks. A note says so.

#include "cli/option/option_sampling.h"

#include "cli/option/option_requests.h"
#include "cli/option/option_run_requests.h"
#include "cli/option/option_session.h"
#include "cli/option/options.h"
#include "report/notes/diagnostics.h"
#include "session/setup/absent_source.h"
#include "session/setup/crowded_target.h"
#include "session/setup/event_owner.h"

#include <string.h>

enum { NS_PER_MS = 1000000 };

static const char *process_name_of(const struct options *options)
{
	return options->image_name ? options->image_name : options->pe_file;
}

struct sample_request options_sample_request(const struct options *options, bool keeps_samples)
{
	// "-F max".
	bool is_fastest = options->frequency == NUMBER_MAX;
	static const struct counted_word run_queue = {false, SAMPLE_RUN_QUEUE_EVENT};
	struct run_words words = options_run_words(options);
	if (options->sched && !words.num_counted) {
		words.counted = &run_queue;
		words.num_counted = 1;
	}
	return (struct sample_request){
		.words = words,
		.keeps_samples = keeps_samples,
		.keeps_idle = options->idle || options->compat,
		.with_spe = options->command != COMMAND_TOP,
		.is_live = options->command == COMMAND_TOP,
		.kernel = options->kernel,
		.off_cpu = options->off_cpu || options->wakers,
		.wakers = options->wakers,
		.branches = options->branches,
		.frequency = is_fastest ? SAMPLE_FREQUENCY_MAX : options->frequency,
		.command = options->spawn,
		.clock = options->clock,
		.command_output = output_of_command(options_output_request(options)),
		.pids = options->pids,
		.process_name = process_name_of(options),
		.sysroot = options->sysroot,
		.delay_ns = (uint64_t)options->spawn_delay_ms * NS_PER_MS,
		.has_callers = options->callers,
		.unwind_method = options->call_graph,
		.stack_bytes = options->stack_bytes,
		.interpreted = options->python,
		.only_with_gil = options->only_with_gil,
		.by_task = options->async,
		.stops = options->stop,
		.raises_limits = true,
		.symbol_path = options->pdb_places,
		.with_full_names = options->display_long,
		.command_line = options->command_line,
	};
}

struct sample_result_request options_sample_result(const struct options *options,
						   const struct spe_choice *spe)
{
	struct sample_result_request request = {
		.tables = options_sample_tables(options),
		.spe = options->spe ? spe : NULL,
		.source_file = options->source_file,
		.shows_seconds = options->compat,
		.output = options_output_request(options),
	};
	// What clients read keeps its rows.
	bool is_whole = options->compat || options->annotate || options->disassemble ||
			output_writes_json(request.output);
	// By its file; NULL for several.
	request.tables.program = options->spawn     ? options->spawn[0]
				 : options->pe_file ? options->pe_file
						    : options->image_name;
	request.tables.max_rows = options_rows(options, DEFAULT_ROWS);
	request.rows_beside_interpreted =
		is_whole ? request.tables.max_rows
			 : options_rows(options, NATIVE_ROWS_BESIDE_PYTHON);
	return request;
}

/** What there is to say by now; it is not said again. */
static void print_setup_notes(const struct options *options, struct string_builder *notes)
{
	if (!options->quiet)
		diagnostics_print_notes(string_builder_peek(notes), stderr);
	string_builder_deinit(notes);
	*notes = (struct string_builder)STRING_BUILDER_INIT;
}

struct error *options_check_sched(const struct options *options)
{
	static const size_t length = sizeof(SAMPLE_RUN_QUEUE_EVENT) - 1;
	bool is_measured = false;
	if (!options->sched)
		return NULL;
	for (const struct source_ops *const *ops = all_sources; *ops; ops++)
		is_measured = is_measured || (*ops)->read_run_queue;
	if (!is_measured)
		return error_create(ERROR_FAILED, "--sched works on Linux only");
	if (!options->num_counted ||
	    (!options->counted[0].is_metric &&
	     strncmp(options->counted[0].spec, SAMPLE_RUN_QUEUE_EVENT, length) == 0))
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE,
					    "--sched cannot be combined with other events"),
			       "leave out -e or -m, or run wperf twice");
}

struct error *open_sample_setup(const struct options *options, const struct sample_request *asked,
				struct session *session, struct sample_setup *setup)
{
	setup->session = session;
	crowded_target_precede(options->pids);
	const struct source_ops *owner, *stand_in = NULL;
	struct error *err = event_owner_find(options->source, asked, &owner);
	if (err)
		return err;
	if (!owner)
		stand_in = absent_source_stand_in(options->source, asked);
	if (stand_in && stand_in->traits.looks_by_time && options->system_wide)
		stand_in = NULL; // it samples processes only
	err = open_stand_in_session(options, owner ? owner : stand_in, session);
	if (err)
		return err;
	err = sample_setup_find_events(setup, asked);
	diagnostics_print_warnings(string_builder_peek(&session->warnings));
	print_setup_notes(options, &setup->notes);
	if (stand_in)
		absent_source_note(stand_in, &setup->notes); // said when all words are right
	if (err)
		return err;
	if (!sample_setup_lacks_core(setup))
		return NULL;
	return error_with_hint(
		error_create(ERROR_USAGE,
			     options->command == COMMAND_RECORD
				     ? "you can specify only one core for sampling"
				     : "sampling: you can specify 1 core with -c option"),
		"this source samples one core: choose one with -c");
}

struct error *finish_sample_setup(const struct options *options, struct sample_setup *setup)
{
	struct error *err = sample_setup_finish(setup);
	print_setup_notes(options, &setup->notes);
	return err;
}
