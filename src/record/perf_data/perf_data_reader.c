// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/perf_data_reader.h"

#include "base/container/array.h"
#include "base/file/file_map.h"
#include "record/perf_data/event_attr.h"
#include "record/perf_data/event_table.h"
#include "record/perf_data/feature_reader.h"
#include "record/perf_data/perf_abi.h"
#include "record/perf_data/perf_data_header.h"
#include "record/perf_data/perf_format.h"
#include "record/perf_data/pipe_header.h"
#include "record/perf_data/record_blocks.h"
#include "record/perf_data/record_input.h"
#include "record/perf_data/record_unpacker.h"
#include "record/spe/spe_trace.h"
#include "record/time_order.h"

#include <stdio.h>
#include <string.h>

// Reads perf.data files (version 2 of the format), as a file or from a pipe: the formats are in
// tools/perf/Documentation/perf.data-file-format.txt and tools/perf/util/header.c of Linux.
//
// A record goes through these stations: record_input.c cuts it out of the bytes (record_unpacker.c
// if it was compressed), find_handler() takes records that describe the file, keep_record() gives
// the others a place and puts (time, place) into time_order.c, and perf_data_reader_decode()
// decodes it when its turn comes. Records are not copied while they wait: a place is an offset in
// the mapped file. Only records from pipes and compressed ones are copied (record_blocks.c).
//
// Files are written ring by ring, one ring for each CPU, so records are not in order of time. A
// round (PERF_RECORD_FINISHED_ROUND) limits how far they are out of order. Files without rounds
// would have to be held as a whole; MAX_WAITING and MAX_HELD bound that, at the cost of the order.
//
// SPE data is decoded to samples here and merged by time: go_to_next() finds the next record, and
// samples that are older are given first (perf_data_reader_next()). Damaged records are counted and
// left out; damage that loses the place of the next record ends the file (record_input.c).

// A place is an offset in the mapped file, or with this bit one in the blocks.
#define IN_BLOCKS (UINT64_C(1) << 63)

// What may wait for the end of a round: records that are kept in the order, and in memory. Only
// files that have no rounds reach it.
enum { MAX_WAITING = 12 << 20, MAX_HELD = 128 << 20 };

// So many bytes of the mapped file are looked at before their memory is given back.
enum { DROP_INTERVAL = 64 << 20 };

struct perf_data_reader {
	char *name;
	struct file_map map;
	const uint8_t *bytes; /* of the mapped file, else NULL */
	struct record_input input;
	struct record_unpacker *unpacker; /* NULL until something is compressed */
	struct record_blocks blocks;
	struct time_order order;
	struct event_table events;
	struct feature_reader features;
	struct perf_formats formats;
	struct time_conversion conversion; /* of the last record that has one */
	struct spe_trace *spe;             /* NULL: the file has no traces of SPE's */
	uint64_t place;                    /* of the record that was given last, or comes next */
	uint64_t time_ns;                  /* of it; 0 if it has none, UINT64_MAX behind the last */
	bool has_place;
	bool is_waiting; /* it comes next, behind samples of SPE's that are older */
	bool ended;
	uint64_t bad_records;
	size_t num_looked_at; /* bytes, since memory was given back */
};

static struct error *perf_data_reader_name_error(const struct perf_data_reader *reader,
						 struct error *err)
{
	if (!err || err == &error_no_memory)
		return err;
	_cleanup_(error_destroyp) struct error *cause = err;
	return error_create(cause->code, "cannot read '%s': %s", reader->name, cause->message);
}

static void publish_events(struct perf_data_reader *reader)
{
	struct perf_data_info *info = &reader->features.info;
	reader->formats = event_table_formats(&reader->events);
	info->events = reader->events.events;
	info->num_events = reader->events.num_events;
	if (info->num_events && !info->clock_id)
		info->clock_id = event_attr_clock(info->events[0].attr, info->events[0].attr_size);
}

static struct error *open_bytes(struct perf_data_reader *reader, const uint8_t *bytes, size_t size)
{
	enum perf_data_mode mode;
	if (size < PERF_ABI_PIPE_HEADER_SIZE)
		return error_create(ERROR_FAILED, "it is not a perf.data file");
	struct error *err = perf_data_header_mode(bytes, &mode);
	if (err)
		return err;
	struct perf_data_range range = {
		.offset = PERF_ABI_PIPE_HEADER_SIZE,
		.size = size - PERF_ABI_PIPE_HEADER_SIZE,
	};
	if (mode == PERF_DATA_FILE)
		err = perf_data_header_read(bytes, size, &reader->events, &reader->features,
					    &range);
	if (err)
		return err;
	reader->bytes = bytes;
	reader->input = record_input_of_memory(bytes, range.offset + range.size);
	reader->input.next = range.offset;
	publish_events(reader);
	return NULL;
}

