// SPDX-License-Identifier: Apache-2.0

#include "session/recorder/recorder.h"

#include "base/container/array.h"
#include "base/file/file_path.h"
#include "base/os/clock.h"
#include "record/perf_data/event_attr.h"
#include "record/perf_data/event_table.h"
#include "record/perf_data/perf_data_writer.h"
#include "record/perf_data/record_encoder.h"
#include "session/recorder/file_state.h"
#include "session/recorder/part_names.h"
#include "session/recorder/process_state.h"
#include "session/recorder/record_ring.h"
#include "session/recorder/ring_snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// recorder_add() with a ring: the record gets the bytes that it would have in a file, and goes into
// the ring; recorder_drop() lets the oldest ones go until there is room. A record of a process that
// is dropped is applied to `before`, so that this table and the ring together always are all that a
// file needs. recorder_round() drops what is too old, and has a snapshot written in pieces.
//
// Without a ring, the record goes into the current file and to `modules`, whose table of processes
// is what the next file begins with.
//
// A file that cannot be written is reported as a part, and the recording goes on: the next one may
// have a place. What the file has by then is kept. While there is none, records only go to
// `modules`.

enum {
	// Of a round, for a snapshot that is being written: kernels' buffers hold more.
	SNAPSHOT_NS = 10000000,
	// Before the next file, if one cannot be written.
	RETRY_NS = 1000000000,
};

struct recorder {
	struct recorder_config config;
	struct part_names names;
	struct event_table events; /* as files have them: what the ring's bytes are decoded with */
	struct perf_formats formats;
	bool is_asked;
	bool has_places; /* some process has an interpreter */
	struct recorder_part *parts;
	size_t num_parts, cap_parts, num_taken;
	/* with a ring */
	struct record_ring *ring;
	struct process_table before; /* as of the oldest record in the ring */
	uint64_t num_let_go;
	bool lacked_room;
	struct ring_snapshot *snapshot; /* that is being written; or NULL */
	char *snapshot_path;
	bool snapshot_lacked_room;
	uint64_t words[RECORD_ENCODER_MAX_WORDS];
	/* without */
	struct recording_file *file; /* NULL for a while: it could not be created */
	bool is_placed;
	bool keeps_old; /* of the next file */
	struct used_modules modules;
	uint64_t part_began_ns, num_samples, first_time_ns, last_time_ns;
};

/** What files say of the events: see recording_file_create(). */
static struct error *recorder_add_events(struct recorder *recorder)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < recorder->config.num_events; i++) {
		struct perf_data_event event = recorder->config.events[i];
		if (recorder->config.makes_chains)
			event_attr_set_written(event.attr, perf_data_writer_type_of(&event));
		err = event_table_add(&recorder->events, event.attr, event.attr_size,
				      (const uint8_t *)event.ids, event.num_ids);
	}
	event_table_sort(&recorder->events);
	recorder->formats = event_table_formats(&recorder->events);
	return err;
}

static struct error *recorder_create_file(const struct recorder *recorder, const char *path,
					  struct recording_file **ret)
{
	const struct recorder_config *config = &recorder->config;
	return recording_file_create(path, config->events, config->num_events, config->makes_chains,
				     ret);
}

struct error *recorder_create(const struct recorder_config *config, struct recorder **ret)
{
	_cleanup_(recorder_destroyp) struct recorder *recorder = calloc(1, sizeof(*recorder));
	if (!recorder)
		return &error_no_memory;
	recorder->config = *config;
	recorder->names = (struct part_names){.path = config->path, .max_files = config->max_files};
	recorder->keeps_old = config->keeps_old;
	struct error *err = recorder_add_events(recorder);
	if (!err && config->ring_bytes)
		err = record_ring_create(config->ring_bytes, &recorder->ring);
	// Also with a ring: better said now than after hours that there is no place for the file.
	if (!err)
		err = recorder_create_file(recorder, config->path, &recorder->file);
	if (err)
		return err;
	if (recorder->ring)
		recording_file_destroy(take_ptr(recorder->file));
	*ret = take_ptr(recorder);
	return NULL;
}

