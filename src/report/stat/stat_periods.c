// SPDX-License-Identifier: Apache-2.0
// Each period is a count of its own, written as soon as it ends, so that a reader who follows the
// file sees it. If the file cannot be written any more, the command that is counted runs on: its
// periods are counted and dropped, and the error is told at the end. JSON is an object around all
// periods, which is closed also after a failure; JSON lines are one object for each.

#include "report/stat/stat_periods.h"

#include "view/json/timeline_json.h"

struct periods {
	const struct stat_periods_request *request;
	struct counting *counting;
	struct stat_tables *tables;
	struct stat_rows rows; /* its time: of all periods so far */
	struct output output;
	struct stat_page page;
	struct error *failure; /* of writing: no more is written */
};

static void begin_output(struct periods *periods)
{
	const struct stat_periods_request *request = periods->request;
	const struct timeline_json head = {
		.count_duration_s = (double)request->period_ns / 1e9,
		.count_interval_s = 0,
		.count_timeline = request->count,
	};
	if (periods->output.json && !request->output.is_json_lines)
		timeline_json_begin(&head, periods->output.json);
	if (periods->output.text)
		stat_rows_print_heading(&periods->rows, periods->output.text);
}

static struct error *write_period(struct periods *periods, const struct counting_result *result)
{
	const char *name = output_name(&periods->output);
	const struct stat_report *report = &periods->tables->report;
	struct json_writer *json = periods->output.json;
	struct error *err = NULL;
	if (periods->output.text)
		err = stat_rows_print(&periods->rows, report, periods->output.text, name);
	if (!err && json)
		err = stat_report_write_json(report, json);
	if (!err && json && periods->request->output.is_json_lines)
		err = json_finish(json, name);
	return err ? err : stat_page_add(&periods->page, periods->tables, result);
}

/** A program does not end because a disk is full; what nobody reads is counted for nobody. */
static struct error *try_to_write(struct periods *periods, const struct counting_result *result)
{
	if (periods->failure)
		return NULL;
	struct error *err = write_period(periods, result);
	bool has_file = periods->output.path || periods->request->page.path;
	// Without a command there is nobody whose work would be lost: the error ends the run.
	if (!err || !periods->request->has_command || !has_file || err == &error_no_memory)
		return err;
	periods->failure = err;
	return NULL;
}

static struct error *count_period(struct periods *periods, uint64_t duration_ns,
				  enum target_end *ret_end)
{
	_cleanup_(counting_result_deinit) struct counting_result result = COUNTING_RESULT_INIT;
	// UINT64_MAX: there is no spinner to turn, so the wait ends with the period.
	bool is_over = false;
	struct error *err = counting_begin(periods->counting, duration_ns);
	while (!err && !is_over)
		err = counting_wait(periods->counting, UINT64_MAX, &is_over);
	if (!err)
		err = counting_finish(periods->counting, &result);
	if (!err)
		err = stat_tables_fill(periods->tables, &result);
	periods->rows.time_ns += result.elapsed_ns;
	*ret_end = result.end;
	return err ? err : try_to_write(periods, &result);
}

static struct error *stat_periods_count(struct periods *periods)
{
	const struct stat_periods_request *request = periods->request;
	enum target_end end = TARGET_TIME_UP;
	struct error *err = NULL;
	bool is_last = false;
	for (uint32_t round = 1; !err && end == TARGET_TIME_UP && !is_last; round++) {
		// The last period is cut off where --timeout ends. A period that took longer than
		// asked, because the machine was busy, counts with the time it took.
		uint64_t passed = periods->rows.time_ns, duration = request->period_ns;
		if (request->timeout_ns - passed < duration)
			duration = request->timeout_ns - passed;
		err = count_period(periods, duration, &end);
		is_last = round == request->count || periods->rows.time_ns >= request->timeout_ns;
	}
	return err;
}

/** What was counted before a failure is closed in good order, too. @err: of the run. */
static struct error *stat_periods_close(struct periods *periods, struct error *err)
{
	if (!err)
		err = periods->failure;
	else
		error_destroy(periods->failure);
	if (periods->output.json && !periods->request->output.is_json_lines)
		timeline_json_end(periods->output.json);
	struct error *page_err = stat_page_close(&periods->page);
	struct error *close_err = output_close(&periods->output);
	if (close_err)
		error_destroy(page_err);
	else
		close_err = page_err;
	if (!err)
		return close_err;
	error_destroy(close_err);
	return err;
}

struct error *stat_periods(const struct stat_periods_request *request, struct counting *counting,
			   struct stat_tables *tables, const struct stat_rows *rows)
{
	struct periods periods = {
		.request = request,
		.counting = counting,
		.tables = tables,
		.rows = *rows,
	};
	periods.rows.has_time = true;
	struct error *err = stat_page_open(&periods.page, &request->page);
	if (!err)
		err = output_open(request->output, &periods.output);
	if (!err) {
		begin_output(&periods);
		err = stat_periods_close(&periods, stat_periods_count(&periods));
	}
	output_deinit(&periods.output);
	stat_page_deinit(&periods.page);
	return err;
}
