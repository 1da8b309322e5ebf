// SPDX-License-Identifier: Apache-2.0

#include "record/etl/file/etl_stream.h"

#include "base/container/array.h"
#include "record/etl/file/etl_buffer.h"
#include "record/etl/file/etl_file_set.h"
#include "record/etl/file/etl_siblings.h"
#include "record/etl/file/zip_archive.h"

#include <stdlib.h>

// Each row of buffers (one CPU of one file) has its next event ready. The rows are in a binary heap
// by the time of that event: etl_stream_next() gives the event of the first row. The row goes on
// only in the next call, as its events are in the buffer that it may have to unpack over. Events of
// one time are in the order of files and CPUs.

struct etl_turn {
	uint64_t time_ns;
	uint32_t order;
	struct etl_file *file;
	struct etl_row *row;
};

struct etl_stream {
	struct etl_file_set set;
	struct etl_stream_facts facts;
	struct etl_turn *turns; /* a heap */
	size_t num_turns, cap_turns;
	bool is_given; /* the event of the first turn */
	bool is_ready; /* there are turns */
};

bool etl_stream_is(const uint8_t *head, size_t size)
{
	return etl_buffer_begins_file(head, size) || zip_archive_is(head, size);
}

static bool turn_is_before(const struct etl_turn *a, const struct etl_turn *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->order < b->order;
}

static void sink(struct etl_turn *turns, size_t num_turns, size_t at)
{
	struct etl_turn turn = turns[at];
	for (;;) {
		size_t child = 2 * at + 1;
		if (child >= num_turns)
			break;
		if (child + 1 < num_turns && turn_is_before(&turns[child + 1], &turns[child]))
			child++;
		if (!turn_is_before(&turns[child], &turn))
			break;
		turns[at] = turns[child];
		at = child;
	}
	turns[at] = turn;
}

static struct error *add_turns(struct etl_stream *stream, struct etl_file *file)
{
	for (size_t i = 0; i < file->num_rows; i++) {
		struct etl_row *row = &file->rows[i];
		struct error *err = row->has_event ? NULL : etl_file_advance(file, row);
		if (!err)
			err = array_reserve(&stream->turns, &stream->cap_turns,
					    stream->num_turns + 1);
		if (err)
			return err;
		if (row->has_event)
			stream->turns[stream->num_turns++] = (struct etl_turn){
				.time_ns = row->event.time_ns,
				.file = file,
				.row = row,
			};
	}
	return NULL;
}

static struct error *prepare_turns(struct etl_stream *stream)
{
	stream->num_turns = 0;
	for (size_t i = 0; i < stream->set.num_files; i++) {
		struct error *err = add_turns(stream, stream->set.files[i]);
		if (err)
			return err;
	}
	for (size_t i = 0; i < stream->num_turns; i++)
		stream->turns[i].order = (uint32_t)i;
	for (size_t i = stream->num_turns / 2; i-- > 0;)
		sink(stream->turns, stream->num_turns, i);
	stream->is_ready = true;
	return NULL;
}

// Behind the event that was given last.
static struct error *finish_turn(struct etl_stream *stream)
{
	if (!stream->is_given)
		return NULL;
	stream->is_given = false;
	struct etl_turn *turn = &stream->turns[0];
	struct error *err = etl_file_advance(turn->file, turn->row);
	if (err)
		return err;
	if (turn->row->has_event)
		turn->time_ns = turn->row->event.time_ns;
	else
		*turn = stream->turns[--stream->num_turns];
	if (stream->num_turns)
		sink(stream->turns, stream->num_turns, 0);
	return NULL;
}

struct error *etl_stream_next(struct etl_stream *stream, struct etl_event *ret, bool *ret_more)
{
	struct error *err = stream->is_ready ? finish_turn(stream) : prepare_turns(stream);
	if (err)
		return err;
	*ret_more = stream->is_given = stream->num_turns > 0;
	if (*ret_more)
		*ret = stream->turns[0].row->event;
	return NULL;
}

struct error *etl_stream_restart(struct etl_stream *stream)
{
	for (size_t i = 0; i < stream->set.num_files; i++)
		etl_file_rewind(stream->set.files[i]);
	stream->is_given = stream->is_ready = false;
	stream->num_turns = 0;
	return NULL;
}

static uint64_t end_ns(const struct etl_file *file)
{
	enum { NS_PER_DATE_TICK = 100 };
	const struct etl_log_header *header = &file->header;
	return header->end > header->start
		       ? etl_file_start_ns(file) + (header->end - header->start) * NS_PER_DATE_TICK
		       : 0;
}