void recorder_part_deinit(struct recorder_part *part)
{
	free(part->path);
	error_destroy(part->failure);
}

void recorder_destroy(struct recorder *recorder)
{
	if (!recorder)
		return;
	for (size_t i = recorder->num_taken; i < recorder->num_parts; i++)
		recorder_part_deinit(&recorder->parts[i]);
	free(recorder->parts);
	ring_snapshot_destroy(recorder->snapshot);
	free(recorder->snapshot_path);
	recording_file_destroy(recorder->file);
	record_ring_destroy(recorder->ring);
	process_table_deinit(&recorder->before);
	used_modules_deinit(&recorder->modules);
	event_table_deinit(&recorder->events);
	part_names_deinit(&recorder->names);
	free(recorder);
}

/** @part: the recorder's from now on. */
static struct error *recorder_note_part(struct recorder *recorder, struct recorder_part *part)
{
	if (recorder->num_taken == recorder->num_parts)
		recorder->num_taken = recorder->num_parts = 0;
	struct error *err =
		array_reserve(&recorder->parts, &recorder->cap_parts, recorder->num_parts + 1);
	if (err)
		recorder_part_deinit(part);
	else
		recorder->parts[recorder->num_parts++] = *part;
	return err;
}

bool recorder_take_part(struct recorder *recorder, struct recorder_part *ret)
{
	if (recorder->num_taken == recorder->num_parts)
		return false;
	*ret = recorder->parts[recorder->num_taken++];
	return true;
}

/** A file is no reason to end the run, a lack of memory is. @part: its path is set.
 *  @is_new: there is a file of this name, with the time in it. */
static struct error *recorder_end_part(struct recorder *recorder, struct recorder_part *part,
				       struct error *err, bool is_new)
{
	if (err == &error_no_memory) {
		recorder_part_deinit(part);
		return err;
	}
	part->failure = err;
	struct error *keep_err = is_new ? part_names_keep(&recorder->names, part->path) : NULL;
	struct error *note_err = recorder_note_part(recorder, part);
	return keep_err ? keep_err : note_err;
}

/** Why a file that is finished is not whole, as an error of its own; or NULL. */
static struct error *recorder_failure_of(const struct recording_file *file)
{
	const struct error *failure = recording_file_failure(file);
	if (!failure)
		return NULL;
	struct error *err = error_create(ERROR_FAILED, "%s", failure->message);
	return failure->hint ? error_with_hint(err, "%s", failure->hint) : err;
}

/** The oldest record, before it is dropped: what it says of processes stays known. */
static struct error *recorder_remember(struct recorder *recorder,
				       const struct record_ring_entry *entry)
{
	struct record record;
	switch ((enum record_kind)entry->kind) {
	case RECORD_SAMPLE:
		recorder->num_let_go++;
		return NULL;
	case RECORD_MAP:
	case RECORD_COMM:
	case RECORD_FORK:
	case RECORD_EXIT:
		break;
	default:
		return NULL;
	}
	struct error *err = perf_format_decode(&recorder->formats, record_ring_bytes(entry),
					       entry->size, &record);
	return err ? err : process_state_apply(&recorder->before, &record);
}

static struct error *recorder_drop(struct recorder *recorder)
{
	uint64_t place = record_ring_begin(recorder->ring);
	struct error *err = NULL;
	if (recorder->snapshot && ring_snapshot_needs(recorder->snapshot, place))
		err = ring_snapshot_write_one(recorder->snapshot);
	if (!err)
		err = recorder_remember(recorder, record_ring_at(recorder->ring, place));
	record_ring_drop(recorder->ring);
	return err;
}

static struct error *recorder_push(struct recorder *recorder, const struct record_ring_entry *entry,
				   const void *bytes)
{
	struct error *err = NULL;
	while (!err && !record_ring_has_room(recorder->ring, entry->size)) {
		recorder->lacked_room = true;
		err = recorder_drop(recorder);
	}
	if (!err)
		record_ring_add(recorder->ring, entry, bytes);
	return err;
}

