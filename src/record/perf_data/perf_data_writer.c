// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/perf_data_writer.h"

#include "base/container/arena.h"
#include "base/file/file_draft.h"
#include "base/text/string_builder.h"
#include "record/perf_data/event_attr.h"
#include "record/perf_data/feature_writer.h"
#include "record/perf_data/perf_abi.h"
#include "record/perf_data/record_encoder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// Writes the layout that perf itself writes: header, ids, attributes, records, features. What
// stands before the records is known at the start, so records can be appended as they come, with a
// buffer of our own; features are known at the end and stand behind them.
//
// After each flush the header is written again with the size of the data so far. A recording whose
// writer is killed can then be read up to the last flush. The file is a draft until it is placed
// (base/file/file_draft.h), so that a failed run does not replace an older file.
//
// SPE data can be large and is written directly behind its PERF_RECORD_AUXTRACE, without the
// buffer (perf_data_writer_trace()). Its size is rounded up to 8 bytes, as records must be
// aligned.

enum { BUFFER_WORDS = (256 << 10) / 8 };

struct perf_data_writer {
	FILE *file; /* of the draft, without a buffer: that is ours; NULL once it is closed */
	struct file_draft draft;
	const char *path; /* as it was given */
	uint64_t size;    /* of the finished file */
	struct arena arena;
	struct perf_data_event *events;
	size_t num_events;
	struct perf_abi_file_header header; /* data.size: what was flushed */
	size_t used_words;
	uint64_t buffer[BUFFER_WORDS];
};

const uint64_t perf_data_writer_sample_type = RECORD_ENCODER_SAMPLE_TYPE;

uint64_t perf_data_writer_type_of(const struct perf_data_event *event)
{
	return perf_data_writer_sample_type | (event->has_values ? PERF_ABI_RAW : 0);
}

static struct error *write_error(const struct perf_data_writer *writer)
{
	return error_create_errno(errno ? errno : EIO, "cannot write '%s'", writer->path);
}

static struct error *perf_data_writer_write_bytes(struct perf_data_writer *writer,
						  const void *bytes, size_t size)
{
	errno = 0;
	if (size && fwrite(bytes, 1, size, writer->file) != size)
		return write_error(writer);
	return NULL;
}

// The header anew; it says how far the data goes. Then on at the end.
static struct error *rewrite_header(struct perf_data_writer *writer)
{
	errno = 0;
	if (fseek(writer->file, 0, SEEK_SET))
		return write_error(writer);
	struct error *err =
		perf_data_writer_write_bytes(writer, &writer->header, sizeof(writer->header));
	if (!err && fseek(writer->file, 0, SEEK_END))
		err = write_error(writer);
	return err;
}

struct error *perf_data_writer_flush(struct perf_data_writer *writer)
{
	size_t size = writer->used_words * sizeof(uint64_t);
	if (!size)
		return NULL;
	struct error *err = perf_data_writer_write_bytes(writer, writer->buffer, size);
	if (err)
		return err;
	writer->used_words = 0;
	writer->header.data.size += size;
	return rewrite_header(writer);
}

static struct error *copy_event(struct perf_data_writer *writer,
				const struct perf_data_event *event, uint32_t attr_size,
				struct perf_data_event *copy)
{
	char name[EVENT_ATTR_NAME_MAX];
	*copy = *event;
	copy->attr_size = attr_size;
	memset(copy->attr + event->attr_size, 0, PERF_ATTR_MAX - event->attr_size);
	memcpy(copy->attr + PERF_ABI_ATTR_SIZE, &attr_size, sizeof(attr_size));
	copy->name = arena_strdup(&writer->arena,
				  event->name ? event->name
					      : event_attr_name(copy->attr, attr_size, name));
	uint64_t *ids = arena_alloc_array(&writer->arena, event->num_ids, sizeof(*ids));
	if (!copy->name || !ids)
		return &error_no_memory;
	if (event->num_ids)
		memcpy(ids, event->ids, event->num_ids * sizeof(*ids));
	copy->ids = ids;
	return NULL;
}

