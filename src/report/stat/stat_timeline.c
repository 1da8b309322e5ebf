// SPDX-License-Identifier: Apache-2.0
// A round is a count, its rows in all files, and a pause. Which classes of events have rows is
// known with the first count only, so files of CSV are opened behind it: one for each class, as
// their columns differ. Rows are written as they come, because a timeline may
// run for days; an error, or Ctrl-C, closes what there is in good order.

#include "report/stat/stat_timeline.h"

#include "base/file/file_path.h"
#include "report/result_file.h"
#include "report/stat/stat_page.h"
#include "report/stat/stat_progress.h"
#include "view/export/timeline_csv.h"
#include "view/json/timeline_json.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

/** One CSV file. */
struct timeline_file {
	const struct stat_section *section;
	struct timeline_csv csv;
	char *path;
};

struct timeline {
	const struct stat_timeline_request *request;
	struct counting *counting;
	struct stat_tables *tables;
	struct timeline_file files[NUM_EVENT_CLASSES];
	size_t num_files;
	struct stat_page page;
	struct output output;
	FILE *progress; /* or NULL */
};

static void timeline_deinit(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->num_files; i++) {
		if (timeline->files[i].csv.stream)
			fclose(timeline->files[i].csv.stream);
		free(timeline->files[i].path);
	}
	stat_page_deinit(&timeline->page);
	output_deinit(&timeline->output);
}

static struct timeline_name stat_timeline_make_name(const struct timeline *timeline)
{
	const struct count_set *units = timeline->tables->report.sections[0].counts;
	struct timeline_name name = timeline->request->name;
	// {core} in a name stands for one core; with several it is the first.
	name.first_core = units->num_units ? units->units[0] : 0;
	name.one_core = units->num_units == 1 && units->unit_kind == COUNT_UNIT_CORE;
	time_t now = time(NULL);
	localtime_r(&now, &name.time);
	return name;
}

static struct error *stat_timeline_open_file(struct timeline *timeline,
					     const struct timeline_name *name,
					     const struct stat_section *section)
{
	struct timeline_file *file = &timeline->files[timeline->num_files];
	*file = (struct timeline_file){.section = section};
	struct error *err = timeline_name_make(name, event_class_name(section->event_class),
					       timeline->num_files == 0, &file->path);
	if (err)
		return err;
	timeline->num_files++;
	// These files are written in place, so a recording of that name must be refused here.
	err = result_file_check(file->path);
	if (err)
		return err;
	FILE *stream = file_path_open(file->path, "w");
	if (!stream)
		return error_create_errno(errno, "Unable to open %s", file->path);
	file->csv = (struct timeline_csv){
		.stream = stream,
		.name = file->path,
		.with_timestamps = timeline->request->has_timestamps,
	};
	if (timeline->request->tells_files)
		printf("timeline file: '%s'\n", file->path);
	return timeline_csv_begin(&file->csv, &timeline->tables->report, section,
				  (double)timeline->request->interval_ns / 1e9);
}

/** One file for each class in use; what there is shows with the first count. */
static struct error *open_files(struct timeline *timeline)
{
	const struct stat_report *report = &timeline->tables->report;
	struct timeline_name name = stat_timeline_make_name(timeline);
	struct error *err = NULL;
	for (size_t i = 0; !err && i < report->num_sections; i++) {
		const struct stat_section *section = &report->sections[i];
		// The cores' cycles are counted always; that alone is no class in use.
		if (section->event_class != EVENT_CORE || section->num_events > 1 ||
		    report->num_sections == 1)
			err = stat_timeline_open_file(timeline, &name, section);
	}
	return err;
}

static struct error *stat_timeline_write_files(struct timeline *timeline,
					       const struct counting_result *result)
{
	struct error *err = stat_page_add(&timeline->page, timeline->tables, result);
	for (size_t i = 0; !err && i < timeline->num_files; i++)
		err = timeline_csv_add(&timeline->files[i].csv, &timeline->tables->report,
				       timeline->files[i].section, result->started_ns);
	return err;
}