static struct error *recorder_keep(struct recorder *recorder, const struct record *record)
{
	struct record_ring_entry entry = {
		.time_ns = record->time_ns,
		.pid = record->pid,
		.tid = record->tid,
		.kind = record->kind,
		.size = (uint32_t)record->raw_size,
	};
	if (record->raw)
		return recorder_push(recorder, &entry, record->raw);
	size_t num_words;
	const struct perf_data_event *event = &recorder->config.events[record->event];
	struct error *err =
		record_encode(record, event->ids[0], event_attr_more_fields(event->attr),
			      recorder->words, &num_words);
	entry.size = (uint32_t)(num_words * sizeof(uint64_t));
	return err ? err : recorder_push(recorder, &entry, recorder->words);
}

static struct error *recorder_write(struct recorder *recorder, const struct record *form)
{
	struct error *err = NULL;
	if (recorder->file)
		err = recording_file_add(recorder->file, form, (struct profile_builder_chain){0});
	return err ? err : used_modules_add(&recorder->modules, form);
}

struct error *recorder_add(struct recorder *recorder, const struct record *record,
			   struct profile_builder_chain chain)
{
	struct record changed;
	const struct record *form =
		recording_file_form(recorder->config.makes_chains, record, chain, &changed);
	if (recorder->ring)
		return recorder_keep(recorder, form);
	if (record->kind == RECORD_SAMPLE) {
		recorder->num_samples++;
		if (!recorder->first_time_ns || record->time_ns < recorder->first_time_ns)
			recorder->first_time_ns = record->time_ns;
		if (record->time_ns > recorder->last_time_ns)
			recorder->last_time_ns = record->time_ns;
	}
	return recorder_write(recorder, form);
}

struct error *recorder_map_places(struct recorder *recorder, const struct record *record)
{
	recorder->has_places = true;
	if (!recorder->ring)
		return recorder->file ? recording_file_map_places(recorder->file, record) : NULL;
	const struct record_ring_entry entry = {
		.time_ns = record->time_ns,
		.pid = record->pid,
		.tid = record->pid,
		.kind = RECORD_OTHER,
	};
	return recorder_push(recorder, &entry, NULL);
}

void recorder_ask(struct recorder *recorder)
{
	recorder->is_asked = true;
}

bool recorder_is_busy(const struct recorder *recorder)
{
	return recorder->snapshot || recorder->is_asked;
}

/** @path: the recorder's from now on. */
static struct error *recorder_begin_snapshot(struct recorder *recorder, char *path,
					     uint64_t time_ns)
{
	const struct ring_snapshot_config config = {
		.ring = recorder->ring,
		.before = &recorder->before,
		.formats = &recorder->formats,
		.time_ns = time_ns,
		.num_let_go = recorder->num_let_go,
		.has_places = recorder->has_places,
	};
	struct recording_file *file = NULL;
	struct error *err = recorder_create_file(recorder, path, &file);
	if (!err) {
		recording_file_excuse_errors(file);
		err = ring_snapshot_create(&config, file, &recorder->snapshot);
	}
	if (err) {
		struct recorder_part part = {.path = path};
		return recorder_end_part(recorder, &part, err, false);
	}
	recorder->snapshot_path = path;
	recorder->snapshot_lacked_room = recorder->config.ring_ns && recorder->lacked_room;
	// From now on it is about what the next one has.
	recorder->lacked_room = false;
	return NULL;
}

static struct error *recorder_end_snapshot(struct recorder *recorder,
					   struct profile_builder *builder, bool is_named_by_time)
{
	struct ring_snapshot *snapshot = take_ptr(recorder->snapshot);
	struct recorder_part part = {
		.path = take_ptr(recorder->snapshot_path),
		.lacked_room = recorder->snapshot_lacked_room,
		.num_let_go = ring_snapshot_num_let_go(snapshot),
	};
	struct error *err = ring_snapshot_finish(snapshot, builder, recorder->config.arguments);
	if (!err)
		err = recorder_failure_of(ring_snapshot_file(snapshot));
	part.num_samples = ring_snapshot_num_samples(snapshot);
	part.covered_ns = ring_snapshot_covered_ns(snapshot);
	part.num_bytes = recording_file_size(ring_snapshot_file(snapshot));
	ring_snapshot_destroy(snapshot);
	return recorder_end_part(recorder, &part, err, is_named_by_time && !err);
}

