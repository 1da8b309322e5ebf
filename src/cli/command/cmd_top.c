// SPDX-License-Identifier: Apache-2.0
// `top`: hot functions and lines, again and again. Sampling goes on in rounds of at most 100 ms;
// after each delay the builder hands over the samples since the last time, as a profile of its own.
// On a terminal it is added to rolling tables and drawn on a screen that takes keys (top_screen.h);
// the last picture is printed when that is closed.
// In a pipe each interval is printed for itself, so that the output can be read later.

#include "base/os/interrupt.h"
#include "base/terminal/terminal.h"
#include "cli/command.h"
#include "cli/option/option_requests.h"
#include "cli/option/option_sampling.h"
#include "cli/option/options.h"
#include "report/notes/diagnostics.h"
#include "report/notes/nameless_notes.h"
#include "report/output.h"
#include "report/sample/top_screen.h"
#include "view/layout/decimal.h"

#include <errno.h>
#include <stdlib.h>

enum {
	// So long a key waits for its answer, at most.
	ROUND_NS = 100000000,
	DEFAULT_DELAY_NS = 2000000000,
};

/** On the screen, an interval counts half as much as the next one. */
static const double keep_recent = 0.5;

struct top_run {
	const struct options *options;
	struct sample_request asked;
	struct session session;
	struct sample_setup setup;
	struct sampling *sampling;
	struct symbolizer *symbolizer;
	struct top_tables tables;
	bool has_screen;
	struct top_screen screen;            /* its terminal is NULL if there is none */
	const struct named_profile *profile; /* of the last interval */
	uint64_t delay_ns;
	uint64_t shown_ns; /* when the last interval ended */
	uint32_t num_shown;
};

static void top_run_deinit(struct top_run *run)
{
	terminal_screen_close(run->screen.terminal);
	sampling_destroy(run->sampling);
	interrupt_uninstall();
	symbolizer_destroy(run->symbolizer);
	top_tables_deinit(&run->tables);
	sample_setup_deinit(&run->setup);
	session_close(&run->session);
}

static struct error *cmd_top_prepare(struct top_run *run)
{
	const struct options *options = run->options;
	if (options->delay_ns == 0)
		return error_create(ERROR_USAGE, "--delay cannot be 0");
	run->tables.max_native_rows = options_rows(options, NATIVE_ROWS_BESIDE_PYTHON);
	run->delay_ns = options->delay_ns == DURATION_NONE ? DEFAULT_DELAY_NS : options->delay_ns;
	run->asked = options_sample_request(options, false);
	run->asked.command_output = run->has_screen ? CHILD_OUTPUT_NONE : CHILD_OUTPUT_STDERR;
	struct error *err = open_sample_setup(options, &run->asked, &run->session, &run->setup);
	if (!err)
		err = finish_sample_setup(options, &run->setup);
	if (!err)
		err = top_tables_init(&run->tables,
				      profile_builder_profile(run->setup.builder)->num_events,
				      options->sysroot);
	if (!err)
		err = interrupt_install();
	if (!err && run->session.source->ops->sample->mark_moment)
		interrupt_use_moments();
	if (!err)
		err = sampling_create(run->session.source, &run->setup.config, run->setup.builder,
				      &run->sampling);
	if (!err && !options->quiet)
		diagnostics_print_start_note(run->session.source, stderr);
	return err ? err : sample_setup_symbolizer(&run->setup, &run->symbolizer);
}

static struct error *cmd_top_print(struct top_run *run, uint64_t from_ns, uint64_t to_ns)
{
	if (run->options->quiet)
		return NULL;
	if (run->num_shown > 1)
		putchar('\n');
	printf("%s s to %s s\n", decimal_fixed((double)from_ns / 1e9, 1).text,
	       decimal_fixed((double)to_ns / 1e9, 1).text);
	run->tables.layout = output_narrow_layout(options_output_request(run->options), stdout);
	struct error *err = top_tables_print(&run->tables, run->profile,
					     options_rows(run->options, DEFAULT_ROWS), stdout);
	if (!err && fflush(stdout))
		err = error_create_errno(errno, "cannot write standard output");
	return err;
}

static struct top_status cmd_top_status(const struct top_run *run)
{
	struct sampling_state state = sampling_state(run->sampling);
	return (struct top_status){
		.elapsed_ns = state.elapsed_ns,
		.num_samples = state.totals.num_generated - state.totals.num_lost,
		.num_lost = state.totals.num_lost,
	};
}