static struct error *perf_data_reader_open_stream(struct perf_data_reader *reader, FILE *stream)
{
	struct error *err = record_input_of_stream(&reader->input, stream);
	if (err)
		return err;
	const uint8_t *bytes = record_input_peek(&reader->input, PERF_ABI_PIPE_HEADER_SIZE);
	if (!bytes)
		return error_create(ERROR_FAILED, "it is not a perf.data file");
	enum perf_data_mode mode;
	err = perf_data_header_mode(bytes, &mode);
	if (err)
		return err;
	if (mode == PERF_DATA_FILE)
		return error_with_hint(
			error_create(ERROR_FAILED, "a file cannot be read through a pipe"),
			"give the name of the file, or write to the pipe with perf record -o -");
	record_input_skip(&reader->input, PERF_ABI_PIPE_HEADER_SIZE);
	return NULL;
}

static struct error *perf_data_reader_create(const char *name, struct perf_data_reader **ret)
{
	_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader =
		calloc(1, sizeof(*reader));
	if (!reader)
		return &error_no_memory;
	reader->name = strdup(name);
	if (!reader->name)
		return &error_no_memory;
	*ret = take_ptr(reader);
	return NULL;
}

static struct error *perf_data_reader_open_path(const char *path, bool is_own,
						struct perf_data_reader **ret)
{
	_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader = NULL;
	struct error *err = perf_data_reader_create(path, &reader);
	if (err)
		return err;
	if (strcmp(path, "-") == 0) {
		err = perf_data_reader_name_error(reader,
						  perf_data_reader_open_stream(reader, stdin));
	} else {
		err = file_map_open(&reader->map, path);
		if (!err && is_own)
			err = perf_data_check_owner(&reader->map, path);
		if (!err)
			err = perf_data_reader_name_error(
				reader, open_bytes(reader, reader->map.data, reader->map.size));
	}
	if (err)
		return err;
	*ret = take_ptr(reader);
	return NULL;
}

struct error *perf_data_reader_open(const char *path, struct perf_data_reader **ret)
{
	return perf_data_reader_open_path(path, false, ret);
}

struct error *perf_data_reader_open_own(const char *path, struct perf_data_reader **ret)
{
	return perf_data_reader_open_path(path, true, ret);
}

struct error *perf_data_reader_open_memory(const char *name, const void *bytes, size_t size,
					   struct perf_data_reader **ret)
{
	_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader = NULL;
	struct error *err = perf_data_reader_create(name, &reader);
	if (!err)
		err = perf_data_reader_name_error(reader, open_bytes(reader, bytes, size));
	if (err)
		return err;
	*ret = take_ptr(reader);
	return NULL;
}

bool perf_data_reader_is_own(const struct perf_data_reader *reader)
{
	return reader->bytes && !reader->input.stream && !file_map_is_of_stranger(&reader->map);
}

const struct perf_data_info *perf_data_reader_info(const struct perf_data_reader *reader)
{
	return &reader->features.info;
}

static struct error *read_header_record(struct perf_data_reader *reader,
					const struct found_record *record)
{
	bool is_good = true;
	struct error *err = pipe_header_read(record, &reader->events, &reader->features, &is_good);
	reader->bad_records += !is_good;
	publish_events(reader);
	return err;
}

static struct error *perf_data_reader_end_round(struct perf_data_reader *reader,
						const struct found_record *record)
{
	return time_order_end_round(&reader->order);
}

static struct error *perf_data_reader_unpack(struct perf_data_reader *reader,
					     const struct found_record *record)
{
	if (!reader->unpacker) {
		struct error *err = record_unpacker_create(&reader->unpacker);
		if (err)
			return err;
	}
	record_unpacker_feed(reader->unpacker, record);
	return NULL;
}

static struct error *take_conversion(struct perf_data_reader *reader,
				     const struct found_record *record)
{
	reader->conversion = aux_trace_conversion(record);
	return NULL;
}

// The traces come in records behind this one.
static struct error *find_traces(struct perf_data_reader *reader, const struct found_record *record)
{
	if (reader->spe || !spe_machine_is_told(record->bytes, record->size))
		return NULL;
	if (reader->input.stream && reader->unpacker) {
		// perf does not compress it; the stream's bytes are in use here.
		reader->bad_records++;
		return NULL;
	}
	const struct perf_data_info *info = &reader->features.info;
	_cleanup_(spe_machine_deinit) struct spe_machine machine = SPE_MACHINE_INIT;
	_cleanup_(aux_trace_deinit) struct aux_trace aux = {.conversion = reader->conversion};
	bool is_arm = info->machine && strcmp(info->machine, "aarch64") == 0;
	struct error *err = spe_machine_read(record->bytes, record->size,
					     is_arm ? info->cpu_id : NULL, &machine);
	// Pieces are read when their time comes: what a pipe gives must stay.
	if (!err && reader->input.stream) {
		err = record_input_spill(&reader->input, &reader->map);
		if (!err)
			reader->bytes = reader->input.bytes;
	}
	if (!err)
		err = aux_trace_find(&aux, &reader->input);
	return err ? err
		   : spe_trace_create(info->events, info->num_events, &machine, &aux, &reader->spe);
}