// All attributes of a file have one size: the smaller ones get zeros.
static struct error *copy_events(struct perf_data_writer *writer,
				 const struct perf_data_event *events, size_t num_events)
{
	uint32_t attr_size = PERF_ABI_ATTR_MIN_SIZE;
	for (size_t i = 0; i < num_events; i++) {
		const struct perf_data_event *event = &events[i];
		if (event->attr_size < PERF_ABI_ATTR_MIN_SIZE || event->attr_size > PERF_ATTR_MAX ||
		    event->attr_size % sizeof(uint64_t))
			return error_create(ERROR_FAILED, "an event's attribute of %u bytes",
					    event->attr_size);
		struct perf_format format = event_attr_format(event->attr, event->attr_size);
		// Readers find the event of a record by its id, and only the identifier has a place
		// that does not depend on the event.
		if (num_events > 1 && !(format.sample_type & PERF_ABI_IDENTIFIER))
			return error_create(ERROR_FAILED,
					    "records of several events need an identifier");
		if (event->attr_size > attr_size)
			attr_size = event->attr_size;
	}
	writer->events = arena_alloc_array(&writer->arena, num_events, sizeof(*events));
	if (!writer->events)
		return &error_no_memory;
	writer->num_events = num_events;
	for (size_t i = 0; i < num_events; i++) {
		struct error *err = copy_event(writer, &events[i], attr_size, &writer->events[i]);
		if (err)
			return err;
	}
	writer->header.attr_size = attr_size + sizeof(struct perf_abi_section);
	return NULL;
}

// The header, the ids of all events, their attributes; then the data begins.
static struct error *write_head(struct perf_data_writer *writer)
{
	struct perf_abi_file_header *header = &writer->header;
	struct perf_abi_section ids = {.offset = sizeof(*header)};
	_cleanup_(string_builder_deinit) struct string_builder bytes = STRING_BUILDER_INIT;
	for (size_t i = 0; i < writer->num_events; i++)
		string_builder_append_n(&bytes, (const char *)writer->events[i].ids,
					writer->events[i].num_ids * sizeof(uint64_t));
	memcpy(header->magic, PERF_ABI_MAGIC, sizeof(header->magic));
	header->size = sizeof(*header);
	header->attrs.offset = sizeof(*header) + bytes.length;
	header->attrs.size = writer->num_events * header->attr_size;
	header->data.offset = header->attrs.offset + header->attrs.size;
	for (size_t i = 0; i < writer->num_events; i++) {
		const struct perf_data_event *event = &writer->events[i];
		ids.size = event->num_ids * sizeof(uint64_t);
		string_builder_append_n(&bytes, (const char *)event->attr, event->attr_size);
		string_builder_append_n(&bytes, (const char *)&ids, sizeof(ids));
		ids.offset += ids.size;
	}
	if (bytes.failed)
		return &error_no_memory;
	struct error *err = perf_data_writer_write_bytes(writer, header, sizeof(*header));
	return err ? err : perf_data_writer_write_bytes(writer, bytes.text, bytes.length);
}

struct error *perf_data_writer_create(const char *path, const struct perf_data_event *events,
				      size_t num_events, struct perf_data_writer **ret)
{
	_cleanup_(perf_data_writer_destroyp) struct perf_data_writer *writer =
		calloc(1, sizeof(*writer));
	if (!writer)
		return &error_no_memory;
	struct error *err = copy_events(writer, events, num_events);
	if (err)
		return err;
	writer->path = arena_strdup(&writer->arena, path);
	if (!writer->path)
		return &error_no_memory;
	if (!file_draft_open(&writer->draft, path))
		return error_create_errno(errno, "cannot write '%s'", path);
	writer->file = writer->draft.stream;
	setvbuf(writer->file, NULL, _IONBF, 0);
	err = write_head(writer);
	if (err)
		return err;
	*ret = take_ptr(writer);
	return NULL;
}

static struct error *perf_data_writer_make_room(struct perf_data_writer *writer, size_t num_words)
{
	return writer->used_words + num_words > BUFFER_WORDS ? perf_data_writer_flush(writer)
							     : NULL;
}

struct error *perf_data_writer_raw(struct perf_data_writer *writer, const void *bytes, size_t size)
{
	struct perf_abi_header header;
	if (size >= sizeof(header))
		memcpy(&header, bytes, sizeof(header));
	if (size < sizeof(header) || header.size != size || size % sizeof(uint64_t))
		return error_create(ERROR_FAILED, "incomplete record of %zu bytes", size);
	size_t num_words = size / sizeof(uint64_t);
	struct error *err = perf_data_writer_make_room(writer, num_words);
	if (err)
		return err;
	memcpy(writer->buffer + writer->used_words, bytes, size);
	writer->used_words += num_words;
	return NULL;
}

