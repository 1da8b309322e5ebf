// SPDX-License-Identifier: Apache-2.0

#include "record/etl/etl_reader.h"

#include "record/etl/etl_survey.h"
#include "record/perf_data/event_attr.h"

#include "base/container/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Stacks, PDBs, names of methods and half of what was there at the start stand behind the samples
// that need them. So the first pass (etl_survey.c) keeps those, and the second makes records
// (etl_records.c), beginning with what was there at the start.

enum {
	// Numbers of linux/perf_event.h.
	SOFTWARE_CPU_CLOCK = 0,
	SOFTWARE_DUMMY = 9,
	SOFTWARE_BPF_OUTPUT = 10,
	NS_PER_UNIT = 100,
	USUAL_INTERVAL = 10000,
	CLOCK_OF_RECORDS = 1, // CLOCK_MONOTONIC
	KB_PER_MB = 1024,
	// The timer, the sources, the counters, and four others.
	MOST_EVENTS = ETL_SOURCES_MAX + ETL_SWITCH_COUNTERS + 4,
};

struct etl_reader {
	struct etl_stream *stream;
	struct etl_survey survey;
	struct etl_records records;
	size_t next_presence, next_late, next_item;
	struct perf_data_event events[MOST_EVENTS];
	uint64_t ids[MOST_EVENTS];
	size_t num_events;
	struct perf_data_pdb *pdbs;
	size_t num_pdbs, cap_pdbs;
	char release[32];
	struct perf_data_info info;
};

/** @attr: type, code and period. Its index comes back. */
static uint32_t etl_reader_add_event(struct etl_reader *reader, const char *name, uint32_t type,
				     uint64_t code, uint64_t period)
{
	uint32_t index = (uint32_t)reader->num_events++;
	struct perf_data_event *event = &reader->events[index];
	event->name = name;
	event->attr_size = event_attr_set_raw(event->attr, &(struct event_attr_raw){
								   .type = type,
								   .code = code,
								   .period = period,
								   // Only those of DPCs
								   // and interrupts are kept.
								   .excludes_idle = true,
								   .clock = CLOCK_OF_RECORDS,
							   });
	reader->ids[index] = index + 1;
	event->ids = &reader->ids[index];
	event->num_ids = 1;
	return index;
}

static uint32_t etl_reader_add_software(struct etl_reader *reader, bool is_there, const char *name,
					uint64_t code)
{
	return is_there ? etl_reader_add_event(reader, name, EVENT_ATTR_SOFTWARE, code, 1)
			: ETL_EVENT_NONE;
}

static struct error *etl_reader_name(struct etl_reader *reader, const char *format,
				     const char *name, uint32_t number, const char **ret)
{
	char text[256];
	snprintf(text, sizeof(text), format, name, number);
	uint32_t id;
	struct error *err = string_table_intern(&reader->survey.modules.strings, text, &id);
	if (!err)
		*ret = string_table_get(&reader->survey.modules.strings, id);
	return err;
}

static struct error *etl_reader_add_sources(struct etl_reader *reader, struct etl_events *events)
{
	struct etl_survey *survey = &reader->survey;
	for (size_t i = 0; i < survey->num_sources; i++) {
		struct etl_survey_source *source = &survey->sources[i];
		bool is_timer = source->source == 0;
		if (source->interval)
			etl_records_set_rate(&reader->records, source->source, source->interval);
		if (!source->has_samples)
			continue;
		struct error *err = source->name ? NULL
						 : etl_reader_name(reader, "%s%u", "source",
								   source->source, &source->name);
		if (err)
			return err;
		uint64_t interval = source->interval;
		if (is_timer)
			interval = (interval ? interval : USUAL_INTERVAL) * NS_PER_UNIT;
		uint32_t event = etl_reader_add_event(
			reader, source->name, is_timer ? EVENT_ATTR_SOFTWARE : 0,
			is_timer ? SOFTWARE_CPU_CLOCK : source->source, interval);
		if (is_timer)
			events->clock = event;
		events->sources[events->num_sources++] =
			(struct etl_source_event){source->source, event};
	}
	return NULL;
}

static bool etl_reader_has_event(const struct etl_reader *reader, const char *name)
{
	for (size_t i = 0; i < reader->num_events; i++) {
		if (!strcmp(reader->events[i].name, name))
			return true;
	}
	return false;
}

static struct error *etl_reader_add_counters(struct etl_reader *reader, struct etl_events *events)
{
	const struct etl_survey *survey = &reader->survey;
	events->first_counter = (uint32_t)reader->num_events;
	for (uint32_t i = 0; survey->has_counts && i < survey->num_counters; i++) {
		const char *name = survey->counters[i];
		// Samples of the same source would be added to its counts.
		struct error *err = etl_reader_has_event(reader, name)
					    ? etl_reader_name(reader, "%s:counts", name, 0, &name)
					    : NULL;
		if (err)
			return err;
		etl_reader_add_event(reader, name, 0, i, 1);
		events->num_counters++;
	}
	return NULL;
}

