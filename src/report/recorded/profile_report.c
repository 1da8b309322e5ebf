// SPDX-License-Identifier: Apache-2.0
// For an interpreted program its lines come first, of all events side by side; then each event has
// a table or a tree of its own. A table is a hot list, for rows of one kind, or a sort list, for
// words like perf's. Both are sorted, so that the rows below the limit are at the end and go first.

#include "report/recorded/profile_report.h"

#include "base/text/name_pattern.h"
#include "profile/hot/hot_list.h"
#include "profile/interpreted/interpreted_stacks.h"
#include "profile/memory/memory_event.h"
#include "report/interpreted_tables.h"
#include "report/role_report.h"
#include "report/run_queue/run_queue_report.h"
#include "report/values/value_tables.h"
#include "report/waits/wait_report.h"
#include "view/json/report_json.h"
#include "view/text/memory_text.h"
#include "view/text/report_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct report_run {
	const struct profile_report_request *request;
	const struct named_profile *profile;
	struct output *output;
	uint32_t first_event;
	uint32_t max_rows;                     /* of the tables of native code */
	struct interpreted_tables interpreted; /* without events if they are not wanted */
	struct memory_lines memory;            /* likewise, without lines */
};

/** The hottest function that --symbol fits: a hot list of all samples with it in their stacks. */
static struct error *profile_report_find_function(struct report_run *run,
						  const struct profile_filter *filter,
						  uint32_t *ret)
{
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	struct error *err =
		hot_list_create(run->profile, HOT_FUNCTION, HOT_BY_TOTAL, filter, &list);
	if (err)
		return err;
	// The list is sorted: the first name that fits is the hottest.
	for (size_t i = 0; i < list.num_entries; i++) {
		uint32_t name = run->profile->functions[list.entries[i].item].name;
		if (!name_pattern_match_symbol(run->request->choice.symbol,
					       named_profile_text(run->profile, name)))
			continue;
		*ret = list.entries[i].item;
		return NULL;
	}
	return error_create(ERROR_FAILED, "no samples of function '%s'",
			    run->request->choice.symbol);
}

static struct error *profile_report_print_tree(struct report_run *run,
					       const struct profile_filter *filter)
{
	struct call_tree_request request = run->request->tree;
	// A tree is of the samples of one event, as its table is.
	request.filter = filter;
	struct error *err = NULL;
	if (run->request->tree.shape == CALL_TREE_CALLERS ||
	    run->request->tree.shape == CALL_TREE_CALLEES)
		err = profile_report_find_function(run, filter, &request.function);
	_cleanup_(call_tree_deinit) struct call_tree tree = CALL_TREE_INIT;
	if (!err)
		err = call_tree_create(run->profile, &request, &tree);
	if (err)
		return err;
	report_text_print_tree(run->profile, &tree, run->output->text);
	return NULL;
}

/** The wanted event from @event on; with --sort cpi those that have the ratio. */
static uint32_t profile_report_next_event(const struct report_run *run, uint32_t event)
{
	const struct profile_report_request *request = run->request;
	struct event_ratio ratio;
	do
		event = sample_choice_next_event(&request->choice, run->profile, event);
	while (request->rows.ratio && event < run->profile->num_events &&
	       (!event_ratio_find(run->profile, event, &ratio) ||
		strcmp(ratio.key, request->rows.ratio) != 0) &&
	       ++event);
	return event;
}

static struct error *profile_report_check_ratio(const struct report_run *run)
{
	const char *ratio = run->request->rows.ratio;
	if (!ratio || run->first_event < run->profile->num_events)
		return NULL;
	bool is_cpi = strcmp(ratio, "cpi") == 0;
	struct error *err =
		error_create(ERROR_FAILED,
			     "--sort %s: no samples of %s and of instructions that count the same",
			     ratio, is_cpi ? "cycles" : "misses");
	return error_with_hint(err, "record both: -e %s,instructions",
			       is_cpi ? "cycles" : "cache-misses");
}

static void print_header(struct report_run *run, uint32_t event, struct named_total whole)
{
	if (event != run->first_event)
		fputc('\n', run->output->text);
	report_text_print_header(run->profile, event, whole, run->output->text);
	if (memory_event_is_in_use(memory_event_of(run->profile, event)))
		memory_text_print_curve(run->profile, run->output->text);
	fputc('\n', run->output->text);
}