static struct error *close_files(struct timeline *timeline)
{
	struct error *err = stat_page_close(&timeline->page);
	for (size_t i = 0; !err && i < timeline->num_files; i++)
		if (timeline->files[i].csv.stream)
			err = timeline_csv_end(&timeline->files[i].csv);
	return err;
}

static void begin_json(struct timeline *timeline)
{
	struct json_writer *json = timeline->output.json;
	if (!json || timeline->request->output.is_json_lines)
		return;
	const struct timeline_json head = {
		.count_duration_s = (double)timeline->request->duration_ns / 1e9,
		.count_interval_s = (double)timeline->request->interval_ns / 1e9,
		.count_timeline = timeline->request->count,
	};
	timeline_json_begin(&head, json);
}

static struct error *stat_timeline_write_json(struct timeline *timeline)
{
	struct json_writer *json = timeline->output.json;
	if (!json)
		return NULL;
	struct error *err = stat_report_write_json(&timeline->tables->report, json);
	if (!err && timeline->request->output.is_json_lines)
		err = json_finish(json, "the JSON lines");
	return err;
}

static struct error *stat_timeline_count_once(struct timeline *timeline, size_t round,
					      enum target_end *ret_end)
{
	_cleanup_(counting_result_deinit) struct counting_result result = COUNTING_RESULT_INIT;
	struct error *err = counting_begin(timeline->counting, timeline->request->duration_ns);
	if (!err)
		err = stat_progress_wait(timeline->counting, timeline->progress);
	if (!err)
		err = counting_finish(timeline->counting, &result);
	if (!err)
		err = stat_tables_fill(timeline->tables, &result);
	// Only the first count tells which classes have rows.
	if (!err && round == 0 && timeline->request->writes_csv)
		err = open_files(timeline);
	if (!err)
		err = stat_timeline_write_files(timeline, &result);
	if (!err)
		err = stat_timeline_write_json(timeline);
	if (!err && timeline->request->note_count)
		err = timeline->request->note_count(timeline->request->data,
						    &timeline->tables->report);
	// Ctrl-C ends a count early: its rows are written all the same, and no round follows.
	*ret_end = result.end;
	return err;
}

/**
 * A period is a count and a pause, and clients count the pauses. Nobody has to wait for the last
 * one, except where a client counts it, too.
 */
static struct error *pause_once(struct timeline *timeline, bool is_last, enum target_end *ret_end)
{
	bool waits = !is_last || timeline->request->pauses_at_end;
	if (timeline->progress) {
		fputs("sleeping ... ", timeline->progress);
		fflush(timeline->progress);
	}
	struct error *err = counting_pause(timeline->counting,
					   waits ? timeline->request->interval_ns : 0, ret_end);
	stat_progress_end(timeline->progress);
	return err;
}

static struct error *count_rounds(struct timeline *timeline)
{
	uint32_t wanted = timeline->request->count;
	enum target_end end = TARGET_TIME_UP;
	struct error *err = NULL;
	bool is_last = false;
	for (size_t round = 0; !err && end == TARGET_TIME_UP && !is_last; round++) {
		err = stat_timeline_count_once(timeline, round, &end);
		// 0 rounds wanted: never true, the timeline runs until something ends it.
		is_last = round + 1 == wanted;
		if (!err && end == TARGET_TIME_UP)
			err = pause_once(timeline, is_last, &end);
	}
	return err;
}

struct error *stat_timeline(const struct stat_timeline_request *request, struct counting *counting,
			    struct stat_tables *tables, FILE *progress)
{
	_cleanup_(timeline_deinit) struct timeline timeline = {
		.request = request,
		.counting = counting,
		.tables = tables,
		.progress = progress,
	};
	struct error *err = stat_page_open(&timeline.page, &request->page);
	if (!err)
		err = output_open(request->output, &timeline.output);
	if (err)
		return err;
	begin_json(&timeline);
	err = count_rounds(&timeline);
	// What was counted before a failure is closed in good order, too.
	if (timeline.output.json && !request->output.is_json_lines)
		timeline_json_end(timeline.output.json);
	struct error *close_err = close_files(&timeline);
	if (!close_err)
		close_err = output_close(&timeline.output);
	if (!err)
		return close_err;
	error_destroy(close_err);
	return err;
}