static void add_facts(struct etl_stream_facts *facts, const struct etl_file *file)
{
	const struct etl_log_header *header = &file->header;
	uint64_t start = etl_file_start_ns(file), end = end_ns(file);
	if (!facts->num_files) {
		facts->pointer_size = header->pointer_size;
		facts->build = header->build;
		facts->major = header->major;
		facts->minor = header->minor;
		facts->frequency_hz = header->frequency_hz;
		facts->end_ns = end;
	}
	if (!facts->num_files || start < facts->start_ns) {
		facts->start_ns = start;
		facts->start_wall_ns = etl_wall_ns(header->start);
	}
	if (header->num_cpus > facts->num_cpus)
		facts->num_cpus = header->num_cpus;
	if (!end || (facts->end_ns && end > facts->end_ns))
		facts->end_ns = end;
	facts->events_lost += header->events_lost;
	facts->buffers_lost += header->buffers_lost;
	facts->num_files++;
}

static void collect_facts(struct etl_stream *stream)
{
	stream->facts = (struct etl_stream_facts){};
	for (size_t i = 0; i < stream->set.num_files; i++)
		add_facts(&stream->facts, stream->set.files[i]);
}

struct error *etl_stream_grow(struct etl_stream *stream)
{
	// Rows move in memory.
	struct error *err = finish_turn(stream);
	for (size_t i = 0; i < stream->set.num_files && !err; i++)
		err = etl_file_grow(stream->set.files[i]);
	if (err)
		return err;
	collect_facts(stream);
	return stream->is_ready ? prepare_turns(stream) : NULL;
}

static struct error *etl_stream_create(struct etl_stream **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? NULL : &error_no_memory;
}

/** @stream: with all of its files. */
static void etl_stream_begin(struct etl_stream *stream)
{
	etl_file_set_tie_clocks(&stream->set);
	collect_facts(stream);
}

struct error *etl_stream_open_files(const char *const *paths, size_t num_paths, bool is_own_only,
				    struct etl_stream **ret)
{
	_cleanup_(etl_stream_destroyp) struct etl_stream *stream = NULL;
	struct error *err = etl_stream_create(&stream);
	if (err)
		return err;
	stream->set.is_own_only = is_own_only;
	for (size_t i = 0; i < num_paths && !err; i++)
		err = etl_file_set_add_path(&stream->set, paths[i]);
	if (!err && num_paths == 1)
		err = etl_siblings_add(&stream->set, paths[0]);
	if (err)
		return err;
	etl_stream_begin(stream);
	*ret = take_ptr(stream);
	return NULL;
}

struct error *etl_stream_open(const char *path, bool is_own_only, struct etl_stream **ret)
{
	return etl_stream_open_files(&path, 1, is_own_only, ret);
}

static struct error *open_one(struct etl_file *file, bool is_own, struct etl_stream **ret)
{
	_cleanup_(etl_stream_destroyp) struct etl_stream *stream = NULL;
	struct error *err = etl_stream_create(&stream);
	if (err) {
		etl_file_destroy(file);
		return err;
	}
	stream->set.has_strangers = !is_own;
	err = etl_file_set_add(&stream->set, file);
	if (err)
		return err;
	etl_stream_begin(stream);
	*ret = take_ptr(stream);
	return NULL;
}

struct error *etl_stream_open_memory(const char *name, const void *bytes, size_t size,
				     struct etl_stream **ret)
{
	struct etl_file *file = NULL;
	struct error *err = etl_file_of_memory(name, bytes, size, &file);
	return err ? err : open_one(file, false, ret);
}

struct error *etl_stream_open_growing(const char *path, struct etl_stream **ret)
{
	struct etl_file *file = NULL;
	struct error *err = etl_file_of_growing(path, &file);
	return err ? err : open_one(file, true, ret);
}

const struct etl_stream_facts *etl_stream_facts(const struct etl_stream *stream)
{
	return &stream->facts;
}

bool etl_stream_is_own(const struct etl_stream *stream)
{
	return !stream->set.has_strangers;
}

struct etl_stream_damage etl_stream_damage(const struct etl_stream *stream)
{
	struct etl_stream_damage damage = {};
	for (size_t i = 0; i < stream->set.num_files; i++) {
		const struct etl_file *file = stream->set.files[i];
		damage.truncated_bytes += file->truncated_bytes;
		damage.bad_buffers += file->bad_headers + file->bad_buffers;
		damage.bad_events += file->bad_events;
	}
	return damage;
}

struct etl_stream_position etl_stream_position(const struct etl_stream *stream)
{
	struct etl_stream_position position = {};
	for (size_t i = 0; i < stream->set.num_files; i++) {
		position.done += stream->set.files[i]->bytes_done;
		position.whole += stream->set.files[i]->bytes_whole;
	}
	return position;
}

void etl_stream_destroy(struct etl_stream *stream)
{
	if (!stream)
		return;
	etl_file_set_deinit(&stream->set);
	free(stream->turns);
	free(stream);
}