/** Rows with less are left out, but their samples still count. */
static bool profile_report_is_enough(const struct report_run *run, struct named_total part,
				     struct named_total whole)
{
	return !run->request->has_min_percent ||
	       named_total_percent(part, whole) >= run->request->tree.min_percent;
}

/** Cycles or misses per instruction of each row. @ret: stays as it is if the event has none. */
static struct error *profile_report_find_ratios(struct report_run *run, uint32_t event,
						const struct hot_list *list, struct hot_ratios *ret)
{
	_cleanup_(hot_list_deinit) struct hot_list others = HOT_LIST_INIT;
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	struct event_ratio ratio;
	if (!event_ratio_find(run->profile, event, &ratio))
		return NULL;
	struct error *err = sample_choice_filter(&run->request->choice, run->profile,
						 ratio.instructions, &filter);
	if (!err)
		err = hot_list_create(run->profile, run->request->rows.hot,
				      run->request->rows.order, filter, &others);
	return err ? err : hot_ratios_create(&ratio, list, &others, run->request->rows.order, ret);
}

/** By the line or function that passed them, if that is what rows are. */
static struct value_tables_request values_of(const struct report_run *run, uint32_t event,
					     const struct profile_filter *filter)
{
	const struct profile_report_request *request = run->request;
	struct value_tables_request values = {
		.profile = run->profile,
		.event = event,
		.filter = filter,
		.max_rows = request->max_interpreted_rows,
	};
	if (request->with_interpreted || request->rows.num_keys)
		return values;
	if (request->rows.hot == HOT_LINE)
		values.row = VALUE_ROW_LINE;
	else if (request->rows.hot == HOT_FUNCTION)
		values.row = VALUE_ROW_FUNCTION;
	return values;
}

static struct error *print_hot(struct report_run *run, uint32_t event,
			       const struct profile_filter *filter)
{
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	_cleanup_(hot_ratios_deinit) struct hot_ratios found = {0};
	bool by_total = run->request->rows.order == HOT_BY_TOTAL;
	struct error *err = hot_list_create(run->profile, run->request->rows.hot,
					    run->request->rows.order, filter, &list);
	if (err)
		return err;
	// From the end, which has the smallest parts: the first one that is large enough ends the
	// search.
	while (list.num_entries) {
		const struct hot_entry *last = &list.entries[list.num_entries - 1];
		if (profile_report_is_enough(run, by_total ? last->total : last->self, list.whole))
			break;
		list.num_entries--;
	}
	if (!run->request->has_tree)
		err = profile_report_find_ratios(run, event, &list, &found);
	const struct hot_ratios *ratios = found.values ? &found : NULL;
	if (!err && ratios && run->request->rows.ratio)
		err = hot_ratios_sort(&found, &list);
	if (!err && run->output->text) {
		print_header(run, event, list.whole);
		err = run->request->has_tree
			      ? profile_report_print_tree(run, filter)
			      : report_text_print_hot(run->profile, &list, ratios, event,
						      run->max_rows, run->output->narrow,
						      run->output->text);
	}
	if (err || !run->output->json)
		return err;
	report_json_begin_event(run->profile, event, list.whole, run->output->json);
	err = report_json_hot(run->profile, &list, ratios, run->request->max_rows,
			      run->output->json);
	const struct value_tables_request values = values_of(run, event, filter);
	if (!err)
		err = value_tables_write_json(&values, run->output->json);
	report_json_end_event(run->output->json);
	return err;
}

static struct error *print_sorted(struct report_run *run, uint32_t event,
				  const struct profile_filter *filter)
{
	_cleanup_(sort_list_deinit) struct sort_list list = SORT_LIST_INIT;
	uint32_t max_rows = run->request->max_rows;
	bool by_total = run->request->rows.order == HOT_BY_TOTAL;
	FILE *stream = run->output->text;
	struct error *err = sort_list_create(run->profile, run->request->rows.keys,
					     run->request->rows.num_keys, by_total, filter, &list);
	if (err)
		return err;
	while (list.num_rows) {
		const struct sort_row *last = &list.rows[list.num_rows - 1];
		if (profile_report_is_enough(run, by_total ? last->total : last->self, list.whole))
			break;
		list.num_rows--;
	}
	if (stream) {
		print_header(run, event, list.whole);
		err = sort_table_print(run->profile, &list, &run->request->rows.look, max_rows,
				       run->output->narrow, stream);
	}
	if (err || !run->output->json)
		return err;
	report_json_begin_event(run->profile, event, list.whole, run->output->json);
	err = sort_table_write_json(run->profile, &list, max_rows, run->output->json);
	const struct value_tables_request values = values_of(run, event, filter);
	if (!err)
		err = value_tables_write_json(&values, run->output->json);
	report_json_end_event(run->output->json);
	return err;
}

