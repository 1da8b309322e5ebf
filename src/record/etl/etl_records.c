// SPDX-License-Identifier: Apache-2.0

#include "record/etl/etl_records.h"

#include "base/container/array.h"

#include <stdlib.h>

// A sample says its thread but not its process: the table of threads at its time does.
//
// A process of Windows has no first thread with its number. Its name and its end are recorded as of
// thread "pid", which no thread has at the same time, because both kinds of numbers come from one
// table of the kernel. A new process gets the maps of its parent by RECORD_FORK; Windows' have
// none, so that an exec follows.

enum {
	TIMER = 0, // a source
	USUAL_INTERVAL = 10000,
	NS_PER_INTERVAL = 100,
};

static struct error *etl_records_add(struct etl_records *records, const struct record *record,
				     bool has_stack)
{
	struct error *err =
		array_reserve(&records->items, &records->cap_items, records->num_items + 1);
	if (!err)
		records->items[records->num_items++] = (struct etl_record){*record, has_stack};
	return err;
}

uint32_t etl_records_pid(const struct etl_records *records, uint32_t tid)
{
	return tid ? running_threads_find(&records->threads, tid).pid : 0;
}

void etl_records_set_rate(struct etl_records *records, uint32_t source, uint32_t interval)
{
	size_t i = 0;
	while (i < records->num_rates && records->rates[i].source != source)
		i++;
	if (i == ETL_SOURCES_MAX)
		return;
	records->rates[i] = (struct etl_rate){source, interval};
	if (i == records->num_rates)
		records->num_rates++;
}

void etl_records_expect_rate(struct etl_records *records, uint32_t source, uint32_t interval)
{
	for (size_t i = 0; i < records->num_rates; i++) {
		if (records->rates[i].source == source)
			return;
	}
	etl_records_set_rate(records, source, interval);
}

static uint64_t etl_records_period(const struct etl_records *records, uint32_t source)
{
	uint64_t interval = source == TIMER ? USUAL_INTERVAL : 0;
	for (size_t i = 0; i < records->num_rates; i++) {
		if (records->rates[i].source == source)
			interval = records->rates[i].interval;
	}
	return source == TIMER ? interval * NS_PER_INTERVAL : interval;
}

static enum record_mode etl_mode_of(uint64_t address)
{
	return record_is_kernel_address(address) ? RECORD_MODE_KERNEL : RECORD_MODE_USER;
}

static struct error *etl_records_add_sample(struct etl_records *records,
					    const struct etl_event *event, uint32_t index,
					    uint32_t tid, uint64_t ip, uint64_t period)
{
	if (index == ETL_EVENT_NONE)
		return NULL;
	const struct record record = {
		.kind = RECORD_SAMPLE,
		.mode = ip ? etl_mode_of(ip) : RECORD_MODE_UNKNOWN,
		.pid = etl_records_pid(records, tid),
		.tid = tid,
		.time_ns = event->time_ns,
		.cpu = event->cpu,
		.event = index,
		.sample = {.ip = ip, .period = period},
	};
	return etl_records_add(records, &record, true);
}

void etl_record_set_chain(struct record *record, const uint64_t *chain, size_t length)
{
	struct record_sample *sample = &record->sample;
	sample->chain = length ? chain : NULL;
	sample->chain_length = length;
	for (size_t i = 0; !sample->ip && i < length; i++) {
		if (chain[i] >= RECORD_CONTEXT_MAX)
			continue;
		sample->ip = chain[i];
		record->mode = etl_mode_of(chain[i]);
	}
}

static struct error *etl_records_add_comm(struct etl_records *records, const struct record *of,
					  const char *name, bool is_exec)
{
	struct record record = *of;
	record.kind = RECORD_COMM;
	record.comm = (struct record_comm){.name = name, .is_exec = is_exec};
	return name ? etl_records_add(records, &record, false) : NULL;
}

static struct error *etl_records_add_process(struct etl_records *records,
					     const struct etl_presence *presence, uint32_t life)
{
	struct record record = {
		.kind = life == ETL_BEGIN ? RECORD_FORK : RECORD_EXIT,
		.pid = presence->pid,
		.tid = presence->pid,
		.time_ns = presence->time_ns,
		.cpu = UINT32_MAX,
		.task = {.parent_pid = presence->tid, .parent_tid = presence->tid},
	};
	bool is_begin = life == ETL_BEGIN, is_end = life == ETL_END;
	if (is_begin) {
		records->num_process_begins++;
		records->process_begin_ns = presence->time_ns;
	}
	struct error *err = is_begin || is_end ? etl_records_add(records, &record, false) : NULL;
	if (err || is_end)
		return err;
	// Also without a name: the maps of the parent have to go.
	const char *name = presence->name || !is_begin ? presence->name : "";
	return etl_records_add_comm(records, &record, name, is_begin);
}

