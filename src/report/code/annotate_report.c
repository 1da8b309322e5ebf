// SPDX-License-Identifier: Apache-2.0
// An interpreted file is shown at once, all events side by side (interpreted_tables.h). For the
// rest each event has its own part: first the functions or files are chosen, by a hot list of the
// samples that count, then their hits are summed up per line and instruction
// (profile/annotation.h), and last annotate_view.h prints them beside the source and the machine
// code. Percentages are of all samples of the event: --symbol chooses functions, not samples.

#include "report/code/annotate_report.h"

#include "profile/interpreted/interpreted_stacks.h"
#include "report/code/annotate_items.h"
#include "report/code/annotate_view.h"
#include "report/interpreted_tables.h"
#include "view/json/report_json.h"
#include "view/text/report_text.h"

#include <stdlib.h>
#include <string.h>

struct annotate_run {
	const struct annotate_request *request;
	const struct named_profile *profile;
	enum annotation_kind kind;
	struct annotate_items *items; /* what to show, of each event */
	struct source_files sources;
	struct code_files codes;
	struct interpreted_tables interpreted;
	struct output output;
};

static void annotate_run_deinit(struct annotate_run *run)
{
	for (size_t i = 0; run->items && i < run->profile->num_events; i++)
		annotate_items_deinit(&run->items[i]);
	free(run->items);
	code_files_deinit(&run->codes);
	source_files_deinit(&run->sources);
	output_deinit(&run->output);
	interpreted_tables_deinit(&run->interpreted);
}

/** --symbol chooses functions, not samples: percentages are of all of them. */
static struct error *create_filter(const struct annotate_run *run, uint32_t event,
				   struct profile_filter **ret)
{
	struct sample_choice choice = run->request->choice;
	choice.symbol = NULL;
	return sample_choice_filter(&choice, run->profile, event, ret);
}

static struct error *nothing_found(const struct annotate_run *run)
{
	const struct named_profile *profile = run->profile;
	const uint32_t *function = run->request->function;
	const char *symbol =
		function ? named_profile_text(profile, profile->functions[*function].name)
			 : run->request->choice.symbol;
	struct error *err =
		run->request->source_file ? error_create(ERROR_FAILED, "no samples in file '%s'",
							 run->request->source_file)
		: symbol ? error_create(ERROR_FAILED, "no samples of function '%s'", symbol)
			 : error_create(ERROR_FAILED, "no samples match the filters");
	return error_with_hint(err, "'wperf report --sort line' lists the lines with samples");
}

static struct error *choose_items(struct annotate_run *run)
{
	bool is_any = false;
	struct error *err = NULL;
	run->items = calloc(run->profile->num_events + 1, sizeof(*run->items));
	if (!run->items)
		return &error_no_memory;
	for (uint32_t i = 0; !err && i < run->profile->num_events; i++) {
		_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
		if (!sample_choice_wants_event(&run->request->choice, run->profile, i))
			continue;
		err = create_filter(run, i, &filter);
		if (!err && run->request->function)
			err = annotate_items_of_function(*run->request->function, &run->items[i]);
		else if (!err)
			err = run->kind == ANNOTATION_OF_FILES
				      ? annotate_items_of_file(run->profile, filter,
							       run->request->source_file,
							       &run->items[i])
				      : annotate_items_of_symbol(run->profile, filter,
								 run->request->choice.symbol,
								 run->request->max_functions,
								 &run->items[i]);
		is_any |= run->items[i].num_items > 0;
	}
	return err || is_any ? err : nothing_found(run);
}

static struct error *annotate_report_print_event(const struct annotate_view *view, uint32_t event,
						 FILE *stream)
{
	report_text_print_header(view->profile, event, view->annotation->whole, stream);
	struct error *err = NULL;
	for (size_t i = 0; !err && i < view->annotation->num_parts; i++)
		err = annotate_view_print(view, &view->annotation->parts[i], stream);
	return err;
}