/** Is the oldest record older than what is kept? */
static bool recorder_is_past(const struct recorder *recorder, uint64_t time_ns)
{
	uint64_t place = record_ring_begin(recorder->ring);
	if (!recorder->config.ring_ns || place == record_ring_end(recorder->ring))
		return false;
	uint64_t then_ns = record_ring_at(recorder->ring, place)->time_ns;
	return time_ns > then_ns && time_ns - then_ns > recorder->config.ring_ns;
}

static struct error *recorder_round_of_ring(struct recorder *recorder,
					    struct profile_builder *builder, uint64_t time_ns)
{
	struct error *err = NULL;
	while (!err && recorder_is_past(recorder, time_ns))
		err = recorder_drop(recorder);
	if (!err && recorder->is_asked && !recorder->snapshot) {
		char *path;
		recorder->is_asked = false;
		err = part_names_choose(&recorder->names, clock_ns(CLOCK_REALTIME), &path);
		if (!err)
			err = recorder_begin_snapshot(recorder, path, time_ns);
	}
	bool is_done = false;
	if (!err && recorder->snapshot)
		err = ring_snapshot_write(recorder->snapshot, SNAPSHOT_NS, &is_done);
	return err || !is_done ? err : recorder_end_snapshot(recorder, builder, true);
}

/** The complete file gets its name with the time. */
static struct error *recorder_name_part(struct recorder *recorder, char **ret)
{
	struct error *err = part_names_choose(&recorder->names, clock_ns(CLOCK_REALTIME), ret);
	if (err || file_path_rename(recorder->config.path, *ret))
		return err;
	err = error_create_errno(errno, "cannot rename '%s' to '%s'", recorder->config.path, *ret);
	free(take_ptr(*ret));
	return err;
}

static struct error *recorder_end_file(struct recorder *recorder, struct profile_builder *builder)
{
	_cleanup_(recording_file_destroyp) struct recording_file *file = take_ptr(recorder->file);
	struct error *err = used_modules_complete(&recorder->modules);
	const struct recording_part written = {
		.modules = &recorder->modules.processes.modules,
		.used = recorder->modules.used,
		.first_time_ns = recorder->first_time_ns,
		.last_time_ns = recorder->last_time_ns,
	};
	if (!err)
		err = recording_file_finish_part(file, builder, &written,
						 recorder->config.arguments);
	if (!err)
		err = recorder_failure_of(file);
	struct recorder_part part = {
		.num_samples = recorder->num_samples,
		.num_bytes = recording_file_size(file),
		.covered_ns = recorder->last_time_ns - recorder->first_time_ns,
	};
	// What a full disk has of it would make room for the next file.
	struct error *name_err =
		!err || recorder->is_placed ? recorder_name_part(recorder, &part.path) : NULL;
	bool is_new = part.path;
	if (!part.path)
		part.path = strdup(recorder->config.path);
	recorder->num_samples = recorder->first_time_ns = recorder->last_time_ns = 0;
	used_modules_forget(&recorder->modules);
	if (err)
		error_destroy(name_err);
	return recorder_end_part(recorder, &part, err ? err : name_err, is_new);
}

/** Records go into the file from the first one on: a run that was killed has left what it had. */
static void recorder_place_file(struct recorder *recorder, uint64_t time_ns)
{
	recorder->is_placed = recording_file_begin(recorder->file, recorder->keeps_old);
	recorder->keeps_old = false;
	recorder->part_began_ns = time_ns;
}