static struct error *etl_records_add_thread(struct etl_records *records,
					    const struct etl_presence *presence, uint32_t life)
{
	const struct running_thread thread = {presence->pid, presence->tid};
	struct record record = {
		.kind = life == ETL_END ? RECORD_EXIT : RECORD_FORK,
		.pid = presence->pid,
		.tid = presence->tid,
		.time_ns = presence->time_ns,
		.cpu = UINT32_MAX,
		.task = {.parent_pid = presence->pid, .parent_tid = presence->pid},
	};
	if (life == ETL_BEGIN || life == ETL_END)
		etl_switches_forget(&records->switches, presence->tid);
	if (life == ETL_END)
		return etl_records_add(records, &record, false);
	struct error *err = running_threads_add(&records->threads, thread);
	// Also of those that were there at the start: they get the name of their process.
	if (!err)
		err = etl_records_add(records, &record, false);
	return err ? err : etl_records_add_comm(records, &record, presence->name, false);
}

static struct error *etl_records_add_image(struct etl_records *records,
					   const struct etl_presence *presence, uint32_t life)
{
	// What is unloaded stays until something else is mapped in its place: samples of it may
	// still come.
	if (life == ETL_END || !presence->name)
		return NULL;
	const char *path;
	struct error *err = etl_modules_path(records->modules, presence->name, &path);
	if (err)
		return err;
	const struct etl_module_id *id = etl_modules_find_id(records->modules, presence->pid,
							     presence->base, presence->time_ns);
	uint64_t base = etl_address(records->width, presence->base);
	bool is_kernel = record_is_kernel_address(base);
	const struct record record = {
		.kind = RECORD_MAP,
		.mode = is_kernel ? RECORD_MODE_KERNEL : RECORD_MODE_USER,
		.pid = is_kernel ? UINT32_MAX : presence->pid,
		.tid = is_kernel ? 0 : presence->pid,
		.time_ns = presence->time_ns,
		.cpu = UINT32_MAX,
		.map =
			{
				.start = base,
				.length = presence->size,
				.path = path,
				.is_executable = true,
				.build_id = id ? id->build_id : (struct record_build_id){0},
			},
	};
	return etl_records_add(records, &record, false);
}

static struct error *etl_records_add_presence(struct etl_records *records,
					      const struct etl_presence *presence, uint32_t life)
{
	switch (presence->kind) {
	case ETL_PRESENCE_PROCESS:
		return etl_records_add_process(records, presence, life);
	case ETL_PRESENCE_THREAD:
		return etl_records_add_thread(records, presence, life);
	default:
		return etl_records_add_image(records, presence, life);
	}
}

struct error *etl_records_take_presence(struct etl_records *records,
					const struct etl_presence *presence)
{
	// The event's own time finds the PDB; the record's is the begin.
	records->num_items = 0;
	struct error *err = etl_records_add_presence(records, presence, ETL_THERE_AT_START);
	bool is_late = presence->kind == ETL_PRESENCE_IMAGE && presence->process_begin;
	uint64_t time_ns = is_late ? records->process_begin_ns : records->start_ns;
	for (size_t i = 0; i < records->num_items; i++)
		records->items[i].record.time_ns = time_ns;
	return err;
}

static struct error *etl_records_note_life(struct etl_records *records,
					   const struct etl_presence *presence, uint32_t life)
{
	// Of the lists at the start and at the end etl_records_take_presence() is told.
	bool is_change = life == ETL_BEGIN || life == ETL_END;
	return is_change ? etl_records_add_presence(records, presence, life) : NULL;
}

bool etl_sample_is_idle(const struct etl_event *event, const struct etl_sample *sample)
{
	return event->opcode == ETL_SAMPLE && sample->tid == 0 && !sample->in_interrupt;
}

static uint32_t etl_records_source_event(const struct etl_records *records, uint32_t source)
{
	for (size_t i = 0; i < records->events.num_sources; i++) {
		if (records->events.sources[i].source == source)
			return records->events.sources[i].event;
	}
	return ETL_EVENT_NONE;
}

static struct error *etl_records_take_sample(struct etl_records *records,
					     const struct etl_event *event)
{
	struct etl_sample sample;
	if (!etl_payload_sample(event, &sample)) {
		records->num_bad++;
		return NULL;
	}
	if (etl_sample_is_idle(event, &sample)) {
		records->num_idle++;
		return NULL;
	}
	bool is_timer = event->opcode == ETL_SAMPLE;
	return etl_records_add_sample(
		records, event,
		is_timer ? records->events.clock : etl_records_source_event(records, sample.source),
		sample.tid, etl_address(records->width, sample.ip),
		etl_records_period(records, is_timer ? TIMER : sample.source));
}