static struct error *annotate_report_write_event(const struct annotate_view *view, uint32_t event,
						 struct json_writer *json)
{
	const struct named_profile *profile = view->profile;
	json_begin_object(json);
	json_key_text(json, "name", named_profile_text(profile, profile->events[event].name));
	json_key_u64(json, "samples", view->annotation->whole.count);
	json_key_u64(json, "weight", view->annotation->whole.weight);
	if (view->ratio)
		report_json_instructions(profile, view->ratio, json);
	json_key(json, view->kind == ANNOTATION_OF_FILES ? "files" : "functions");
	json_begin_array(json);
	struct error *err = NULL;
	for (size_t i = 0; !err && i < view->annotation->num_parts; i++)
		err = annotate_view_write_json(view, &view->annotation->parts[i], json);
	json_end_array(json);
	json_end_object(json);
	return err;
}

/** Of an event of SPE; @ret stays empty for others. */
static struct error *annotate_report_find_spe(const struct annotate_run *run, uint32_t event,
					      struct spe_places *ret)
{
	const struct spe_profile *spe = run->profile->spe;
	if (!spe || !named_profile_is_of_spe(run->profile, event))
		return NULL;
	// Latency is an event for itself, of the same samples.
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	bool is_latency = event == spe->latency_event;
	struct error *err = create_filter(run, is_latency ? NAMED_NONE : event, &filter);
	return err ? err : spe_places_create(run->profile, filter, run->kind, ret);
}

/** The same functions or files, of the instructions that a ratio is of. */
static struct error *annotate_report_find_instructions(const struct annotate_run *run,
						       const struct event_ratio *ratio,
						       const struct annotate_items *items,
						       struct annotation *ret)
{
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	struct error *err = create_filter(run, ratio->instructions, &filter);
	return err ? err
		   : annotation_create(run->profile, filter, run->kind, items->items,
				       items->num_items, ret);
}

static struct error *show_event(struct annotate_run *run, uint32_t event)
{
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	_cleanup_(annotation_deinit) struct annotation annotation = ANNOTATION_INIT;
	_cleanup_(annotation_deinit) struct annotation instructions = ANNOTATION_INIT;
	struct event_ratio ratio;
	bool has_ratio = event_ratio_find(run->profile, event, &ratio);
	_cleanup_(spe_places_deinit) struct spe_places spe = SPE_PLACES_INIT;
	const struct annotate_items *items = &run->items[event];
	struct error *err =
		run->request->choice.time_range ? NULL : annotate_report_find_spe(run, event, &spe);
	if (err)
		return err;
	const struct annotate_view view = {
		.profile = run->profile,
		.sources = &run->sources,
		.codes = &run->codes,
		.kind = run->kind,
		.annotation = &annotation,
		.ratio = has_ratio ? &ratio : NULL,
		.instructions = &instructions,
		.spe = spe.profile ? &spe : NULL,
		.is_bytes = named_event_is_bytes(run->profile, event),
		.with_code = run->request->with_code && run->kind == ANNOTATION_OF_FUNCTIONS,
		// Who names a function wants to see something: its machine code, if it has no
		// lines.
		.with_code_of_lineless = (run->request->choice.symbol || run->request->function) &&
					 run->kind == ANNOTATION_OF_FUNCTIONS,
		.is_unfolded = run->request->is_verbose,
	};
	err = create_filter(run, event, &filter);
	if (!err)
		err = annotation_create(run->profile, filter, view.kind, items->items,
					items->num_items, &annotation);
	if (!err && has_ratio)
		err = annotate_report_find_instructions(run, &ratio, items, &instructions);
	if (!err && run->output.text)
		err = annotate_report_print_event(&view, event, run->output.text);
	if (!err && run->output.json)
		err = annotate_report_write_event(&view, event, run->output.json);
	return err;
}

