// SPDX-License-Identifier: Apache-2.0
// The totals of the recording are read before it is finished, which takes its profile and what they
// are of. Then come the sums that tables need: with SPE a second profile, whose events are what
// happened to operations, as WindowsPerf has it; of an interpreted program the tables of its
// functions and lines. What is shown goes from the program's own lines to what they call:
// interpreted before native code, then threads. JSON has the members of WindowsPerf first, and ours
// behind them.

#include "report/sample/sample_result.h"

#include "base/os/clock.h"
#include "profile/interpreted/interpreted_stacks.h"
#include "profile/interpreted/process_roles.h"
#include "report/notes/diagnostics.h"
#include "report/notes/interpreted_notes.h"
#include "report/notes/nameless_notes.h"
#include "report/notes/off_cpu_notes.h"
#include "report/notes/recording_notes.h"
#include "report/notes/unsampled_notes.h"
#include "report/role_report.h"
#include "report/run_queue/run_queue_report.h"
#include "report/values/value_tables.h"
#include "report/waits/wait_report.h"
#include "session/profile_facts.h"

#include <inttypes.h>
#include <stdio.h>

enum { INTERPRETED_ROWS = 20 }; // of each of its tables

void sample_result_deinit(struct sample_result *result)
{
	interpreted_tables_deinit(&result->interpreted);
	spe_by_name_deinit(&result->by_name);
	spe_counts_deinit(&result->spe_counts);
	named_profile_deinit(&result->profile);
}

struct error *sample_result_take_profile(struct sample_result *result)
{
	result->totals = profile_builder_totals(result->setup->builder);
	result->snapshots =
		interpreted_frames_snapshots(profile_builder_interpreted(result->setup->builder));
	result->threads = (struct thread_table){
		.profile = &result->profile,
		.times = profile_builder_thread_times(result->setup->builder),
		.has_off_cpu = result->setup->config.plan.off_cpu,
		.off_cpu_event = result->setup->config.plan.off_cpu_event,
	};
	struct error *err = profile_builder_finish(result->setup->builder, result->symbolizer,
						   &result->profile);
	if (err || sample_setup_is_simulated(result->setup))
		return err; // simulated samples are of no day
	const struct perf_data_info now = {
		.clock_ns = clock_ns(CLOCK_MONOTONIC),
		.wall_ns = clock_ns(CLOCK_REALTIME),
	};
	profile_facts_set_time(&result->profile, &now);
	return process_roles_apply(&result->profile);
}

/** As the peer has it: names of events, and counts. */
static struct error *sample_result_find_spe(struct sample_result *result)
{
	if (!result->profile.spe)
		return NULL;
	const struct sample_totals totals = sampling_state(result->sampling).totals;
	struct error *err = spe_by_name_create(&result->profile, &result->by_name);
	return err ? err
		   : spe_counts_init(&result->spe_counts, &totals.spe,
				     result->setup->config.plan.kernel,
				     result->setup->session->info.vendor_name);
}

static struct error *sample_result_find_interpreted(struct sample_result *result)
{
	if (!interpreted_stacks_are_there(&result->profile))
		return NULL;
	struct error *err = interpreted_tables_init(&result->interpreted, &result->profile,
						    result->request->tables.sysroots);
	for (uint32_t i = 0; !err && i < result->profile.num_events; i++) {
		struct profile_filter *filter;
		struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
		criteria.event = i;
		err = profile_filter_create(&result->profile, &criteria, &filter);
		if (!err)
			err = interpreted_tables_add(&result->interpreted, i, filter);
	}
	return err ? err : interpreted_tables_finish(&result->interpreted);
}

struct error *sample_result_take(struct sample_result *result)
{
	struct error *err = sample_result_take_profile(result);
	if (!err)
		err = sample_result_find_spe(result);
	return err ? err : sample_result_find_interpreted(result);
}

static void sample_result_add_totals(const struct sample_result *result,
				     struct sample_report *report)
{
	// What the kernel or the driver generated includes lost samples; the tables have only what
	// arrived.
	struct sampling_state state = sampling_state(result->sampling);
	report->generated = state.totals.num_generated;
	report->dropped = state.totals.num_lost;
	report->has_elapsed = true;
	report->elapsed_ns = state.elapsed_ns;
	report->sampling_type =
		result->profile.spe ? "hardware sampling (FEAT_SPE)" : "software sampling";
	// The peer's number of samples is that of its counter.
	if (result->profile.spe && state.totals.spe.is_known)
		report->generated = state.totals.spe.filtrate;
}