typedef struct error *(*handle_fn)(struct perf_data_reader *reader,
				   const struct found_record *record);

// Who takes a record that is none of what happened; NULL if it is to be given.
static handle_fn find_handler(uint32_t type)
{
	static const handle_fn handlers[] = {
		[PERF_ABI_HEADER_ATTR - PERF_ABI_FIRST_OF_TOOLS] = read_header_record,
		[PERF_ABI_HEADER_BUILD_ID - PERF_ABI_FIRST_OF_TOOLS] = read_header_record,
		[PERF_ABI_FINISHED_ROUND - PERF_ABI_FIRST_OF_TOOLS] = perf_data_reader_end_round,
		[PERF_ABI_AUXTRACE_INFO - PERF_ABI_FIRST_OF_TOOLS] = find_traces,
		[PERF_ABI_EVENT_UPDATE - PERF_ABI_FIRST_OF_TOOLS] = read_header_record,
		[PERF_ABI_TIME_CONV - PERF_ABI_FIRST_OF_TOOLS] = take_conversion,
		[PERF_ABI_HEADER_FEATURE - PERF_ABI_FIRST_OF_TOOLS] = read_header_record,
		[PERF_ABI_COMPRESSED - PERF_ABI_FIRST_OF_TOOLS] = perf_data_reader_unpack,
		[PERF_ABI_COMPRESSED2 - PERF_ABI_FIRST_OF_TOOLS] = perf_data_reader_unpack,
	};
	uint32_t index = type - PERF_ABI_FIRST_OF_TOOLS; // wraps for the kernel's
	return index < ARRAY_SIZE(handlers) ? handlers[index] : NULL;
}

// Where the record can be found later: where it is, if it stays there and is aligned.
static struct error *place_record(struct perf_data_reader *reader,
				  const struct found_record *record, uint64_t *ret)
{
	bool stays = reader->bytes && record->bytes >= reader->bytes &&
		     record->bytes < reader->bytes + reader->input.end;
	// perf_format.c reads records as words of 8 bytes. In a file that perf wrote they are
	// aligned.
	if (stays && (uintptr_t)record->bytes % sizeof(uint64_t) == 0) {
		*ret = (uint64_t)(record->bytes - reader->bytes);
		return NULL;
	}
	uint64_t place;
	struct error *err = record_blocks_add(&reader->blocks, record->bytes, record->size, &place);
	if (err)
		return err;
	*ret = place | IN_BLOCKS;
	return NULL;
}

static const void *record_at(const struct perf_data_reader *reader, uint64_t place)
{
	return place & IN_BLOCKS ? record_blocks_get(&reader->blocks, place & ~IN_BLOCKS)
				 : reader->bytes + place;
}

static void count_look(struct perf_data_reader *reader, size_t size)
{
	reader->num_looked_at += size;
	if (reader->num_looked_at < DROP_INTERVAL)
		return;
	reader->num_looked_at = 0;
	file_map_drop(&reader->map);
}

/** @ret_place: of a record without time, which is given at once. */
static struct error *keep_record(struct perf_data_reader *reader, const struct found_record *record,
				 uint64_t *ret_place, bool *ret_given)
{
	// perf numbers its own types from 64 on and has some twenty of them: beyond is damage.
	enum { END_OF_TOOLS = 96 };
	if (!record->type || record->type >= END_OF_TOOLS) {
		reader->bad_records++;
		return NULL;
	}
	uint64_t place;
	struct error *err = place_record(reader, record, &place);
	if (err)
		return err;
	uint64_t time_ns =
		perf_format_time(&reader->formats, record_at(reader, place), record->size);
	// Records that perf made up have one of these (ordered_events__queue() of tools/perf).
	if (!time_ns || time_ns == UINT64_MAX) {
		*ret_place = place;
		*ret_given = true;
		return NULL;
	}
	err = time_order_add(&reader->order, time_ns, place);
	if (!err && (time_order_num_waiting(&reader->order) >= MAX_WAITING ||
		     record_blocks_held(&reader->blocks) >= MAX_HELD))
		err = time_order_give_up_half(&reader->order);
	return err;
}