static struct error *profile_report_print_event(struct report_run *run, uint32_t event)
{
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	struct error *err =
		sample_choice_filter(&run->request->choice, run->profile, event, &filter);
	if (err)
		return err;
	err = run->request->rows.num_keys && !run->request->has_tree
		      ? print_sorted(run, event, filter)
		      : print_hot(run, event, filter);
	if (err || !run->output->text || run->request->has_tree)
		return err;
	const struct value_tables_request values = values_of(run, event, filter);
	return value_tables_print(&values, run->output->narrow, run->output->text);
}

/** Who asks for another kind of row, or for a tree, wants that alone. */
static struct error *profile_report_find_interpreted(struct report_run *run)
{
	if (!run->request->with_interpreted || run->request->has_tree ||
	    !interpreted_stacks_are_there(run->profile))
		return NULL;
	struct error *err =
		interpreted_tables_init(&run->interpreted, run->profile, run->request->sysroots);
	// Only wanted events are columns: --event NAME leaves one.
	for (uint32_t i = run->first_event; !err && i < run->profile->num_events;
	     i = sample_choice_next_event(&run->request->choice, run->profile, i + 1)) {
		struct profile_filter *filter = NULL;
		err = sample_choice_filter(&run->request->choice, run->profile, i, &filter);
		if (!err)
			err = interpreted_tables_add(&run->interpreted, i, filter);
	}
	return err ? err : interpreted_tables_finish(&run->interpreted);
}

/** For an interpreted program its lines come first, and what they call second. */
static struct error *profile_report_print_interpreted(struct report_run *run)
{
	FILE *stream = run->output->text;
	if (!run->interpreted.num_events || !stream)
		return NULL;
	run->interpreted.report.layout = run->output->narrow;
	struct error *err = interpreted_report_print(&run->interpreted.report,
						     run->request->max_interpreted_rows, stream);
	fputc('\n', stream);
	return err ? err
		   : role_report_processes(run->profile, &run->request->choice, run->first_event,
					   run->output->narrow, stream, NULL);
}

/** What lines asked for, touched and kept. Who asks for another kind of row, for a tree or for one
 *  event wants that alone. */
static struct error *profile_report_find_memory(struct report_run *run)
{
	if (!run->request->with_interpreted || run->request->has_tree ||
	    run->request->choice.event || !memory_lines_are_there(run->profile))
		return NULL;
	struct error *err = NULL;
	for (uint32_t i = 0; !err && i < run->profile->num_events; i++) {
		_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
		err = sample_choice_filter(&run->request->choice, run->profile, i, &filter);
		if (!err)
			err = memory_lines_add(&run->memory, i, filter);
	}
	memory_lines_sort(&run->memory);
	return err;
}

static struct error *profile_report_print_memory(struct report_run *run)
{
	FILE *stream = run->output->text;
	if (!run->memory.num_items || !stream)
		return NULL;
	struct error *err = memory_text_print_lines(
		&run->memory, run->request->max_interpreted_rows, run->output->narrow, stream);
	fputc('\n', stream);
	return err;
}

/** They are those of all threads and times: with a choice of these they would be others. */
static struct error *profile_report_print_wakers(const struct report_run *run)
{
	const struct sample_choice *choice = &run->request->choice;
	bool is_of_all = !choice->event && !choice->thread && !choice->module && !choice->symbol &&
			 !choice->time_range;
	if (!run->output->text || !is_of_all || run->request->has_tree ||
	    !run->request->with_interpreted)
		return NULL;
	return wait_report_print_wakers(run->profile, run->request->max_interpreted_rows,
					run->output->narrow, run->output->text);
}

