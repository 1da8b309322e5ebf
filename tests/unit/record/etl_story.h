/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_RECORD_ETL_STORY_H
#define WPERF_TESTS_UNIT_RECORD_ETL_STORY_H

/** The records of an ETW file that was put together by hand, one line each; include behind
 * cmocka.h. "1500 cpu-clock 10/11 1000000: k ffff800000001000 u 401000" is a sample at tick 1500 of
 * thread 11 in process 10, which stands for 1 ms, with its chain. */

#include "base/text/string_builder.h"
#include "record/etl/etl_reader.h"

#include "assert_error.h"
#include "etl_kernel_bytes.h"

#include <inttypes.h>

struct etl_story {
	struct etl_bytes file;
	struct etl_reader *reader;
	struct string_builder text, line;
};

enum { STORY_NS_PER_TICK = 100 };

static inline void etl_story_begin(struct etl_story *story, bool is_32_bit)
{
	*story = (struct etl_story){.file.is_32_bit = is_32_bit,
				    .text = STRING_BUILDER_INIT,
				    .line = STRING_BUILDER_INIT};
	etl_bytes_first_buffer(&story->file, &(struct etl_bytes_log){.start_ticks = 1000});
	etl_bytes_begin_buffer(&story->file, 0, 1);
}

/** The next events are of another CPU. */
static inline void etl_story_cpu(struct etl_story *story, uint16_t cpu)
{
	etl_bytes_end_buffer(&story->file);
	etl_bytes_begin_buffer(&story->file, cpu, 1);
}

static inline void etl_story_add_chain(struct string_builder *text, const uint64_t *chain,
				       size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (chain[i] == RECORD_CONTEXT_KERNEL)
			string_builder_append(text, " k");
		else if (chain[i] == RECORD_CONTEXT_USER)
			string_builder_append(text, " u");
		else
			string_builder_appendf(text, " %" PRIx64, chain[i]);
	}
}

static inline void etl_story_add_sample(struct etl_story *story, const struct record *record)
{
	const struct record_sample *sample = &record->sample;
	const struct perf_data_info *info = etl_reader_info(story->reader);
	assert_true(record->event < info->num_events);
	string_builder_appendf(&story->line, "%s %" PRIu32 "/%" PRIu32 " %" PRIu64 ":",
			       info->events[record->event].name, record->pid, record->tid,
			       sample->period);
	etl_story_add_chain(&story->line, sample->chain, sample->chain_length);
	if (!sample->chain_length)
		string_builder_appendf(&story->line, " = %" PRIx64, sample->ip);
}

static inline void etl_story_add_map(struct etl_story *story, const struct record *record)
{
	const struct record_map *map = &record->map;
	if (record->mode == RECORD_MODE_KERNEL)
		string_builder_append(&story->line, "kernel map");
	else
		string_builder_appendf(&story->line, "map %" PRIu32, record->pid);
	string_builder_appendf(&story->line, " %" PRIx64 "+%" PRIx64 " %s", map->start, map->length,
			       map->path);
	if (map->build_id.size)
		string_builder_appendf(&story->line, " %02x%02x", map->build_id.bytes[0],
				       map->build_id.bytes[1]);
}

static inline void etl_story_add(struct etl_story *story, const struct record *record)
{
	struct string_builder *text = &story->line;
	string_builder_appendf(text, "%" PRIu64 " ", record->time_ns / STORY_NS_PER_TICK);
	switch (record->kind) {
	case RECORD_SAMPLE:
		etl_story_add_sample(story, record);
		break;
	case RECORD_MAP:
		etl_story_add_map(story, record);
		break;
	case RECORD_COMM:
		string_builder_appendf(text, "%s %" PRIu32 "/%" PRIu32 " %s",
				       record->comm.is_exec ? "exec" : "name", record->pid,
				       record->tid, record->comm.name);
		break;
	case RECORD_FORK:
		string_builder_appendf(text, "begin %" PRIu32 "/%" PRIu32 " of %" PRIu32,
				       record->pid, record->tid, record->task.parent_pid);
		break;
	case RECORD_EXIT:
		string_builder_appendf(text, "end %" PRIu32 "/%" PRIu32, record->pid, record->tid);
		break;
	default:
		fail_msg("a record of kind %d", record->kind);
	}
	string_builder_append(text, "\n");
}

/** The file is complete: all of its records, of which only those that have @about are told. */
static inline const char *etl_story_end_about(struct etl_story *story, const char *about)
{
	struct etl_stream *stream;
	struct record record;
	bool more;
	etl_bytes_end_buffer(&story->file);
	assert_no_error(
		etl_stream_open_memory("story.etl", story->file.data, story->file.size, &stream));
	assert_no_error(etl_reader_create(stream, &story->reader));
	for (;;) {
		assert_no_error(etl_reader_next(story->reader, &record, &more));
		if (!more)
			break;
		etl_story_add(story, &record);
		const char *line = string_builder_peek(&story->line);
		string_builder_append(&story->text, strstr(line, about) ? line : "");
		string_builder_clear(&story->line);
	}
	return string_builder_peek(&story->text);
}

static inline const char *etl_story_end(struct etl_story *story)
{
	return etl_story_end_about(story, "");
}

static inline void etl_story_deinit(struct etl_story *story)
{
	etl_reader_destroy(story->reader);
	etl_bytes_deinit(&story->file);
	string_builder_deinit(&story->text);
	string_builder_deinit(&story->line);
}

#endif