static struct error *etl_records_take_interrupt(struct etl_records *records,
						const struct etl_event *event)
{
	struct etl_interrupt interrupt;
	if (!etl_payload_interrupt(event, &interrupt)) {
		records->num_bad++;
		return NULL;
	}
	// It ran on top of some thread; without context switches nobody says which.
	uint32_t tid = etl_switches_on(&records->switches, event->cpu);
	return etl_records_add_sample(
		records, event,
		event->opcode == ETL_ISR ? records->events.isr : records->events.dpc,
		tid == ETL_NO_ID ? 0 : tid, etl_address(records->width, interrupt.routine),
		event->time_ns - interrupt.began_ns);
}

static struct error *etl_records_take_interval(struct etl_records *records,
					       const struct etl_event *event)
{
	struct etl_interval interval;
	if (etl_payload_interval(event, &interval))
		etl_records_set_rate(records, interval.source, interval.interval);
	else
		records->num_bad++;
	return NULL;
}

static struct error *etl_records_take_perfinfo(struct etl_records *records,
					       const struct etl_event *event)
{
	switch (event->opcode) {
	case ETL_SAMPLE:
	case ETL_COUNTER_SAMPLE:
		return etl_records_take_sample(records, event);
	case ETL_INTERVAL_SET:
	case ETL_INTERVAL_BEGIN:
		return etl_records_take_interval(records, event);
	case ETL_DPC:
	case ETL_THREAD_DPC:
	case ETL_TIMER_DPC:
	case ETL_ISR:
		return etl_records_take_interrupt(records, event);
	default:
		return NULL;
	}
}

static struct error *etl_records_add_counts(struct etl_records *records,
					    const struct etl_event *event, uint32_t tid,
					    const struct etl_switch_change *change)
{
	const struct etl_events *events = &records->events;
	struct error *err = NULL;
	for (uint32_t i = 0; !err && i < change->num_counts && i < events->num_counters; i++) {
		if (!change->counts[i])
			continue;
		err = etl_records_add_sample(records, event, events->first_counter + i, tid, 0,
					     change->counts[i]);
		if (!err)
			records->items[records->num_items - 1].has_stack = false;
	}
	return err;
}

static struct error *etl_records_take_switch(struct etl_records *records,
					     const struct etl_event *event)
{
	struct etl_switch payload;
	struct etl_switch_change change;
	if (!etl_payload_switch(event, &payload)) {
		records->num_bad++;
		return NULL;
	}
	struct error *err = etl_switches_apply(&records->switches, event, &payload, &change);
	if (!err && (payload.old_tid || records->events.counts_idle))
		err = etl_records_add_counts(records, event, payload.old_tid, &change);
	if (!err && change.away_ns)
		err = etl_records_add_sample(records, event, records->events.off_cpu,
					     payload.new_tid, 0, change.away_ns);
	return err;
}

static struct error *etl_records_take_ready(struct etl_records *records,
					    const struct etl_event *event)
{
	uint32_t ready;
	if (!etl_payload_ready(event, &ready)) {
		records->num_bad++;
		return NULL;
	}
	uint32_t tid = event->tid != ETL_NO_ID ? event->tid
					       : etl_switches_on(&records->switches, event->cpu);
	if (tid == ETL_NO_ID)
		return NULL;
	return etl_records_add_sample(records, event, records->events.wakeups, tid, 0, 1);
}

static struct error *etl_records_take_name(struct etl_records *records,
					   const struct etl_event *event)
{
	struct etl_thread thread;
	if (!etl_payload_thread_name(event, &thread)) {
		records->num_bad++;
		return NULL;
	}
	const struct record record = {
		.pid = thread.pid,
		.tid = thread.tid,
		.time_ns = event->time_ns,
		.cpu = event->cpu,
	};
	const char *name;
	struct error *err = etl_modules_text(records->modules, thread.name, &name);
	return err || !*name ? err : etl_records_add_comm(records, &record, name, false);
}

static struct error *etl_records_take_thread(struct etl_records *records,
					     const struct etl_event *event)
{
	switch (event->opcode) {
	case ETL_THREAD_SWITCH:
		return etl_records_take_switch(records, event);
	case ETL_THREAD_READY:
		return etl_records_take_ready(records, event);
	case ETL_THREAD_NAME:
		return etl_records_take_name(records, event);
	default:
		return NULL;
	}
}

struct error *etl_records_take(struct etl_records *records, const struct etl_event *event)
{
	struct etl_presence presence;
	uint32_t life;
	bool is_one, is_bad;
	records->num_items = 0;
	if (event->class == ETL_CLASS_PERFINFO)
		return etl_records_take_perfinfo(records, event);
	struct error *err =
		etl_presence_read(event, records->modules, &presence, &life, &is_one, &is_bad);
	if (err)
		return err;
	records->num_bad += is_bad;
	if (is_one)
		return etl_records_note_life(records, &presence, life);
	return event->class == ETL_CLASS_THREAD ? etl_records_take_thread(records, event) : NULL;
}

void etl_records_deinit(struct etl_records *records)
{
	running_threads_deinit(&records->threads);
	etl_switches_deinit(&records->switches);
	free(records->items);
	*records = (struct etl_records)ETL_RECORDS_INIT;
}