static struct error *etl_reader_make_events(struct etl_reader *reader)
{
	const struct etl_survey *survey = &reader->survey;
	struct etl_events *events = &reader->records.events;
	*events = (struct etl_events)ETL_EVENTS_INIT;
	struct error *err = etl_reader_add_sources(reader, events);
	if (err)
		return err;
	events->off_cpu = etl_reader_add_software(reader, survey->has_switches, "offcpu-time",
						  SOFTWARE_BPF_OUTPUT);
	events->wakeups =
		etl_reader_add_software(reader, survey->has_wakeups, "wakeups", SOFTWARE_DUMMY);
	events->dpc = etl_reader_add_software(reader, survey->has_dpcs, "dpc", SOFTWARE_BPF_OUTPUT);
	events->isr = etl_reader_add_software(reader, survey->has_isrs, "isr", SOFTWARE_BPF_OUTPUT);
	err = etl_reader_add_counters(reader, events);
	// A recording of something else: its files have no event, which readers do not expect.
	if (!err && reader->num_events == 0)
		events->clock =
			etl_reader_add_event(reader, "cpu-clock", EVENT_ATTR_SOFTWARE,
					     SOFTWARE_CPU_CLOCK, USUAL_INTERVAL * NS_PER_UNIT);
	return err;
}

static int compare_pdbs(const void *a, const void *b)
{
	const struct perf_data_pdb *first = a, *second = b;
	int difference = strcmp(first->path, second->path);
	if (!difference)
		difference = memcmp(&first->build_id, &second->build_id, sizeof(first->build_id));
	if (!difference && first->age != second->age)
		difference = first->age < second->age ? -1 : 1;
	return difference;
}

/** The same image in many processes is one. */
static void etl_reader_sort_pdbs(struct etl_reader *reader)
{
	struct perf_data_pdb *pdbs = reader->pdbs;
	size_t num = 0;
	if (reader->num_pdbs)
		qsort(pdbs, reader->num_pdbs, sizeof(*pdbs), compare_pdbs);
	for (size_t i = 0; i < reader->num_pdbs; i++) {
		if (num && !compare_pdbs(&pdbs[num - 1], &pdbs[i])) {
			if (!pdbs[num - 1].image_time)
				pdbs[num - 1].image_time = pdbs[i].image_time;
			continue;
		}
		pdbs[num++] = pdbs[i];
	}
	reader->num_pdbs = num;
}

static struct error *etl_reader_make_pdbs(struct etl_reader *reader)
{
	struct etl_survey *survey = &reader->survey;
	struct error *err = array_reserve(&reader->pdbs, &reader->cap_pdbs, survey->num_images);
	for (size_t i = 0; !err && i < survey->num_images; i++) {
		const struct etl_survey_image *image = &survey->images[i];
		struct perf_data_pdb pdb = {
			.image_time = image->time_stamp,
			.image_size = image->size,
		};
		err = etl_modules_path(&survey->modules, image->name, &pdb.path);
		const struct etl_module_id *id = etl_modules_find_id(&survey->modules, image->pid,
								     image->base, image->time_ns);
		if (id) {
			pdb.build_id = id->build_id;
			pdb.age = id->age;
			pdb.name = id->pdb;
		}
		if (!err)
			reader->pdbs[reader->num_pdbs++] = pdb;
	}
	if (!err)
		etl_reader_sort_pdbs(reader);
	return err;
}

static const char *etl_machine_name(uint32_t architecture)
{
	switch (architecture) {
	case ETL_MACHINE_X86:
		return "i686";
	case ETL_MACHINE_ARM:
		return "arm";
	case ETL_MACHINE_X64:
		return "x86_64";
	case ETL_MACHINE_ARM64:
		return "aarch64";
	default:
		return NULL;
	}
}

static void etl_reader_make_info(struct etl_reader *reader)
{
	const struct etl_survey *survey = &reader->survey;
	const struct etl_stream_facts *facts = etl_stream_facts(reader->stream);
	snprintf(reader->release, sizeof(reader->release), "Windows %u.%u.%u", facts->major,
		 facts->minor, facts->build);
	reader->info = (struct perf_data_info){
		.host = survey->machine.host,
		.system_release = reader->release,
		.machine = etl_machine_name(survey->machine.architecture),
		.cpu_description = survey->machine.name,
		.cpu_id = survey->machine.identifier,
		.cpus_available = facts->num_cpus,
		.cpus_online = facts->num_cpus,
		.total_memory_kb = (uint64_t)survey->machine.memory_mb * KB_PER_MB,
		.events = reader->events,
		.num_events = reader->num_events,
		.pdbs = reader->pdbs,
		.num_pdbs = reader->num_pdbs,
		.methods = survey->methods,
		.num_methods = survey->num_methods,
		.first_time_ns = survey->first_time_ns,
		.last_time_ns = survey->last_time_ns,
		.clock_id = CLOCK_OF_RECORDS,
		.clock_ns = facts->start_ns,
		.wall_ns = facts->start_wall_ns,
	};
}