/** The files that --file names, line by line. */
static struct error *sample_result_write_sources(struct sample_result *result,
						 struct json_writer *json)
{
	json_key(json, "sources");
	json_begin_array(json);
	struct error *err =
		interpreted_tables_show_sources(&result->interpreted, result->request->source_file,
						result->request->tables.is_verbose, NULL, json,
						NULL);
	json_end_array(json);
	return err;
}

/** The peer has what SPE sampled in one more object, and counts beside it. */
static struct error *write_sampling(const struct sample_result *result,
				    const struct sample_report *report, struct json_writer *json)
{
	json_key(json, "sampling");
	if (!result->profile.spe)
		return sample_report_write_json_value(report, json);
	struct error *err = sample_report_write_json(report, json);
	json_key(json, "counting");
	return err ? err : stat_report_write_json(&result->spe_counts.report, json);
}

static const char *sample_result_first_event(const struct sample_result *result)
{
	const struct event_list *events = &result->setup->request.events;
	return events->num_items ? events->items[0].event->name : "";
}

/** The tables of interpreted code stand beside the peer's members. */
static struct error *sample_result_write_json(struct sample_result *result,
					      const struct sample_report *report,
					      struct json_writer *json)
{
	json_begin_object(json);
	struct error *err = write_sampling(result, report, json);
	if (!err && result->interpreted.num_events) {
		json_key(json, "python");
		err = interpreted_report_write_json(&result->interpreted.report, json);
		const struct sample_choice all = {0};
		if (!err)
			err = role_report_processes(&result->profile, &all, 0, TABLE_LAYOUT_WIDE,
						    NULL, json);
	}
	if (!err && result->interpreted.num_events && result->request->source_file)
		err = sample_result_write_sources(result, json);
	if (thread_table_is_wanted(&result->threads)) {
		json_key(json, "threads");
		thread_table_write_json(&result->threads, json);
	}
	if (!err && result->request->spe)
		err = spe_tables_write(result->request->spe, &result->profile, NULL, json);
	run_queue_report_write_json(&result->profile.run_queue, json);
	const struct sample_totals totals = sampling_state(result->sampling).totals;
	unsampled_notes_write_json(&totals, &result->totals, sample_result_first_event(result),
				   json);
	interpreted_notes_write_json(&totals, json);
	json_end_object(json);
	return err;
}

static struct error *sample_result_print_text(struct sample_result *result,
					      const struct sample_report *report, FILE *stream)
{
	sample_report_print_image(report, stream);
	if (result->request->shows_seconds)
		sample_seconds_print(result->seconds, stream);
	struct error *err =
		run_queue_report_print(&result->profile.run_queue, INTERPRETED_ROWS,
				       output_narrow_layout(result->request->output, stream),
				       stream);
	// For an interpreted program its lines come first, and what they call second.
	if (!err && result->interpreted.num_events) {
		result->interpreted.report.layout =
			output_narrow_layout(result->request->output, stream);
		err = interpreted_report_print(&result->interpreted.report, INTERPRETED_ROWS,
					       stream);
		fputc('\n', stream);
	}
	const struct sample_choice all = {0};
	if (!err && result->interpreted.num_events)
		err = role_report_processes(&result->profile, &all, 0,
					    result->interpreted.report.layout, stream, NULL);
	if (err)
		return err;
	if (result->profile.spe)
		err = stat_report_print_cores(&result->spe_counts.report, stream);
	if (!err)
		err = sample_report_print(report, stream);
	if (err || !result->request->spe)
		return err;
	fputc('\n', stream);
	return spe_tables_write(result->request->spe, &result->profile, stream, NULL);
}

/** --file asks for more than the tables. */
static struct error *sample_result_print_source(struct sample_result *result, FILE *stream)
{
	const char *path = result->request->source_file;
	size_t num_files = 0;
	if (!result->interpreted.num_events || !path)
		return NULL;
	struct error *err = interpreted_tables_show_sources(&result->interpreted, path,
							    result->request->tables.is_verbose,
							    stream, NULL, &num_files);
	if (!err && !num_files)
		fprintf(stderr, "note: no samples in %s file '%s'\n",
			result->profile.language->name, path);
	return err;
}

