// SPDX-License-Identifier: Apache-2.0
// One event of each recording becomes a hot list, and both lists a diff (profile_diff.h), in which
// rows are matched by name. The growth of rows is judged before rows are left out for the table.
//
// A row grew too much if the lower bound of the 95 % interval of its change is above the limit: so
// a limit of 5 points fails for a row of 20 % that has 26 % in 10,000 samples, and not for one that
// has them in 100. Only `self` counts: totals of all callers grow with that of a function, so that
// one change would fail in many rows.

#include "report/recorded/diff_report.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "profile/hot/hot_list.h"
#include "profile/hot/profile_diff.h"
#include "report/recorded/diff_pair.h"
#include "view/json/diff_json.h"
#include "view/layout/decimal.h"
#include "view/layout/safe_text.h"
#include "view/text/report_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct diff_run {
	const struct diff_report_request *request;
	const struct named_profile *profiles[2];
	uint32_t events[2];
};

static const char *diff_run_event_name(const struct diff_run *run, size_t side)
{
	const struct named_profile *profile = run->profiles[side];
	return named_profile_text(profile, profile->events[run->events[side]].name);
}

static struct error *diff_run_list(const struct diff_run *run, size_t side, struct hot_list *ret)
{
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	const struct profile_report_request *report = run->request->report;
	struct error *err = sample_choice_filter(&report->choice, run->profiles[side],
						 run->events[side], &filter);
	return err ? err
		   : hot_list_create(run->profiles[side], report->rows.hot, HOT_BY_SELF, filter,
				     ret);
}

static struct profile_diff_side diff_run_side(const struct diff_run *run, size_t side,
					      const struct hot_list *list)
{
	const struct named_profile *profile = run->profiles[side];
	return (struct profile_diff_side){
		.profile = profile,
		.list = list,
		.is_measured = profile->events[run->events[side]].is_whole,
		.is_bytes = named_event_is_bytes(profile, run->events[side]),
	};
}

static struct error *diff_run_compare(struct diff_run *run, struct profile_diff *ret)
{
	_cleanup_(hot_list_deinit) struct hot_list before = HOT_LIST_INIT;
	_cleanup_(hot_list_deinit) struct hot_list later = HOT_LIST_INIT;
	struct error *err = diff_run_list(run, 0, &before);
	if (!err)
		err = diff_run_list(run, 1, &later);
	if (err)
		return err;
	const struct profile_diff_side sides[] = {diff_run_side(run, 0, &before),
						  diff_run_side(run, 1, &later)};
	return profile_diff_create(&sides[0], &sides[1], ret);
}

static void diff_run_print_growth(const struct diff_run *run, const struct profile_diff *diff,
				  const struct profile_diff_row *row)
{
	struct share_change change = profile_diff_self_range(diff, row);
	bool is_measured = diff->before.is_measured && diff->after.is_measured;
	fputs("error: ", stderr);
	if (*row->module) {
		safe_text_print(row->module, strlen(row->module), stderr);
		fputc(' ', stderr);
	}
	safe_text_print(row->name, strlen(row->name), stderr);
	fprintf(stderr, " grew from %s %%", decimal_fixed(row->before.self_percent, 1).text);
	fprintf(stderr, " to %s %% of ", decimal_fixed(row->after.self_percent, 1).text);
	if (is_measured)
		safe_text_print(diff_run_event_name(run, 1), strlen(diff_run_event_name(run, 1)),
				stderr);
	else
		fputs("the samples", stderr);
	fprintf(stderr, ": +%s points", decimal_fixed(change.points, 1).text);
	if (!is_measured)
		fprintf(stderr, " (at least +%s)", decimal_fixed(change.low, 1).text);
	fprintf(stderr, ", more than %s\n", decimal_short(run->request->max_growth).text);
}

static void diff_run_print_no_growth(const struct diff_run *run, const struct profile_diff *diff)
{
	fprintf(stderr, "note: nothing grew by more than %s points",
		decimal_short(run->request->max_growth).text);
	if (!diff->before.is_measured || !diff->after.is_measured)
		fputs(" beyond chance", stderr);
	fprintf(stderr, " (%s", decimal_grouped(diff->before.whole.count).text);
	fprintf(stderr, " and %s samples)\n", decimal_grouped(diff->after.whole.count).text);
}