struct error *perf_data_writer_trace(struct perf_data_writer *writer, const void *record,
				     size_t record_size, const void *bytes, size_t size)
{
	static const uint8_t zeros[sizeof(uint64_t)];
	uint64_t words[8];
	size_t fill = -size % sizeof(uint64_t);
	if (record_size > sizeof(words) || record_size < 2 * sizeof(uint64_t))
		return error_create(ERROR_FAILED, "a trace's record has %zu bytes", record_size);
	memcpy(words, record, record_size);
	// The size in struct perf_record_auxtrace, behind the header.
	words[1] = size + fill;
	struct error *err = perf_data_writer_raw(writer, words, record_size);
	if (!err)
		err = perf_data_writer_flush(writer);
	if (!err)
		err = perf_data_writer_write_bytes(writer, bytes, size);
	if (!err)
		err = perf_data_writer_write_bytes(writer, zeros, fill);
	if (err)
		return err;
	writer->header.data.size += size + fill;
	return rewrite_header(writer);
}

struct error *perf_data_writer_record(struct perf_data_writer *writer, const struct record *record)
{
	if (record->event >= writer->num_events || !writer->events[record->event].num_ids)
		return error_create(ERROR_FAILED, "a record of event %u, which has no id",
				    record->event);
	struct error *err = perf_data_writer_make_room(writer, RECORD_ENCODER_MAX_WORDS);
	if (err)
		return err;
	size_t num_words;
	const struct perf_data_event *event = &writer->events[record->event];
	err = record_encode(record, event->ids[0], event_attr_more_fields(event->attr),
			    writer->buffer + writer->used_words, &num_words);
	if (err)
		return err;
	writer->used_words += num_words;
	return NULL;
}

struct error *perf_data_writer_round(struct perf_data_writer *writer)
{
	struct perf_abi_header header = {.type = PERF_ABI_FINISHED_ROUND, .size = sizeof(header)};
	return perf_data_writer_raw(writer, &header, sizeof(header));
}

// One section for each feature: first where they all are, then what they say.
static struct error *write_features(struct perf_data_writer *writer,
				    const struct perf_data_info *info)
{
	_cleanup_(string_builder_deinit) struct string_builder payload = STRING_BUILDER_INIT;
	struct perf_abi_section sections[PERF_ABI_NUM_FEATURES];
	size_t num_sections = 0;
	for (unsigned feature = 0; feature < PERF_ABI_NUM_FEATURES; feature++) {
		size_t before = payload.length;
		feature_write(feature, info, &payload);
		if (payload.length == before)
			continue;
		// Within the payload, for now: where that begins depends on the number of sections.
		sections[num_sections].offset = before;
		sections[num_sections++].size = payload.length - before;
		writer->header.features[feature / 64] |= UINT64_C(1) << feature % 64;
	}
	if (payload.failed)
		return &error_no_memory;
	uint64_t start = writer->header.data.offset + writer->header.data.size +
			 num_sections * sizeof(sections[0]);
	for (size_t i = 0; i < num_sections; i++)
		sections[i].offset += start;
	struct error *err =
		perf_data_writer_write_bytes(writer, sections, num_sections * sizeof(sections[0]));
	return err ? err : perf_data_writer_write_bytes(writer, payload.text, payload.length);
}

const char *perf_data_writer_whole_path(const struct perf_data_writer *writer)
{
	return writer->draft.path;
}

uint64_t perf_data_writer_added(const struct perf_data_writer *writer)
{
	return writer->header.data.size + writer->used_words * sizeof(uint64_t);
}

uint64_t perf_data_writer_size(const struct perf_data_writer *writer)
{
	return writer->size;
}

bool perf_data_writer_place(struct perf_data_writer *writer, bool keeps_old)
{
	writer->draft.keeps_old = keeps_old;
	return file_draft_place(&writer->draft);
}

struct error *perf_data_writer_finish(struct perf_data_writer *writer,
				      const struct perf_data_info *info)
{
	struct perf_data_info with_events = *info;
	with_events.events = writer->events;
	with_events.num_events = writer->num_events;
	struct error *err = perf_data_writer_flush(writer);
	if (!err)
		err = write_features(writer, &with_events);
	if (!err)
		err = rewrite_header(writer);
	if (err)
		return err;
	long size = ftell(writer->file);
	writer->size = size > 0 ? (uint64_t)size : 0;
	writer->file = NULL;
	return file_draft_close(&writer->draft, writer->path);
}

void perf_data_writer_destroy(struct perf_data_writer *writer)
{
	if (!writer)
		return;
	file_draft_deinit(&writer->draft);
	arena_deinit(&writer->arena);
	free(writer);
}
