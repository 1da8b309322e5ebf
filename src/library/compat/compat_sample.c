// SPDX-License-Identifier: Apache-2.0
// A run of `wperf sample`, or with `record` of `wperf record`. Its items are those of the tables:
// event by event, hottest first; those of the annotation likewise, and of a function its lines.

#include "library/compat/compat_library.h"
#include "library/compat/compat_text.h"
#include "library/compat/compat_words.h"
#include "report/sample/sample_tables.h"
#include "session/recording_file.h"
#include "session/sampling.h"
#include "session/setup/sample_setup.h"

#include <string.h>

enum {
	NS_PER_MS = 1000000,
	ROUND_NS = 100 * NS_PER_MS,
};

/** A run of wperf_sample(). */
struct sample_call {
	const SAMPLE_CONF *conf;
	struct compat_words words;
	struct sample_request asked;
	struct sample_setup setup;
	struct sampling *sampling;
	struct recording_file *file;
	struct symbolizer *symbolizer;
	struct named_profile profile;
	struct sample_tables tables;
	struct compat_items *items, *lines;
};

/** Of the last run of all, whose numbers wperf_sample_stats() gives. */
static SAMPLE_STATS last_stats;

static void sample_call_deinit(struct sample_call *call)
{
	sample_tables_deinit(&call->tables);
	named_profile_deinit(&call->profile);
	sampling_destroy(call->sampling);
	recording_file_destroy(call->file);
	symbolizer_destroy(call->symbolizer);
	sample_setup_deinit(&call->setup);
	compat_words_deinit(&call->words);
	compat_items_destroy(call->items);
	compat_items_destroy(call->lines);
}

static struct error *sample_call_choose_target(struct sample_call *call)
{
	const SAMPLE_CONF *conf = call->conf;
	const wchar_t *name = conf->image_name ? conf->image_name : conf->pe_file;
	if (!name)
		return error_with_hint(error_create(ERROR_USAGE, "no program is named"),
				       "set image_name, or pe_file");
	if (conf->record && conf->pe_file) {
		call->asked.delay_ns = (uint64_t)conf->record_spawn_delay * NS_PER_MS;
		return compat_words_of_program(&call->words, conf->pe_file,
					       conf->record_commandline, &call->asked.command);
	}
	call->asked.process_name = compat_text_utf8(&call->words.arena, name);
	return call->asked.process_name ? NULL : &error_no_memory;
}

static struct error *sample_call_create_file(struct sample_call *call)
{
	struct error *err = sample_setup_create_file(&call->setup, "perf.data", &call->file);
	if (!err)
		sampling_save(call->sampling, call->file);
	return err;
}

static struct error *sample_call_prepare(struct sample_call *call, struct session *session)
{
	call->setup.session = session;
	struct error *err = compat_words_of_sample(&call->words, call->conf);
	call->asked = (struct sample_request){
		.words = call->words.words,
		.kernel = call->conf->kernel_mode,
		.interpreted = "native",
	};
	if (!err)
		err = sample_call_choose_target(call);
	if (!err)
		err = sample_setup_find_events(&call->setup, &call->asked);
	if (!err)
		err = sample_setup_finish(&call->setup);
	if (!err)
		err = sampling_create(session->source, &call->setup.config, call->setup.builder,
				      &call->sampling);
	return err || !call->conf->export_perf_data ? err : sample_call_create_file(call);
}

static struct error *sample_call_run(struct sample_call *call)
{
	static char library_name[] = "wperf-lib";
	static char *const command_line[] = {library_name, NULL};
	uint64_t duration_ns = compat_words_ns(call->conf->duration, ROUND_NS);
	struct error *err = sampling_begin(call->sampling, duration_ns);
	if (!err && call->file)
		recording_file_begin(call->file, false);
	bool is_over = false;
	while (!err && !is_over)
		err = sampling_round(call->sampling, ROUND_NS, &is_over);
	if (!err)
		err = sampling_finish(call->sampling);
	if (!err)
		err = sample_setup_symbolizer(&call->setup, &call->symbolizer);
	if (!err)
		err = profile_builder_name(call->setup.builder, call->symbolizer);
	if (!err && call->file)
		err = recording_file_finish(call->file, call->setup.builder, call->symbolizer,
					    command_line);
	return err ? err
		   : profile_builder_finish(call->setup.builder, call->symbolizer, &call->profile);
}

