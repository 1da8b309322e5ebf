// SPDX-License-Identifier: Apache-2.0

#include "base/container/array.h"
#include "base/text/name_pattern.h"
#include "cli/command.h"
#include "cli/option/option_recording.h"
#include "cli/option/option_report_rows.h"
#include "cli/option/option_requests.h"
#include "cli/option/options.h"
#include "profile/hot/hot_list.h"
#include "profile/hot/profile_diff.h"
#include "profile/interpreted/interpreted_stacks.h"
#include "profile/tree/call_tree.h"
#include "report/interpreted_tables.h"
#include "report/output.h"
#include "report/profile_page.h"
#include "report/result_file.h"
#include "report/spe/spe_tables.h"
#include "view/json/report_json.h"
#include "view/text/report_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PYTHON_ROWS = 20 };

static const struct {
	const char *name;
	enum call_tree_shape shape;
} tree_shapes[] = {
	{"down", CALL_TREE_TOP_DOWN},
	{"up", CALL_TREE_BOTTOM_UP},
	{"callers", CALL_TREE_CALLERS},
	{"callees", CALL_TREE_CALLEES},
};

struct report_run {
	const struct options *options;
	struct named_profile profile;
	struct sample_choice choice;
	struct report_rows rows;
	struct spe_choice spe; /* if it is asked for */
	bool has_tree;
	struct call_tree_request tree;
	uint32_t first_event;
	uint32_t max_rows;                /* of the tables of native code */
	struct interpreted_tables python; /* without events if they are not wanted */
	struct output output;
};

static void report_run_deinit(struct report_run *run)
{
	output_deinit(&run->output);
	interpreted_tables_deinit(&run->python);
	named_profile_deinit(&run->profile);
}

static struct error *choose_percent(struct report_run *run)
{
	const char *text = run->options->percent_limit;
	char *end;
	run->tree.min_percent = 0.5;
	if (!text)
		return NULL;
	run->tree.min_percent = strtod(text, &end);
	if (end != text && !*end && run->tree.min_percent >= 0 && run->tree.min_percent <= 100)
		return NULL;
	return error_create(ERROR_USAGE, "not a percentage: '%s'", text);
}

static struct error *choose_tree(struct report_run *run)
{
	const char *name = run->options->tree;
	for (size_t i = 0; name && i < ARRAY_SIZE(tree_shapes); i++) {
		if (strcmp(name, tree_shapes[i].name) != 0)
			continue;
		run->has_tree = true;
		run->tree.shape = tree_shapes[i].shape;
	}
	if (name && !run->has_tree)
		return error_with_hint(error_create(ERROR_USAGE, "unknown kind of tree '%s'", name),
				       "--tree takes down, up, callers or callees");
	bool is_about_one = run->has_tree && (run->tree.shape == CALL_TREE_CALLERS ||
					      run->tree.shape == CALL_TREE_CALLEES);
	if (is_about_one && !run->options->symbol)
		return error_with_hint(error_create(ERROR_USAGE, "whose %s?", name),
				       "name the function with --symbol");
	return NULL;
}

/** The hottest function that --symbol fits: a hot list of all samples with it in their stacks. */
static struct error *cmd_report_find_function(struct report_run *run,
					      const struct profile_filter *filter, uint32_t *ret)
{
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	struct error *err =
		hot_list_create(&run->profile, HOT_FUNCTION, HOT_BY_TOTAL, filter, &list);
	if (err)
		return err;
	for (size_t i = 0; i < list.num_entries; i++) {
		uint32_t name = run->profile.functions[list.entries[i].item].name;
		if (!name_pattern_match_symbol(run->options->symbol,
					       named_profile_text(&run->profile, name)))
			continue;
		*ret = list.entries[i].item;
		return NULL;
	}
	return error_create(ERROR_FAILED, "no samples of function '%s'", run->options->symbol);
}

static struct error *cmd_report_print_tree(struct report_run *run,
					   const struct profile_filter *filter)
{
	struct call_tree_request request = run->tree;
	request.filter = filter;
	struct error *err = NULL;
	if (run->tree.shape == CALL_TREE_CALLERS || run->tree.shape == CALL_TREE_CALLEES)
		err = cmd_report_find_function(run, filter, &request.function);
	_cleanup_(call_tree_deinit) struct call_tree tree = CALL_TREE_INIT;
	if (!err)
		err = call_tree_create(&run->profile, &request, &tree);
	if (err)
		return err;
	report_text_print_tree(&run->profile, &tree, run->output.text);
	return NULL;
}

static void print_header(struct report_run *run, uint32_t event, struct named_total whole)
{
	if (event != run->first_event)
		fputc('\n', run->output.text);
	report_text_print_header(&run->profile, event, whole, run->output.text);
	fputc('\n', run->output.text);
}