/** With nothing to compare, "nothing grew" would pass for a good sign. */
static struct error *diff_run_check_samples(const struct diff_run *run,
					    const struct profile_diff *diff)
{
	static const char *const sides[] = {"earlier", "later"};
	const uint64_t counts[] = {diff->before.whole.count, diff->after.whole.count};
	for (size_t i = 0; i < ARRAY_SIZE(sides); i++)
		if (!counts[i])
			return error_create(ERROR_FAILED,
					    "the %s recording has no samples of '%s' to compare",
					    sides[i], diff_run_event_name(run, i));
	return NULL;
}

/** Rows that grew too much; of all rows, also of those that the table leaves out. */
struct grown_rows {
	struct profile_diff_row *items;
	size_t num_items;
};

static void grown_rows_deinit(struct grown_rows *rows)
{
	free(rows->items);
}

static struct error *diff_run_find_grown(const struct diff_run *run,
					 const struct profile_diff *diff, struct grown_rows *ret)
{
	struct error *err = diff_run_check_samples(run, diff);
	if (err)
		return err;
	ret->items = calloc(diff->num_rows + 1, sizeof(*ret->items));
	if (!ret->items)
		return &error_no_memory;
	for (size_t i = 0; i < diff->num_rows; i++)
		if (profile_diff_self_range(diff, &diff->rows[i]).low > run->request->max_growth)
			ret->items[ret->num_items++] = diff->rows[i];
	return NULL;
}

static void diff_run_print_verdict(const struct diff_run *run, const struct profile_diff *diff,
				   const struct grown_rows *rows)
{
	size_t max_rows = run->request->report->max_rows;
	for (size_t i = 0; i < rows->num_items && (!max_rows || i < max_rows); i++)
		diff_run_print_growth(run, diff, &rows->items[i]);
	if (max_rows && rows->num_items > max_rows)
		fprintf(stderr, "error: ... and %zu more\n", rows->num_items - max_rows);
	if (!rows->num_items)
		diff_run_print_no_growth(run, diff);
}

static struct error *diff_run_print_rows(const struct diff_run *run,
					 const struct profile_diff *diff, struct output *output)
{
	struct error *err = NULL;
	uint32_t max_rows = run->request->report->max_rows;
	if (output->text)
		err = report_text_print_diff(diff, max_rows, output->narrow, output->text);
	if (err || !output->json)
		return err;
	const struct diff_json json = {
		.diff = diff,
		.profiles = {run->profiles[0], run->profiles[1]},
		.events = {run->events[0], run->events[1]},
		.max_rows = max_rows,
		.has_max_growth = run->request->has_max_growth,
		.max_growth = run->request->max_growth,
	};
	diff_json_write(&json, output->json);
	return NULL;
}

struct error *diff_report_print(const struct diff_report_request *request,
				const struct named_profile *before,
				const struct named_profile *later, struct output *output,
				bool *ret_grew)
{
	_cleanup_(profile_diff_deinit) struct profile_diff diff = PROFILE_DIFF_INIT;
	_cleanup_(grown_rows_deinit) struct grown_rows grown = {0};
	const struct profile_report_request *report = request->report;
	struct diff_run run = {.request = request, .profiles = {before, later}};
	struct error *err = diff_pair_choose_events(&report->choice, run.profiles,
						    request->has_max_growth, run.events);
	if (!err)
		err = diff_run_compare(&run, &diff);
	if (!err && request->has_max_growth)
		err = diff_run_find_grown(&run, &diff, &grown);
	if (err)
		return err;
	if (report->has_min_percent)
		profile_diff_limit(&diff, report->tree.min_percent);
	err = diff_run_print_rows(&run, &diff, output);
	if (err)
		return err;
	if (request->has_max_growth) {
		// The verdict is the last word, also where both streams are one.
		if (output->text)
			fflush(output->text);
		diff_run_print_verdict(&run, &diff, &grown);
	}
	*ret_grew = grown.num_items != 0;
	return NULL;
}
