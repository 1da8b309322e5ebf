// SPDX-License-Identifier: Apache-2.0

/**
 * perf_data_samples FILE           one line for each sample: event tid time cpu period ip chain...
 * perf_data_samples FILE OUTPUT    write the same samples, maps and threads from their parts
 * perf_data_samples FILE ""        only read
 */

#include "base/cleanup.h"
#include "record/perf_data/perf_data_reader.h"
#include "record/perf_data/perf_data_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLE_TYPE_OFFSET = 24 };

static int fail(struct error *err)
{
	fprintf(stderr, "%s\n", err->message);
	error_destroy(err);
	return 1;
}

static void print_sample(const struct perf_data_info *info, const struct record *record)
{
	const struct record_sample *sample = &record->sample;
	printf("%s %" PRIu32 " %" PRIu64 " %" PRIu32 " %" PRIu64 " %" PRIx64 " %zu",
	       info->events[record->event].name, record->tid, record->time_ns, record->cpu,
	       sample->period, sample->ip, sample->stack_size);
	for (size_t i = 0; i < sample->chain_length; i++)
		if (sample->chain[i] < RECORD_CONTEXT_MAX)
			printf(" %" PRIx64, sample->chain[i]);
	putchar('\n');
}

// The events of the file, with the sample type that records from parts have.
static struct error *create_writer(const char *path, const struct perf_data_info *info,
				   struct perf_data_writer **ret)
{
	struct perf_data_event events[64];
	size_t num_events = info->num_events < 64 ? info->num_events : 64;
	for (size_t i = 0; i < num_events; i++) {
		events[i] = info->events[i];
		memcpy(events[i].attr + SAMPLE_TYPE_OFFSET, &perf_data_writer_sample_type, 8);
	}
	return perf_data_writer_create(path, events, num_events, ret);
}

static struct error *write_record(struct perf_data_writer *writer, const struct record *record)
{
	static const bool is_written[] = {
		[RECORD_SAMPLE] = true, [RECORD_MAP] = true,  [RECORD_COMM] = true,
		[RECORD_FORK] = true,   [RECORD_EXIT] = true, [RECORD_THROTTLE] = false,
	};
	return is_written[record->kind] ? perf_data_writer_record(writer, record) : NULL;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	_cleanup_(perf_data_reader_destroyp) struct perf_data_reader *reader = NULL;
	_cleanup_(perf_data_writer_destroyp) struct perf_data_writer *writer = NULL;
	struct error *err = perf_data_reader_open(argv[1], &reader);
	if (err)
		return fail(err);
	const struct perf_data_info *info = perf_data_reader_info(reader);
	uint64_t num_samples = 0, num_records = 0, num_late = 0, last_ns = 0;
	for (;;) {
		struct record record;
		bool more = false;
		err = perf_data_reader_next(reader, &record, &more);
		if (err)
			return fail(err);
		if (!more)
			break;
		num_records++;
		num_samples += record.kind == RECORD_SAMPLE;
		num_late += record.kind == RECORD_SAMPLE && record.time_ns < last_ns;
		if (record.kind == RECORD_SAMPLE)
			last_ns = record.time_ns;
		if (argc == 2 && record.kind == RECORD_SAMPLE)
			print_sample(info, &record);
		if (argc > 2 && argv[2][0] && !writer)
			err = create_writer(argv[2], info, &writer);
		if (!err && writer)
			err = write_record(writer, &record);
		if (err)
			return fail(err);
	}
	err = writer ? perf_data_writer_finish(writer, info) : NULL;
	if (err)
		return fail(err);
	struct perf_data_damage damage = perf_data_reader_damage(reader);
	fprintf(stderr,
		"records %" PRIu64 " samples %" PRIu64 " late %" PRIu64 " truncated %" PRIu64
		" bad %" PRIu64 "\n",
		num_records, num_samples, num_late, damage.truncated_bytes, damage.bad_records);
	return 0;
}