static struct error *cmd_top_draw(struct top_run *run)
{
	const struct top_status status = cmd_top_status(run);
	run->tables.layout = output_narrow_layout(options_output_request(run->options), stdout);
	return top_screen_draw(&run->screen, &run->tables, run->profile, &status,
			       options_rows(run->options, DEFAULT_ROWS));
}

/** What the user has left is gone; what ended by itself stays to be read, as there may have been no
 *  time for that. */
static struct error *cmd_top_print_last(struct top_run *run)
{
	if (!run->screen.num_rows || run->screen.wants_to_quit || interrupt_requested())
		return NULL;
	const struct top_status status = cmd_top_status(run);
	return top_screen_print(&run->screen, &run->tables, run->profile, &status, stdout);
}

/** An interval is over. */
static struct error *show_interval(struct top_run *run)
{
	bool is_screen = run->screen.terminal;
	// 0: a table in a pipe is of its own interval. 1: everything since the start counts alike.
	double keep = !is_screen ? 0 : run->screen.is_since_start ? 1 : keep_recent;
	uint64_t from_ns = run->shown_ns;
	run->shown_ns = sampling_state(run->sampling).elapsed_ns;
	run->num_shown++;
	struct error *err =
		profile_builder_take(run->setup.builder, run->symbolizer, &run->profile);
	if (!err)
		err = top_tables_add(&run->tables, run->profile, keep);
	if (err)
		return err;
	return is_screen ? cmd_top_draw(run) : cmd_top_print(run, from_ns, run->shown_ns);
}

/** Simulated time needs an end; so many tables are one. */
static uint64_t cmd_top_duration(const struct top_run *run)
{
	const struct options *options = run->options;
	uint64_t of_tables;
	if (options->timeout_ns != DURATION_NONE)
		return options->timeout_ns;
	bool is_endless = !options->count || !sample_setup_is_simulated(&run->setup) ||
			  __builtin_mul_overflow(run->delay_ns, options->count, &of_tables);
	return is_endless ? SAMPLING_FOREVER : of_tables;
}

static uint64_t time_to_next(const struct top_run *run)
{
	uint64_t elapsed = sampling_state(run->sampling).elapsed_ns - run->shown_ns;
	return elapsed < run->delay_ns ? run->delay_ns - elapsed : 0;
}

static bool cmd_top_is_enough(const struct top_run *run)
{
	uint32_t count = run->options->count;
	return run->screen.wants_to_quit || (count && run->num_shown >= count);
}

static struct error *cmd_top_watch(struct top_run *run)
{
	struct error *err = sampling_begin(run->sampling, cmd_top_duration(run));
	bool is_over = false;
	while (!err && !is_over && !cmd_top_is_enough(run)) {
		// The last round of an interval is shorter, so that tables come at the times that
		// were asked for.
		uint64_t left = time_to_next(run);
		err = sampling_round(run->sampling, left < ROUND_NS ? left : ROUND_NS, &is_over);
		if (!err && interrupt_take_moment())
			err = sampling_mark_moment(run->sampling);
		if (!err && time_to_next(run) == 0)
			err = show_interval(run);
		bool has_changed = false;
		if (!err && run->screen.terminal)
			top_screen_take_keys(&run->screen, &run->tables, &has_changed);
		if (has_changed && run->profile)
			err = cmd_top_draw(run);
	}
	if (!err)
		err = sampling_finish(run->sampling);
	// What ended early is shown as far as it went.
	if (!err && !cmd_top_is_enough(run) && time_to_next(run) < run->delay_ns)
		err = show_interval(run);
	return err;
}

struct error *command_top(const struct options *options, int *ret_exit)
{
	_cleanup_(top_run_deinit) struct top_run run = {
		.options = options,
		.has_screen = !options->quiet && terminal_has_vt(stdout),
	};
	struct error *err = cmd_top_prepare(&run);
	if (!err && run.has_screen)
		err = terminal_screen_open(stdout, &run.screen.terminal);
	if (!err)
		err = cmd_top_watch(&run);
	// Before notes and errors, which belong on the user's own screen.
	terminal_screen_close(take_ptr(run.screen.terminal));
	if (!err)
		err = cmd_top_print_last(&run);
	if (!err && !options->quiet) {
		struct sample_totals totals = sampling_state(run.sampling).totals;
		diagnostics_print_lost(&totals, stderr);
		diagnostics_print_run_notes(run.session.source, stderr);
	}
	// All that runs has many modules without names: for who wants to know.
	return err || !options->verbose ? err
					: nameless_notes_print(run.symbolizer, NULL, false, stderr);
}