static struct error *annotate_report_show(struct annotate_run *run)
{
	struct json_writer *json = run->output.json;
	if (json) {
		json_begin_object(json);
		json_key(json, "events");
		json_begin_array(json);
	}
	bool is_first = true;
	struct error *err = NULL;
	if (run->profile->spe && run->request->choice.time_range)
		// SPE's facts are sums over the whole recording, which cannot be cut to a range of
		// time.
		fputs("note: no SPE columns beside the lines: --time does not apply to them\n",
		      stderr);
	for (uint32_t i = 0; !err && i < run->profile->num_events; i++) {
		if (!run->items[i].num_items)
			continue;
		// Events are told apart by an empty line in the text, by objects in JSON.
		if (!is_first && run->output.text)
			fputc('\n', run->output.text);
		is_first = false;
		err = show_event(run, i);
	}
	if (err)
		return err;
	if (json) {
		json_end_array(json);
		json_end_object(json);
	}
	return output_close(&run->output);
}

static struct error *annotate_report_find_interpreted(struct annotate_run *run)
{
	struct error *err =
		interpreted_tables_init(&run->interpreted, run->profile, run->request->sysroots);
	for (uint32_t i = 0; !err && i < run->profile->num_events; i++) {
		struct profile_filter *filter;
		if (!sample_choice_wants_event(&run->request->choice, run->profile, i))
			continue;
		err = create_filter(run, i, &filter);
		if (!err)
			err = interpreted_tables_add(&run->interpreted, i, filter);
	}
	return err ? err : interpreted_tables_finish(&run->interpreted);
}

static struct error *annotate_report_write_interpreted(struct annotate_run *run)
{
	struct json_writer *json = run->output.json;
	if (json) {
		json_begin_object(json);
		json_key(json, "python");
		json_begin_array(json);
	}
	struct error *err =
		interpreted_tables_show_sources(&run->interpreted, run->request->source_file,
						run->request->is_verbose, run->output.text, json,
						NULL);
	if (json) {
		json_end_array(json);
		json_end_object(json);
	}
	return err ? err : output_close(&run->output);
}

/** @ret: was it an interpreted file? Then all events stand side by side. */
static struct error *show_interpreted(struct annotate_run *run,
				      struct output_request output_request, bool *ret)
{
	size_t num_files = 0;
	*ret = false;
	if (!run->request->source_file || !interpreted_stacks_are_there(run->profile))
		return NULL;
	struct error *err = annotate_report_find_interpreted(run);
	if (!err)
		err = interpreted_tables_show_sources(&run->interpreted, run->request->source_file,
						      false, NULL, NULL, &num_files);
	// So far nothing was printed, only counted: for a file of native code the output is opened
	// later, after its own checks.
	*ret = num_files > 0;
	if (!err && *ret)
		err = output_open(output_request, &run->output);
	return err || !*ret ? err : annotate_report_write_interpreted(run);
}

struct error *annotate_report_write(const struct annotate_request *request,
				    const struct named_profile *profile,
				    struct output_request output_request)
{
	_cleanup_(annotate_run_deinit) struct annotate_run run = {
		.request = request,
		.profile = profile,
		.kind = request->source_file ? ANNOTATION_OF_FILES : ANNOTATION_OF_FUNCTIONS,
		.sources = source_files_create(request->sysroots),
	};
	bool is_interpreted = false;
	struct error *err = source_files_set_profile(&run.sources, profile);
	if (!err)
		err = sample_choice_check_event(&request->choice, profile);
	if (!err)
		err = show_interpreted(&run, output_request, &is_interpreted);
	if (err || is_interpreted)
		return err;
	err = code_files_init(&run.codes, profile, request->sysroots);
	run.codes.symbol_path = request->symbol_path;
	if (!err)
		err = choose_items(&run);
	if (!err)
		err = output_open(output_request, &run.output);
	return err ? err : annotate_report_show(&run);
}

struct error *annotate_report_print(const struct annotate_request *request,
				    const struct named_profile *profile, FILE *stream)
{
	_cleanup_(annotate_run_deinit) struct annotate_run run = {
		.request = request,
		.profile = profile,
		.kind = ANNOTATION_OF_FUNCTIONS,
		.sources = source_files_create(request->sysroots),
		.output = {.text = stream},
	};
	struct error *err = source_files_set_profile(&run.sources, profile);
	if (!err)
		err = code_files_init(&run.codes, profile, request->sysroots);
	run.codes.symbol_path = request->symbol_path;
	if (!err)
		err = choose_items(&run);
	return err ? err : annotate_report_show(&run);
}