static struct error *etl_reader_prepare(struct etl_reader *reader)
{
	struct error *err = etl_survey_walk(&reader->survey, reader->stream);
	if (!err)
		err = etl_reader_make_events(reader);
	if (!err)
		err = etl_reader_make_pdbs(reader);
	if (!err)
		err = etl_stream_restart(reader->stream);
	if (err)
		return err;
	reader->records.modules = &reader->survey.modules;
	reader->records.width = reader->survey.stacks.width;
	reader->records.start_ns = etl_stream_facts(reader->stream)->start_ns;
	etl_reader_make_info(reader);
	return NULL;
}

struct error *etl_reader_create(struct etl_stream *stream, struct etl_reader **ret)
{
	_cleanup_(etl_reader_destroyp) struct etl_reader *reader = calloc(1, sizeof(*reader));
	if (!reader) {
		etl_stream_destroy(stream);
		return &error_no_memory;
	}
	*reader = (struct etl_reader){
		.stream = stream,
		.survey = ETL_SURVEY_INIT,
		.records = ETL_RECORDS_INIT,
	};
	struct error *err = etl_reader_prepare(reader);
	if (!err)
		*ret = take_ptr(reader);
	return err;
}

const struct perf_data_info *etl_reader_info(const struct etl_reader *reader)
{
	return &reader->info;
}

void etl_reader_set_events(struct etl_reader *reader, const struct etl_events *events)
{
	reader->records.events = *events;
}

/** Records of the next event, or of the next that was there at the start, or when the process
 *  began whose record was the last. */
static struct error *etl_reader_fill(struct etl_reader *reader, bool *ret_more)
{
	const struct etl_rundown *rundown = &reader->survey.rundown;
	struct etl_event event;
	reader->next_item = 0;
	if (reader->next_presence < 2 * rundown->num_items) {
		// Processes first: their threads have their names.
		bool is_process_turn = reader->next_presence < rundown->num_items;
		const struct etl_presence *item =
			&rundown->items[reader->next_presence++ % rundown->num_items];
		bool is_process = item->kind == ETL_PRESENCE_PROCESS;
		reader->records.num_items = 0;
		*ret_more = true;
		return is_process == is_process_turn && etl_presence_is_of_start(item)
			       ? etl_records_take_presence(&reader->records, item)
			       : NULL;
	}
	if (reader->next_late < rundown->num_late &&
	    rundown->late[reader->next_late].process_begin <= reader->records.num_process_begins) {
		*ret_more = true;
		return etl_records_take_presence(&reader->records,
						 &rundown->late[reader->next_late++]);
	}
	struct error *err = etl_stream_next(reader->stream, &event, ret_more);
	return err || !*ret_more ? err : etl_records_take(&reader->records, &event);
}

struct error *etl_reader_next(struct etl_reader *reader, struct record *ret, bool *ret_more)
{
	bool more = true;
	while (reader->next_item == reader->records.num_items && more) {
		struct error *err = etl_reader_fill(reader, &more);
		if (err)
			return err;
	}
	*ret_more = more;
	if (!more) {
		reader->records.num_items = reader->next_item = 0;
		return NULL;
	}
	struct etl_record *item = &reader->records.items[reader->next_item++];
	if (item->has_stack) {
		const uint64_t *chain;
		size_t length;
		struct error *err =
			etl_stacks_find(&reader->survey.stacks, item->record.time_ns,
					item->record.tid, item->record.sample.ip, &chain, &length);
		if (err)
			return err;
		etl_record_set_chain(&item->record, chain, length);
	}
	*ret = item->record;
	return NULL;
}

struct etl_reader_notes etl_reader_notes(const struct etl_reader *reader)
{
	const struct etl_stream_facts *facts = etl_stream_facts(reader->stream);
	const struct etl_survey *survey = &reader->survey;
	uint64_t events = survey->num_lost_events, buffers = survey->num_lost_buffers;
	return (struct etl_reader_notes){
		.damage = etl_stream_damage(reader->stream),
		// The header sums up what such events say one by one.
		.events_lost = facts->events_lost > events ? facts->events_lost : events,
		.buffers_lost = facts->buffers_lost > buffers ? facts->buffers_lost : buffers,
		.bad_payloads = reader->records.num_bad + survey->num_bad,
		.num_idle = reader->records.num_idle,
		.num_stacks_unknown = survey->stacks.num_unknown,
		.num_stacks_left_out = survey->stacks.num_left_out,
		.num_stacks_unmatched = etl_stacks_num_unmatched(&survey->stacks),
	};
}

struct etl_stream_position etl_reader_position(const struct etl_reader *reader)
{
	return etl_stream_position(reader->stream);
}

bool etl_reader_is_own(const struct etl_reader *reader)
{
	return etl_stream_is_own(reader->stream);
}

void etl_reader_destroy(struct etl_reader *reader)
{
	if (!reader)
		return;
	etl_records_deinit(&reader->records);
	etl_survey_deinit(&reader->survey);
	free(reader->pdbs);
	etl_stream_destroy(reader->stream);
	free(reader);
}
