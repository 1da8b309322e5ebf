// SPDX-License-Identifier: Apache-2.0

#include "base/file/file_name.h"
#include "base/file/file_path.h"
#include "base/text/name_pattern.h"
#include "cli/command.h"
#include "cli/option/option_recording.h"
#include "cli/option/option_requests.h"
#include "cli/option/options.h"
#include "profile/hot/hot_list.h"
#include "profile/interpreted/interpreted_stacks.h"
#include "report/code/annotate_view.h"
#include "report/interpreted_tables.h"
#include "report/output.h"
#include "view/text/report_text.h"

#include <stdlib.h>
#include <string.h>

/** Functions or files. */
struct item_list {
	uint32_t *items;
	size_t num_items;
};

struct annotate_run {
	const struct options *options;
	struct sample_choice choice;
	const char *source_file; /* NULL: functions */
	enum annotation_kind kind;
	struct item_list *items; /* what to show, of each event */
	struct named_profile profile;
	struct source_files sources;
	struct code_files codes;
	struct interpreted_tables python;
	struct output output;
};

static void annotate_run_deinit(struct annotate_run *run)
{
	for (size_t i = 0; run->items && i < run->profile.num_events; i++)
		free(run->items[i].items);
	free(run->items);
	code_files_deinit(&run->codes);
	source_files_deinit(&run->sources);
	output_deinit(&run->output);
	interpreted_tables_deinit(&run->python);
	named_profile_deinit(&run->profile);
}

/** --symbol chooses functions, not samples: percentages are of all of them. */
static struct error *create_filter(const struct annotate_run *run, uint32_t event,
				   struct profile_filter **ret)
{
	struct sample_choice choice = run->choice;
	choice.symbol = NULL;
	return sample_choice_filter(&choice, &run->profile, event, ret);
}

/** The hottest ones, or those that --symbol fits, which may have nothing but inlined calls. */
static struct error *cmd_annotate_choose_functions(const struct annotate_run *run,
						   const struct profile_filter *filter,
						   struct item_list *ret)
{
	const struct named_profile *profile = &run->profile;
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	struct error *err = hot_list_create(profile, HOT_FUNCTION, HOT_BY_SELF, filter, &list);
	if (err)
		return err;
	ret->items = calloc(list.num_entries + 1, sizeof(*ret->items));
	if (!ret->items)
		return &error_no_memory;
	const char *symbol = run->options->symbol;
	uint32_t max = run->options->display_functions;
	for (size_t i = 0; i < list.num_entries && (!max || ret->num_items < max); i++) {
		uint32_t function = list.entries[i].item;
		if (function == NAMED_NONE || (!symbol && !list.entries[i].self.count))
			continue;
		const char *name = named_profile_text(profile, profile->functions[function].name);
		if (!symbol || name_pattern_match_symbol(symbol, name))
			ret->items[ret->num_items++] = function;
	}
	return NULL;
}

static struct error *choose_files(const struct annotate_run *run,
				  const struct profile_filter *filter, struct item_list *ret)
{
	const struct named_profile *profile = &run->profile;
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	_cleanup_free_ bool *is_taken = calloc(profile->strings.num_entries + 1, sizeof(*is_taken));
	struct error *err = hot_list_create(profile, HOT_LINE, HOT_BY_SELF, filter, &list);
	if (err)
		return err;
	ret->items = calloc(list.num_entries + 1, sizeof(*ret->items));
	if (!is_taken || !ret->items)
		return &error_no_memory;
	for (size_t i = 0; i < list.num_entries; i++) {
		if (list.entries[i].item == NAMED_NONE || !list.entries[i].self.count)
			continue;
		uint32_t file = profile->frames[list.entries[i].item].file;
		if (is_taken[file] ||
		    !file_name_is_wanted(named_profile_text(profile, file), run->source_file))
			continue;
		is_taken[file] = true;
		ret->items[ret->num_items++] = file;
	}
	return NULL;
}

static struct error *nothing_found(const struct annotate_run *run)
{
	const struct options *options = run->options;
	struct error *err =
		run->source_file
			? error_create(ERROR_FAILED, "no samples in file '%s'", run->source_file)
		: options->symbol
			? error_create(ERROR_FAILED, "no samples of function '%s'", options->symbol)
			: error_create(ERROR_FAILED, "no samples match the filters");
	return error_with_hint(err, "'wperf report --sort line' lists the lines with samples");
}