static struct error *cmd_report_print_text(struct report_run *run, uint32_t event,
					   const struct profile_filter *filter,
					   const struct hot_list *list)
{
	FILE *stream = run->output.text;
	print_header(run, event, list->whole);
	return run->has_tree
		       ? cmd_report_print_tree(run, filter)
		       : report_text_print_hot(
				 &run->profile, list, run->max_rows,
				 output_narrow_layout(options_output_request(run->options), stream),
				 stream);
}

/** Rows with less are left out, but their samples still count. */
static bool cmd_report_is_enough(const struct report_run *run, struct named_total part,
				 struct named_total whole)
{
	return !run->options->percent_limit ||
	       named_total_percent(part, whole) >= run->tree.min_percent;
}

static struct error *print_hot(struct report_run *run, uint32_t event,
			       const struct profile_filter *filter)
{
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	bool by_total = run->rows.order == HOT_BY_TOTAL;
	struct error *err =
		hot_list_create(&run->profile, run->rows.hot, run->rows.order, filter, &list);
	if (err)
		return err;
	while (list.num_entries) {
		const struct hot_entry *last = &list.entries[list.num_entries - 1];
		if (cmd_report_is_enough(run, by_total ? last->total : last->self, list.whole))
			break;
		list.num_entries--;
	}
	if (run->output.text)
		err = cmd_report_print_text(run, event, filter, &list);
	if (err || !run->output.json)
		return err;
	report_json_begin_event(&run->profile, event, list.whole, run->output.json);
	err = report_json_hot(&run->profile, &list, options_rows(run->options, DEFAULT_ROWS),
			      run->output.json);
	report_json_end_event(run->output.json);
	return err;
}

static struct error *print_sorted(struct report_run *run, uint32_t event,
				  const struct profile_filter *filter)
{
	_cleanup_(sort_list_deinit) struct sort_list list = SORT_LIST_INIT;
	uint32_t max_rows = options_rows(run->options, DEFAULT_ROWS);
	bool by_total = run->rows.order == HOT_BY_TOTAL;
	FILE *stream = run->output.text;
	struct error *err = sort_list_create(&run->profile, run->rows.keys, run->rows.num_keys,
					     by_total, filter, &list);
	if (err)
		return err;
	while (list.num_rows) {
		const struct sort_row *last = &list.rows[list.num_rows - 1];
		if (cmd_report_is_enough(run, by_total ? last->total : last->self, list.whole))
			break;
		list.num_rows--;
	}
	if (stream) {
		print_header(run, event, list.whole);
		err = sort_table_print(
			&run->profile, &list, &run->rows.look, max_rows,
			output_narrow_layout(options_output_request(run->options), stream), stream);
	}
	if (err || !run->output.json)
		return err;
	report_json_begin_event(&run->profile, event, list.whole, run->output.json);
	err = sort_table_write_json(&run->profile, &list, max_rows, run->output.json);
	report_json_end_event(run->output.json);
	return err;
}

static struct error *cmd_report_print_event(struct report_run *run, uint32_t event)
{
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	struct error *err = sample_choice_filter(&run->choice, &run->profile, event, &filter);
	if (err)
		return err;
	return run->rows.num_keys && !run->has_tree ? print_sorted(run, event, filter)
						    : print_hot(run, event, filter);
}

static struct error *cmd_report_add_python_event(struct report_run *run, uint32_t event)
{
	struct profile_filter *filter = NULL;
	struct error *err = sample_choice_filter(&run->choice, &run->profile, event, &filter);
	return err ? err : interpreted_tables_add(&run->python, event, filter);
}

/** Who asks for another kind of row, or for a tree, wants that alone. */
static struct error *cmd_report_find_python(struct report_run *run)
{
	const struct options *options = run->options;
	if (options->sort || options->fields || run->has_tree ||
	    !interpreted_stacks_are_there(&run->profile))
		return NULL;
	struct error *err = interpreted_tables_init(&run->python, &run->profile, options->sysroot);
	for (uint32_t i = run->first_event; !err && i < run->profile.num_events;
	     i = sample_choice_next_event(&run->choice, &run->profile, i + 1))
		err = cmd_report_add_python_event(run, i);
	return err ? err : interpreted_tables_finish(&run->python);
}

/** For a program of Python its lines come first, and what they call second. */
static struct error *cmd_report_print_python(struct report_run *run)
{
	FILE *stream = run->output.text;
	uint32_t max_rows = options_rows(run->options, MAX_PYTHON_ROWS);
	if (!run->python.num_events || !stream)
		return NULL;
	run->python.report.layout =
		output_narrow_layout(options_output_request(run->options), stream);
	struct error *err =
		interpreted_report_print(&run->python.report,
					 max_rows < MAX_PYTHON_ROWS ? max_rows : MAX_PYTHON_ROWS,
					 stream);
	fputc('\n', stream);
	return err;
}

static struct error *cmd_report_write_python(struct report_run *run)
{
	if (!run->python.num_events || !run->output.json)
		return NULL;
	json_key(run->output.json, "python");
	return interpreted_report_write_json(&run->python.report, run->output.json);
}