/** Of each probe with values, as a whole: report has them by line. */
static struct error *sample_result_print_values(const struct sample_result *result,
						struct table_layout layout, FILE *stream)
{
	struct error *err = NULL;
	for (uint32_t i = 0; !err && i < result->profile.num_events; i++) {
		const struct value_tables_request request = {
			.profile = &result->profile, .event = i, .max_rows = INTERPRETED_ROWS};
		err = value_tables_print(&request, layout, stream);
	}
	return err;
}

static struct error *sample_result_print_all(struct sample_result *result,
					     struct sample_report *report, FILE *stream)
{
	report->layout = output_narrow_layout(result->request->output, stream);
	result->spe_counts.report.layout = output_narrow_layout(result->request->output, stream);
	struct error *err = sample_result_print_text(result, report, stream);
	if (!err)
		err = sample_result_print_source(result, stream);
	if (!err)
		err = wait_report_print_wakers(
			&result->profile, INTERPRETED_ROWS,
			output_narrow_layout(result->request->output, stream), stream);
	if (!err)
		err = sample_result_print_values(result, report->layout, stream);
	if (err || !thread_table_is_wanted(&result->threads))
		return err;
	fputc('\n', stream);
	return thread_table_print(&result->threads, INTERPRETED_ROWS,
				  output_narrow_layout(result->request->output, stream), stream);
}

struct error *sample_result_write(struct sample_result *result)
{
	_cleanup_(sample_tables_deinit) struct sample_tables tables = SAMPLE_TABLES_INIT;
	_cleanup_(output_deinit) struct output output;
	struct sample_tables_request request = result->request->tables;
	if (result->interpreted.num_events)
		request.max_rows = result->request->rows_beside_interpreted;
	struct error *err = sample_tables_fill(
		&tables, &request, result->profile.spe ? &result->by_name : &result->profile);
	if (err)
		return err;
	sample_result_add_totals(result, &tables.report);
	// Processes and their maps are still known: the builder lives as long as the run.
	err = sample_tables_add_base(&tables, profile_builder_processes(result->setup->builder),
				     profile_builder_users(result->setup->builder));
	if (!err && result->request->tables.is_verbose)
		err = sample_tables_add_modules(&tables,
						profile_builder_processes(result->setup->builder));
	if (err)
		return err;
	err = output_open(result->request->output, &output);
	if (!err && output.text)
		err = sample_result_print_all(result, &tables.report, output.text);
	if (!err && output.json)
		err = sample_result_write_json(result, &tables.report, output.json);
	if (!err)
		err = output_close(&output);
	if (!err && !result->request->output.is_quiet)
		fputs(string_builder_peek(&tables.notes), stderr);
	return err;
}

/** @size: 0: they have the size that was wanted. */
static void print_small_buffer(const char *what, uint64_t size, FILE *stream)
{
	if (size)
		fprintf(stream,
			"note: small %s, %" PRIu64
			" KB for each core, may lose samples: raise 'ulimit -l' or "
			"kernel.perf_event_mlock_kb\n",
			what, size / 1024);
}

/** Where the result is less than was asked for. */
struct error *sample_result_print_notes(const struct sample_result *result, FILE *stream)
{
	struct sample_totals totals = sampling_state(result->sampling).totals;
	diagnostics_print_lost(&totals, stream);
	print_small_buffer("buffers", totals.small_buffer, stream);
	print_small_buffer("SPE buffers", totals.small_spe_buffer, stream);
	if (totals.num_throttled)
		fprintf(stream,
			"note: sampling was throttled %" PRIu64
			" times; a lower -F or a longer period avoids that\n",
			totals.num_throttled);
	recording_notes_print_spe(&totals.spe_trace, stream);
	run_queue_report_print_notes(&result->profile.run_queue, stream);
	if (result->setup->config.plan.num_pids)
		unsampled_notes_print_attached(&totals, stream);
	unsampled_notes_print(&totals, &result->totals, sample_result_first_event(result), stream);
	off_cpu_notes_print(&totals, &result->totals, result->profile.language->name,
			    result->setup->interpreted.is_wanted, stream);
	interpreted_notes_print(result->setup->builder, &totals, &result->totals,
				&result->snapshots, result->profile.language->name, stream);
	diagnostics_print_run_notes(result->setup->session->source, stream);
	recording_notes_print_cut_stacks(&result->totals, stream);
	return nameless_notes_print(result->symbolizer, &result->profile, false, stream);
}