static struct error *choose_items(struct annotate_run *run)
{
	bool is_any = false;
	struct error *err = NULL;
	run->items = calloc(run->profile.num_events + 1, sizeof(*run->items));
	if (!run->items)
		return &error_no_memory;
	for (uint32_t i = 0; !err && i < run->profile.num_events; i++) {
		_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
		if (!sample_choice_wants_event(&run->choice, &run->profile, i))
			continue;
		err = create_filter(run, i, &filter);
		if (!err)
			err = run->kind == ANNOTATION_OF_FILES
				      ? choose_files(run, filter, &run->items[i])
				      : cmd_annotate_choose_functions(run, filter, &run->items[i]);
		is_any |= run->items[i].num_items > 0;
	}
	return err || is_any ? err : nothing_found(run);
}

static struct error *cmd_annotate_print_event(const struct annotate_view *view, uint32_t event,
					      FILE *stream)
{
	report_text_print_header(view->profile, event, view->annotation->whole, stream);
	struct error *err = NULL;
	for (size_t i = 0; !err && i < view->annotation->num_parts; i++)
		err = annotate_view_print(view, &view->annotation->parts[i], stream);
	return err;
}

static struct error *cmd_annotate_write_event(const struct annotate_view *view, uint32_t event,
					      struct json_writer *json)
{
	const struct named_profile *profile = view->profile;
	json_begin_object(json);
	json_key_text(json, "name", named_profile_text(profile, profile->events[event].name));
	json_key_u64(json, "samples", view->annotation->whole.count);
	json_key_u64(json, "weight", view->annotation->whole.weight);
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
static struct error *cmd_annotate_find_spe(const struct annotate_run *run, uint32_t event,
					   struct spe_places *ret)
{
	const struct spe_profile *spe = run->profile.spe;
	if (!spe || !named_profile_is_of_spe(&run->profile, event))
		return NULL;
	// Latency is an event for itself, of the same samples.
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	bool is_latency = event == spe->latency_event;
	struct error *err = create_filter(run, is_latency ? NAMED_NONE : event, &filter);
	return err ? err : spe_places_create(&run->profile, filter, run->kind, ret);
}

static struct error *show_event(struct annotate_run *run, uint32_t event)
{
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	_cleanup_(annotation_deinit) struct annotation annotation = ANNOTATION_INIT;
	_cleanup_(spe_places_deinit) struct spe_places spe = SPE_PLACES_INIT;
	const struct item_list *items = &run->items[event];
	struct error *err =
		run->options->time_range ? NULL : cmd_annotate_find_spe(run, event, &spe);
	if (err)
		return err;
	const struct annotate_view view = {
		.profile = &run->profile,
		.sources = &run->sources,
		.codes = &run->codes,
		.kind = run->kind,
		.annotation = &annotation,
		.spe = spe.profile ? &spe : NULL,
		.with_code = run->options->disassemble && run->kind == ANNOTATION_OF_FUNCTIONS,
		.with_code_of_lineless =
			run->options->symbol && run->kind == ANNOTATION_OF_FUNCTIONS,
		.is_unfolded = run->options->verbose,
	};
	err = create_filter(run, event, &filter);
	if (!err)
		err = annotation_create(&run->profile, filter, view.kind, items->items,
					items->num_items, &annotation);
	if (!err && run->output.text)
		err = cmd_annotate_print_event(&view, event, run->output.text);
	if (!err && run->output.json)
		err = cmd_annotate_write_event(&view, event, run->output.json);
	return err;
}

static struct error *cmd_annotate_show(struct annotate_run *run)
{
	struct json_writer *json = run->output.json;
	if (json) {
		json_begin_object(json);
		json_key(json, "events");
		json_begin_array(json);
	}
	bool is_first = true;
	struct error *err = NULL;
	if (run->profile.spe && run->options->time_range)
		fputs("note: no SPE columns beside the lines: --time does not apply to them\n",
		      stderr);
	for (uint32_t i = 0; !err && i < run->profile.num_events; i++) {
		if (!run->items[i].num_items)
			continue;
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

static struct error *cmd_annotate_check_words(const struct options *options,
					      const char *source_file)
{
	const char *other = options->symbol ? "--symbol" : "--disassemble";
	if (!source_file || (!options->symbol && !options->disassemble))
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "%s and --file cannot be combined", other),
			       "annotate shows functions, or all lines of a file");
}

static struct error *cmd_annotate_find_python(struct annotate_run *run)
{
	struct error *err =
		interpreted_tables_init(&run->python, &run->profile, run->options->sysroot);
	for (uint32_t i = 0; !err && i < run->profile.num_events; i++) {
		struct profile_filter *filter;
		if (!sample_choice_wants_event(&run->choice, &run->profile, i))
			continue;
		err = create_filter(run, i, &filter);
		if (!err)
			err = interpreted_tables_add(&run->python, i, filter);
	}
	return err ? err : interpreted_tables_finish(&run->python);
}

static struct error *cmd_annotate_write_python(struct annotate_run *run)
{
	struct json_writer *json = run->output.json;
	if (json) {
		json_begin_object(json);
		json_key(json, "python");
		json_begin_array(json);
	}
	struct error *err = interpreted_tables_show_sources(&run->python, run->source_file,
							    run->options->verbose, run->output.text,
							    json, NULL);
	if (json) {
		json_end_array(json);
		json_end_object(json);
	}
	return err ? err : output_close(&run->output);
}

/** @ret: was it a file of Python? Then all events stand side by side. */
static struct error *show_python(struct annotate_run *run, bool *ret)
{
	size_t num_files = 0;
	*ret = false;
	if (!run->source_file || !interpreted_stacks_are_there(&run->profile))
		return NULL;
	struct error *err = cmd_annotate_find_python(run);
	if (!err)
		err = interpreted_tables_show_sources(&run->python, run->source_file, false, NULL,
						      NULL, &num_files);
	*ret = num_files > 0;
	if (!err && *ret)
		err = output_open(options_output_request(run->options), &run->output);
	return err || !*ret ? err : cmd_annotate_write_python(run);
}

static bool cmd_annotate_ends_with(const char *word, const char *end)
{
	size_t length = strlen(word), end_length = strlen(end);
	return length >= end_length && !strcmp(word + length - end_length, end);
}

/** `annotate shop.py`: no recording has such a name. */
static const char *take_source_file(struct options *options)
{
	struct text_list *words = &options->arguments;
	const char *word = words->num_items ? words->items[words->num_items - 1] : "";
	if (options->source_file || !cmd_annotate_ends_with(word, ".py"))
		return options->source_file;
	words->num_items--;
	return word;
}

/** `annotate main`: a word that is neither a file nor looks like one is a function, as with perf.
 */
static void take_symbol(struct options *options)
{
	struct text_list *words = &options->arguments;
	const char *word = words->num_items ? words->items[words->num_items - 1] : "";
	if (options->symbol || !*word || strchr(word, '/') ||
	    cmd_annotate_ends_with(word, ".data") || file_path_kind(word) != FILE_PATH_ABSENT)
		return;
	options->symbol = word;
	words->num_items--;
}

struct error *command_annotate(const struct options *options, int *ret_exit)
{
	struct options words = *options;
	const char *source_file = take_source_file(&words);
	if (!source_file)
		take_symbol(&words);
	_cleanup_(annotate_run_deinit) struct annotate_run run = {
		.options = &words,
		.choice = options_sample_choice(&words),
		.source_file = source_file,
		.kind = source_file ? ANNOTATION_OF_FILES : ANNOTATION_OF_FUNCTIONS,
		.sources = source_files_create(options->sysroot),
	};
	bool is_python = false;
	struct error *err = cmd_annotate_check_words(&words, source_file);
	if (!err)
		err = options_read_profile(&words, NULL, false, &run.profile);
	if (!err)
		err = source_files_set_profile(&run.sources, &run.profile);
	if (!err)
		err = sample_choice_check_event(&run.choice, &run.profile);
	if (!err)
		err = show_python(&run, &is_python);
	if (err || is_python)
		return err;
	err = code_files_init(&run.codes, &run.profile, options->sysroot);
	run.codes.symbol_path = options->pdb_places;
	if (!err)
		err = choose_items(&run);
	if (!err)
		err = output_open(options_output_request(&words), &run.output);
	return err ? err : cmd_annotate_show(&run);
}