/** @is_first: a failure was not reported yet. */
static struct error *recorder_begin_file(struct recorder *recorder, uint64_t time_ns, bool is_first)
{
	struct error *err = recorder_create_file(recorder, recorder->config.path, &recorder->file);
	if (!err) {
		recorder_place_file(recorder, time_ns);
		return file_state_write(recorder->file, &recorder->modules.processes, time_ns,
					recorder->has_places, NULL);
	}
	recorder->part_began_ns = time_ns;
	if (err != &error_no_memory && !is_first) {
		error_destroy(err);
		return NULL;
	}
	struct recorder_part part = {.path = strdup(recorder->config.path)};
	return recorder_end_part(recorder, &part, err, false);
}

static struct error *recorder_round_of_file(struct recorder *recorder,
					    struct profile_builder *builder, uint64_t time_ns)
{
	const struct recorder_config *config = &recorder->config;
	if (!recorder->part_began_ns)
		recorder_place_file(recorder, time_ns);
	uint64_t age_ns = time_ns - recorder->part_began_ns;
	if (!recorder->file) {
		recorder->is_asked = false;
		return age_ns < RETRY_NS ? NULL : recorder_begin_file(recorder, time_ns, false);
	}
	struct error *err = recording_file_round(recorder->file, builder);
	bool is_large =
		config->part_bytes && recording_file_added(recorder->file) >= config->part_bytes;
	bool is_old = config->part_ns && age_ns >= config->part_ns;
	// The disk may have room again.
	bool is_broken = recording_file_failure(recorder->file) && age_ns >= RETRY_NS;
	if (err || (!is_large && !is_old && !is_broken && !recorder->is_asked))
		return err;
	recorder->is_asked = false;
	err = recorder_end_file(recorder, builder);
	return err ? err : recorder_begin_file(recorder, time_ns, true);
}

/** Of the oldest record that a file may get, which needs the processes of then. */
static uint64_t recorder_oldest_ns(const struct recorder *recorder, uint64_t time_ns)
{
	if (!recorder->ring)
		return recorder->part_began_ns;
	uint64_t place = record_ring_begin(recorder->ring);
	return place == record_ring_end(recorder->ring)
		       ? time_ns
		       : record_ring_at(recorder->ring, place)->time_ns;
}

/** A run of weeks does not keep all processes that lived meanwhile. A snapshot that is being
 * written has records that may have left the ring. */
static struct error *recorder_forget(struct recorder *recorder, struct profile_builder *builder,
				     uint64_t time_ns)
{
	_cleanup_free_ uint32_t *pids = NULL;
	size_t num_pids;
	if (recorder->snapshot)
		return NULL;
	uint64_t oldest_ns = recorder_oldest_ns(recorder, time_ns);
	struct error *err = process_table_forget(recorder->ring ? &recorder->before
								: &recorder->modules.processes,
						 oldest_ns, &pids, &num_pids);
	return err ? err : profile_builder_forget(builder, oldest_ns);
}

static struct error *recorder_write_round(struct recorder *recorder,
					  struct profile_builder *builder, uint64_t time_ns)
{
	return recorder->ring ? recorder_round_of_ring(recorder, builder, time_ns)
			      : recorder_round_of_file(recorder, builder, time_ns);
}

struct error *recorder_round(struct recorder *recorder, struct profile_builder *builder,
			     uint64_t time_ns)
{
	struct error *err = recorder_write_round(recorder, builder, time_ns);
	return err ? err : recorder_forget(recorder, builder, time_ns);
}

struct error *recorder_finish(struct recorder *recorder, struct profile_builder *builder,
			      uint64_t time_ns)
{
	if (!recorder->ring && !recorder->part_began_ns)
		recorder_place_file(recorder, time_ns);
	if (!recorder->ring)
		return recorder->file ? recorder_end_file(recorder, builder) : NULL;
	struct error *err = recorder_round(recorder, builder, time_ns);
	if (!err && recorder->snapshot)
		err = recorder_end_snapshot(recorder, builder, true);
	char *path = err ? NULL : strdup(recorder->config.path);
	if (!err && !path)
		err = &error_no_memory;
	if (!err)
		err = recorder_begin_snapshot(recorder, path, time_ns);
	if (err || !recorder->snapshot)
		return err;
	recording_file_begin(ring_snapshot_file(recorder->snapshot), recorder->keeps_old);
	return recorder_end_snapshot(recorder, builder, false);
}