/** The same holds for waits in run queues, of which there are sums of the whole run only. */
static struct error *profile_report_print_run_queue(const struct report_run *run)
{
	const struct profile_report_request *request = run->request;
	if (!request->with_interpreted || request->has_tree || request->choice.event)
		return NULL;
	const struct run_queue *queue = &run->profile->run_queue;
	struct error *err =
		run->output->text
			? run_queue_report_print(queue, run->request->max_interpreted_rows,
						 run->output->narrow, run->output->text)
			: NULL;
	if (!err)
		run_queue_report_print_notes(queue, stderr);
	return err;
}

static struct error *profile_report_find(struct report_run *run)
{
	// An unknown --event is an error before the first line is printed.
	struct error *err = sample_choice_check_event(&run->request->choice, run->profile);
	run->first_event = profile_report_next_event(run, 0);
	if (!err)
		err = profile_report_check_ratio(run);
	if (!err)
		err = profile_report_find_interpreted(run);
	run->max_rows = run->interpreted.num_events ? run->request->max_rows_beside_interpreted
						    : run->request->max_rows;
	return err ? err : profile_report_find_memory(run);
}

static struct error *profile_report_print_first_tables(struct report_run *run)
{
	struct error *err = profile_report_print_run_queue(run);
	if (!err)
		err = profile_report_print_memory(run);
	return err ? err : profile_report_print_interpreted(run);
}

/** What is behind the events of the JSON. */
static struct error *profile_report_end_json(const struct report_run *run, struct json_writer *json)
{
	report_json_end_events(json);
	report_json_memory(run->profile, json);
	run_queue_report_write_json(&run->profile->run_queue, json);
	if (run->memory.num_items)
		report_json_memory_lines(&run->memory, run->request->max_rows, json);
	if (!run->interpreted.num_events)
		return NULL;
	json_key(json, "python");
	struct error *err = interpreted_report_write_json(&run->interpreted.report, json);
	return err ? err
		   : role_report_processes(run->profile, &run->request->choice, run->first_event,
					   run->output->narrow, NULL, json);
}

static struct error *profile_report_print_all(struct report_run *run)
{
	struct json_writer *json = run->output->json;
	struct error *err = profile_report_find(run);
	if (!err)
		err = profile_report_print_first_tables(run);
	if (err)
		return err;
	if (json)
		report_json_begin(run->profile, json);
	for (uint32_t i = run->first_event; !err && i < run->profile->num_events;
	     i = profile_report_next_event(run, i + 1))
		err = profile_report_print_event(run, i);
	if (!err)
		err = profile_report_print_wakers(run);
	if (!err && json)
		err = profile_report_end_json(run, json);
	// The tables above have SPE's samples by function; what SPE adds to a sample is in tables
	// of its own.
	if (!err && run->output->text && run->profile->spe)
		fprintf(stderr, "note: for details of %s, use wperf report %s summary\n",
			spe_profile_is_of_arm(run->profile->spe) ? "SPE samples"
								 : "accesses and branches",
			spe_profile_is_of_arm(run->profile->spe) ? "--spe" : "--accesses");
	if (!err && json)
		report_json_end(json);
	return err;
}

struct profile_report_request profile_report_default(void)
{
	return (struct profile_report_request){
		.rows = {.order = HOT_BY_SELF, .hot = HOT_FUNCTION},
		.with_interpreted = true,
		.max_interpreted_rows = 20,
		.max_rows = 50,
		.max_rows_beside_interpreted = 10,
	};
}

static struct error *print_by_role(const struct profile_report_request *request,
				   const struct named_profile *profile, struct output *output)
{
	struct error *err = sample_choice_check_event(&request->choice, profile);
	if (!err && !interpreted_stacks_are_there(profile))
		err = error_with_hint(error_create(ERROR_FAILED, "--by-role: no %s in the samples",
						   profile->language->name),
				      "--sort role has the roles of other programs");
	return err ? err
		   : role_report_print(profile, &request->choice, request->sysroots,
				       request->max_interpreted_rows, output);
}

struct error *profile_report_print(const struct profile_report_request *request,
				   const struct named_profile *profile, struct output *output)
{
	struct report_run run = {.request = request,
				 .profile = profile,
				 .output = output,
				 .memory = {.profile = profile}};
	if (request->is_by_role)
		return print_by_role(request, profile, output);
	struct error *err = profile_report_print_all(&run);
	interpreted_tables_deinit(&run.interpreted);
	memory_lines_deinit(&run.memory);
	return err;
}