static struct error *cmd_report_print(struct report_run *run)
{
	struct error *err = sample_choice_check_event(&run->choice, &run->profile);
	run->first_event = sample_choice_next_event(&run->choice, &run->profile, 0);
	if (!err)
		err = cmd_report_find_python(run);
	run->max_rows = options_rows(run->options, run->python.num_events && !run->options->compat
							   ? NATIVE_ROWS_BESIDE_PYTHON
							   : DEFAULT_ROWS);
	if (!err)
		err = cmd_report_print_python(run);
	if (err)
		return err;
	if (run->output.json)
		report_json_begin(&run->profile, run->output.json);
	for (uint32_t i = run->first_event; !err && i < run->profile.num_events;
	     i = sample_choice_next_event(&run->choice, &run->profile, i + 1))
		err = cmd_report_print_event(run, i);
	if (run->output.json)
		report_json_end_events(run->output.json);
	if (!err)
		err = cmd_report_write_python(run);
	if (!err && run->output.text && run->profile.spe)
		fputs("note: for details of SPE samples, use wperf report --spe summary\n", stderr);
	if (!err && run->output.json)
		report_json_end(run->output.json);
	return err;
}

static struct error *list_all(const struct sample_choice *choice, enum hot_key key,
			      const struct named_profile *profile, struct hot_list *ret)
{
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	struct error *err = sample_choice_check_event(choice, profile);
	if (!err)
		err = sample_choice_filter(choice, profile,
					   sample_choice_next_event(choice, profile, 0), &filter);
	return err ? err : hot_list_create(profile, key, HOT_BY_SELF, filter, ret);
}

static struct error *print_diff(struct report_run *run)
{
	_cleanup_(named_profile_deinit) struct named_profile later = {0};
	_cleanup_(hot_list_deinit) struct hot_list before = HOT_LIST_INIT;
	_cleanup_(hot_list_deinit) struct hot_list after = HOT_LIST_INIT;
	_cleanup_(profile_diff_deinit) struct profile_diff diff = PROFILE_DIFF_INIT;
	const struct options *options = run->options;
	struct error *err = options_read_profile(options, options->diff, false, &later);
	if (!err)
		err = list_all(&run->choice, run->rows.hot, &run->profile, &before);
	if (!err)
		err = list_all(&run->choice, run->rows.hot, &later, &after);
	if (!err)
		err = profile_diff_create(&(struct profile_diff_side){&run->profile, &before},
					  &(struct profile_diff_side){&later, &after}, &diff);
	return err ? err
		   : report_text_print_diff(&diff, options_rows(options, DEFAULT_ROWS),
					    output_narrow_layout(options_output_request(options),
								 run->output.text),
					    run->output.text);
}

/** A name that we know nothing of is that of a text. */
static struct error *check_output(const struct report_run *run)
{
	const char *path = run->options->output;
	if (!path || run->options->json || run->options->compat)
		return NULL;
	switch (result_format_of(path)) {
	case RESULT_ANY:
	case RESULT_TEXT:
	case RESULT_JSON:
		return NULL;
	default:
		return result_format_refuse("report", path, run->options->input);
	}
}

static struct error *check_json(const struct report_run *run)
{
	const struct options *options = run->options;
	if (!output_writes_json(options_output_request(options)) ||
	    !(run->has_tree || options->diff))
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "%s cannot write JSON",
					    run->has_tree ? "--tree" : "--diff"),
			       "wperf export writes call trees for other programs");
}

static struct error *write_page(const struct report_run *run, const char *path)
{
	return profile_page_write(path, &run->profile, run->options->sysroot);
}

static struct error *print_spe(const struct report_run *run)
{
	struct json_writer *json = run->output.json;
	if (json)
		json_begin_object(json);
	struct error *err = spe_tables_write(&run->spe, &run->profile, run->output.text, json);
	if (json)
		json_end_object(json);
	return err;
}

static struct error *cmd_report_write(struct report_run *run)
{
	struct error *err = output_open(options_output_request(run->options), &run->output);
	if (err || (!run->output.text && !run->output.json))
		return err;
	if (run->options->spe)
		err = print_spe(run);
	else
		err = run->options->diff ? print_diff(run) : cmd_report_print(run);
	return err ? err : output_close(&run->output);
}

struct error *command_report(const struct options *options, int *ret_exit)
{
	_cleanup_(report_run_deinit) struct report_run run = {
		.options = options,
		.choice = options_sample_choice(options),
	};
	struct error *err = options->spe ? options_choose_spe(options, &run.spe)
					 : report_rows_choose(options, &run.rows);
	if (!err)
		err = choose_percent(&run);
	if (!err)
		err = choose_tree(&run);
	if (!err)
		err = check_output(&run);
	if (!err)
		err = output_check(options_output_request(options));
	if (!err)
		err = check_json(&run);
	if (!err)
		err = options_read_profile(options, NULL, options->html != NULL, &run.profile);
	if (!err && options->html)
		err = write_page(&run, options->html);
	return err ? err : cmd_report_write(&run);
}
