// SPDX-License-Identifier: Apache-2.0
// A count, or a timeline of counts with its CSV files, as `wperf stat` does them. The items of a
// count stand core by core in the order of the configuration: the cycle counter first, then single
// events, groups and metrics, without the padding between them.

#include "library/compat/compat_library.h"
#include "library/compat/compat_words.h"
#include "report/stat/stat_progress.h"
#include "report/stat/stat_tables.h"
#include "report/stat/stat_timeline.h"
#include "session/setup/count_setup.h"

#include <stdio.h>
#include <string.h>

enum {
	FIXED_CYCLES = 0xffff, // as the number of an event
	NS_PER_MS = 1000000,
	DURATION_UNIT_NS = 100 * NS_PER_MS,
	INTERVAL_UNIT_NS = 500 * NS_PER_MS,
};

/** A run of wperf_stat(). */
struct stat_call {
	const STAT_CONF *conf;
	struct compat_words words;
	struct count_request asked;
	struct count_setup setup;
	struct stat_tables tables;
	struct counting *counting;
	struct compat_items *items;
};

static void stat_call_deinit(struct stat_call *call)
{
	stat_tables_deinit(&call->tables);
	counting_destroy(call->counting);
	count_setup_deinit(&call->setup);
	compat_words_deinit(&call->words);
	compat_items_destroy(call->items);
}

/** "e", "g0", "e,imix", "g0,imix": see placement_note(). */
static struct error *read_note(const char *text, struct compat_items *items, EVENT_NOTE *ret)
{
	unsigned group = 0;
	const char *metric = text ? strchr(text, ',') : NULL;
	*ret = (EVENT_NOTE){.type = NORMAL_EVT_NOTE};
	if (text)
		sscanf(text, "g%u", &group);
	if (metric) {
		ret->type = METRIC_EVT_NOTE;
		ret->note.metric_note.group_id = (uint16_t)group;
		return compat_items_text(items, metric + 1, &ret->note.metric_note.name);
	}
	if (text && *text == 'g') {
		ret->type = GROUP_EVT_NOTE;
		ret->note.group_note.group_id = (uint16_t)group;
	}
	return NULL;
}

static struct error *add_count(struct stat_call *call, const struct stat_section *section,
			       size_t unit, size_t column)
{
	const struct stat_event *event = &section->events[column];
	const struct count *count = count_set_at(section->counts, unit, column);
	// Of a program the unit is the process, on the core that it was bound to.
	bool is_core = section->counts->unit_kind == COUNT_UNIT_CORE;
	uint8_t first_core = call->conf->num_cores ? call->conf->cores[0] : 0;
	STAT_INFO info = {
		.core_idx = is_core ? (uint8_t)section->counts->units[unit] : first_core,
		.counter_value = count->value,
		.event_idx = event->is_fixed ? FIXED_CYCLES : (uint16_t)event->code,
		.multiplexed_scheduled = count->scheduled,
		.multiplexed_round = count->total,
		.scaled_value = count_scaled(count),
	};
	struct error *err = read_note(event->note, call->items, &info.evt_note);
	return err ? err : compat_items_add(call->items, &info);
}

/** What an event is counted for decides where it stands. */
static int rank_of(const struct stat_event *event)
{
	enum { CYCLES, SINGLE, GROUP, METRIC };
	if (event->is_fixed)
		return CYCLES;
	if (event->note && strchr(event->note, ','))
		return METRIC;
	return event->note && *event->note == 'g' ? GROUP : SINGLE;
}

static struct error *add_unit(struct stat_call *call, const struct stat_section *section,
			      size_t unit)
{
	enum { NUM_RANKS = 4 };
	struct error *err = NULL;
	for (int rank = 0; rank < NUM_RANKS; rank++)
		for (size_t i = 0; !err && i < section->num_events; i++)
			if (!section->events[i].is_hidden && rank_of(&section->events[i]) == rank)
				err = add_count(call, section, unit, i);
	return err;
}

static struct error *add_section(struct stat_call *call, const struct stat_section *section)
{
	const STAT_CONF *conf = call->conf;
	const struct count_set *counts = section->counts;
	bool by_order = conf->num_cores && counts->unit_kind == COUNT_UNIT_CORE;
	struct error *err = NULL;
	for (size_t unit = 0; !err && !by_order && unit < counts->num_units; unit++)
		err = add_unit(call, section, unit);
	for (int i = 0; by_order && i < conf->num_cores; i++)
		for (size_t unit = 0; !err && unit < counts->num_units; unit++)
			if (counts->units[unit] == conf->cores[i])
				err = add_unit(call, section, unit);
	return err;
}