static struct error *fill_tables(struct sample_call *call)
{
	const wchar_t *program = call->conf->image_name;
	if (!program)
		program = call->conf->pe_file;
	const struct sample_tables_request request = {
		.program = compat_text_utf8(&call->words.arena, program),
		.with_lines = call->conf->annotate,
	};
	call->tables = (struct sample_tables)SAMPLE_TABLES_INIT;
	return sample_tables_fill(&call->tables, &request, &call->profile);
}

/** The number that the caller has for an event of the report. */
static uint16_t event_number(const struct sample_call *call, const char *name)
{
	const struct event_list *events = &call->setup.request.events;
	for (size_t i = 0; i < events->num_items; i++)
		if (strcmp(events->items[i].event->name, name) == 0)
			return (uint16_t)events->items[i].event->code;
	return 0;
}

static struct error *add_row(struct sample_call *call, uint16_t event, const struct sample_row *row)
{
	SAMPLE_INFO info = {
		.event = event,
		.count = row->count < UINT32_MAX ? (uint32_t)row->count : UINT32_MAX,
		.overhead = row->overhead,
	};
	struct error *err = compat_items_text(call->items, row->symbol, &info.symbol);
	return err ? err : compat_items_add(call->items, &info);
}

static struct error *add_lines(struct sample_call *call, uint16_t event,
			       const struct sample_function *function)
{
	ANNOTATE_INFO info = {.event = event};
	struct error *err = compat_items_text(call->lines, function->name, &info.symbol);
	for (size_t i = 0; !err && i < function->num_lines; i++) {
		const struct sample_line *line = &function->lines[i];
		info.line_number = (uint32_t)line->line_number;
		info.hits = line->hits;
		err = compat_items_text(call->lines, line->filename, &info.source_file);
		if (!err)
			err = compat_items_add(call->lines, &info);
	}
	return err;
}

static struct error *sample_call_fill_items(struct sample_call *call)
{
	struct error *err = compat_items_create(sizeof(SAMPLE_INFO), &call->items);
	if (!err)
		err = compat_items_create(sizeof(ANNOTATE_INFO), &call->lines);
	if (!err)
		err = fill_tables(call);
	const struct sample_report *report = &call->tables.report;
	for (size_t i = 0; !err && i < report->num_events; i++) {
		const struct sample_event_report *of = &report->events[i];
		uint16_t event = event_number(call, of->type);
		for (size_t k = 0; !err && k < of->num_rows; k++)
			err = add_row(call, event, &of->rows[k]);
		for (size_t k = 0; !err && k < of->num_functions; k++)
			err = add_lines(call, event, &of->functions[k]);
	}
	return err;
}

static struct error *sample_call_publish(struct sample_call *call)
{
	struct sample_totals totals = sampling_state(call->sampling).totals;
	last_stats = (SAMPLE_STATS){
		.sample_generated = totals.num_generated,
		.sample_dropped = totals.num_lost,
	};
	struct error *err = compat_items_publish(COMPAT_SAMPLE, &call->items);
	return err ? err : compat_items_publish(COMPAT_ANNOTATE, &call->lines);
}

static struct error *sample_call_collect(const SAMPLE_CONF *conf, struct session *session)
{
	_cleanup_(sample_call_deinit) struct sample_call call = {.conf = conf};
	struct error *err = sample_call_prepare(&call, session);
	if (!err)
		err = sample_call_run(&call);
	if (!err)
		err = sample_call_fill_items(&call);
	return err ? err : sample_call_publish(&call);
}

bool wperf_sample(PSAMPLE_CONF sample_conf, PSAMPLE_INFO sample_info)
{
	if (sample_info)
		return compat_library_give(COMPAT_SAMPLE, sample_conf, sample_info);
	struct session *session;
	struct error *err = compat_library_enter(&session);
	if (!err)
		err = sample_conf ? sample_call_collect(sample_conf, session)
				  : compat_library_null(__func__);
	return compat_library_leave(err);
}

bool wperf_sample_annotate(PSAMPLE_CONF sample_conf, PANNOTATE_INFO annotate_info)
{
	if (annotate_info)
		return compat_library_give(COMPAT_ANNOTATE, sample_conf, annotate_info);
	struct error *err = compat_library_enter(NULL);
	if (!err)
		err = compat_library_null(__func__);
	return compat_library_leave(err);
}

bool wperf_sample_stats(PSAMPLE_CONF sample_conf, PSAMPLE_STATS sample_stats)
{
	struct session *session;
	struct error *err = compat_library_enter(&session);
	if (!err && (!sample_conf || !sample_stats))
		err = compat_library_null(__func__);
	else if (!err)
		*sample_stats = last_stats;
	return compat_library_leave(err);
}