// Look at one record of the file, or at its end.
static struct error *perf_data_reader_look_at_next(struct perf_data_reader *reader,
						   uint64_t *ret_place, bool *ret_given)
{
	struct found_record record;
	bool more = false;
	if (reader->unpacker) {
		struct error *err = record_unpacker_next(reader->unpacker, &record, &more);
		if (err)
			return err;
	}
	if (!more && !record_input_next(&reader->input, &record)) {
		reader->ended = true;
		return time_order_end(&reader->order);
	}
	count_look(reader, record.size);
	handle_fn handle = find_handler(record.type);
	return handle ? handle(reader, &record)
		      : keep_record(reader, &record, ret_place, ret_given);
}

// To the next record in order of time; without one, has_place stays false.
static struct error *go_to_next(struct perf_data_reader *reader)
{
	if (reader->has_place && reader->place & IN_BLOCKS)
		record_blocks_release(&reader->blocks, reader->place & ~IN_BLOCKS);
	reader->has_place = false;
	reader->time_ns = UINT64_MAX;
	struct time_order_entry entry;
	bool given = false; // at once, as it has no time
	while (!given && !time_order_take(&reader->order, &entry)) {
		if (reader->ended)
			return NULL;
		entry.time_ns = 0;
		struct error *err = perf_data_reader_look_at_next(reader, &entry.place, &given);
		if (err) {
			reader->ended = true;
			return err;
		}
	}
	// Records in order of time are all over the file; by the time that this one is decoded it
	// is there.
	enum { AHEAD = 12, CACHE_LINE = 64, MOST = 4 * CACHE_LINE };
	struct time_order_entry ahead;
	if (!given && time_order_peek(&reader->order, AHEAD, &ahead)) {
		const uint8_t *bytes = record_at(reader, ahead.place);
		for (size_t i = 0; i < MOST; i += CACHE_LINE)
			__builtin_prefetch(bytes + i);
	}
	reader->place = entry.place;
	reader->time_ns = entry.time_ns;
	reader->has_place = reader->is_waiting = true;
	return NULL;
}

/** @ret_good: false if the record makes no sense. */
static struct error *perf_data_reader_decode(struct perf_data_reader *reader, struct record *ret,
					     bool *ret_good)
{
	const struct perf_abi_header *header = record_at(reader, reader->place);
	count_look(reader, header->size);
	struct error *err = perf_format_decode(&reader->formats, header, header->size, ret);
	*ret_good = !err;
	if (!err && reader->spe)
		return spe_trace_note(reader->spe, ret);
	if (!err || err == &error_no_memory)
		return err;
	error_destroy(err);
	reader->bad_records++;
	return NULL;
}

struct error *perf_data_reader_next(struct perf_data_reader *reader, struct record *ret,
				    bool *ret_more)
{
	for (bool is_good = false; !is_good;) {
		struct error *err = reader->is_waiting ? NULL : go_to_next(reader);
		if (err)
			return perf_data_reader_name_error(reader, err);
		if (reader->spe && spe_trace_next(reader->spe, reader->time_ns, ret)) {
			count_look(reader, ret->sample.spe->size);
			break;
		}
		if (!reader->has_place) {
			*ret_more = false;
			return NULL;
		}
		reader->is_waiting = false;
		err = perf_data_reader_decode(reader, ret, &is_good);
		if (err)
			return perf_data_reader_name_error(reader, err);
	}
	*ret_more = true;
	return NULL;
}

struct perf_data_damage perf_data_reader_damage(const struct perf_data_reader *reader)
{
	size_t left = reader->unpacker ? record_unpacker_left(reader->unpacker) : 0;
	return (struct perf_data_damage){
		.truncated_bytes = reader->input.truncated_bytes + left,
		.bad_records = reader->bad_records,
		.spe = reader->spe ? spe_trace_totals(reader->spe) : (struct spe_trace_totals){},
	};
}

struct perf_data_position perf_data_reader_position(const struct perf_data_reader *reader)
{
	bool is_stream = reader->input.stream != NULL;
	return (struct perf_data_position){
		.done = is_stream ? 0 : reader->input.next,
		.whole = is_stream ? 0 : reader->input.end,
	};
}

void perf_data_reader_destroy(struct perf_data_reader *reader)
{
	if (!reader)
		return;
	spe_trace_destroy(reader->spe);
	time_order_deinit(&reader->order);
	record_blocks_deinit(&reader->blocks);
	record_unpacker_destroy(reader->unpacker);
	record_input_deinit(&reader->input);
	event_table_deinit(&reader->events);
	feature_reader_deinit(&reader->features);
	file_map_close(&reader->map);
	free(reader->name);
	free(reader);
}