static struct error *stat_call_note_count(void *data, const struct stat_report *report)
{
	struct stat_call *call = data;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < report->num_sections; i++) {
		enum event_class event_class = report->sections[i].event_class;
		if (event_class == EVENT_CORE || event_class == EVENT_PERF)
			err = add_section(call, &report->sections[i]);
	}
	return err;
}

static struct error *stat_call_choose_program(struct stat_call *call)
{
	const STAT_CONF *conf = call->conf;
	if (!conf->pe_file)
		return NULL;
	if (conf->num_cores > 1)
		return error_with_hint(error_create(ERROR_USAGE,
						    "a program runs on one core, and "
						    "there are %d",
						    conf->num_cores),
				       "name one core");
	call->asked.delay_ns = (uint64_t)conf->record_spawn_delay * NS_PER_MS;
	return compat_words_of_program(&call->words, conf->pe_file, conf->record_commandline,
				       &call->asked.command);
}

static struct error *stat_call_prepare(struct stat_call *call, struct session *session)
{
	const STAT_CONF *conf = call->conf;
	call->setup.session = session;
	struct error *err = compat_words_of_stat(&call->words, conf);
	call->asked = (struct count_request){
		.words = call->words.words,
		.only_named = true,
		.kernel = conf->kernel_mode,
		.channel = COUNT_ALL_CHANNELS,
		.is_endless = !compat_words_ns(conf->duration, DURATION_UNIT_NS),
	};
	if (!err)
		err = stat_call_choose_program(call);
	if (!err)
		err = count_setup_find_events(&call->setup, &call->asked);
	if (!err)
		err = count_setup_finish(&call->setup);
	if (!err)
		err = stat_tables_create(session, &call->setup.request,
					 call->setup.config.plan.kernel, 3, call->setup.target_name,
					 true, &call->tables);
	if (!err)
		err = compat_items_create(sizeof(STAT_INFO), &call->items);
	return err ? err : counting_create(session->source, &call->setup.config, &call->counting);
}

static struct error *count_once(struct stat_call *call, uint64_t duration_ns)
{
	_cleanup_(counting_result_deinit) struct counting_result result = COUNTING_RESULT_INIT;
	struct error *err = counting_begin(call->counting, duration_ns);
	if (!err)
		err = stat_progress_wait(call->counting, NULL);
	if (!err)
		err = counting_finish(call->counting, &result);
	if (!err)
		err = stat_tables_fill(&call->tables, &result);
	return err ? err : stat_call_note_count(call, &call->tables.report);
}

static struct error *stat_call_run(struct stat_call *call)
{
	const STAT_CONF *conf = call->conf;
	uint64_t duration_ns = compat_words_ns(conf->duration, DURATION_UNIT_NS);
	if (!conf->timeline)
		return count_once(call, duration_ns);
	const struct stat_timeline_request request = {
		.duration_ns = duration_ns,
		.interval_ns = compat_words_ns(conf->counting_interval, INTERVAL_UNIT_NS),
		.count = conf->count_timeline > 0 ? (uint32_t)conf->count_timeline : 0,
		.tells_files = compat_library_is_verbose(),
		.writes_csv = true,
		.output = {.is_quiet = true},
		.note_count = stat_call_note_count,
		.data = call,
	};
	return stat_timeline(&request, call->counting, &call->tables, NULL);
}

static struct error *stat_call_collect(const STAT_CONF *conf, struct session *session)
{
	_cleanup_(stat_call_deinit) struct stat_call call = {.conf = conf};
	struct error *err = stat_call_prepare(&call, session);
	if (!err)
		err = stat_call_run(&call);
	return err ? err : compat_items_publish(COMPAT_STAT, &call.items);
}

bool wperf_stat(PSTAT_CONF stat_conf, PSTAT_INFO stat_info)
{
	if (stat_info)
		return compat_library_give(COMPAT_STAT, stat_conf, stat_info);
	struct session *session;
	struct error *err = compat_library_enter(&session);
	if (!err)
		err = stat_conf ? stat_call_collect(stat_conf, session)
				: compat_library_null(__func__);
	return compat_library_leave(err);
}
