// SPDX-License-Identifier: Apache-2.0

#include "record/recording_reader.h"

#include <stdlib.h>

// One row for each format. Its functions get what its open() made.

struct recording_format {
	struct error *(*open)(const struct recording_choice *choice, void **ret);
	void (*destroy)(void *reader);
	const struct perf_data_info *(*info)(const void *reader);
	struct error *(*next)(void *reader, struct record *ret, bool *ret_more);
	bool (*is_own)(const void *reader);
	struct perf_data_position (*position)(const void *reader);
	struct recording_notes (*notes)(const void *reader);
};

struct recording_reader {
	const struct recording_format *format;
	void *reader;
};

static struct error *recording_reader_open_perf_data(const struct recording_choice *choice,
						     void **ret)
{
	struct perf_data_reader *reader = NULL;
	struct error *err = choice->is_own_only ? perf_data_reader_open_own(choice->path, &reader)
						: perf_data_reader_open(choice->path, &reader);
	if (!err)
		*ret = reader;
	return err;
}

static void recording_reader_destroy_perf_data(void *reader)
{
	perf_data_reader_destroy(reader);
}

static const struct perf_data_info *recording_reader_perf_data_info(const void *reader)
{
	return perf_data_reader_info(reader);
}

static struct error *recording_reader_perf_data_next(void *reader, struct record *ret,
						     bool *ret_more)
{
	return perf_data_reader_next(reader, ret, ret_more);
}

static bool recording_reader_perf_data_is_own(const void *reader)
{
	return perf_data_reader_is_own(reader);
}

static struct perf_data_position recording_reader_perf_data_position(const void *reader)
{
	return perf_data_reader_position(reader);
}

static struct recording_notes recording_reader_perf_data_notes(const void *reader)
{
	return (struct recording_notes){.perf_data = perf_data_reader_damage(reader)};
}

static const struct recording_format perf_data_format = {
	.open = recording_reader_open_perf_data,
	.destroy = recording_reader_destroy_perf_data,
	.info = recording_reader_perf_data_info,
	.next = recording_reader_perf_data_next,
	.is_own = recording_reader_perf_data_is_own,
	.position = recording_reader_perf_data_position,
	.notes = recording_reader_perf_data_notes,
};

struct error *recording_reader_open(const struct recording_choice *choice,
				    struct recording_reader **ret)
{
	_cleanup_(recording_reader_destroyp) struct recording_reader *reader =
		calloc(1, sizeof(*reader));
	if (!reader)
		return &error_no_memory;
	reader->format = &perf_data_format;
	struct error *err = reader->format->open(choice, &reader->reader);
	if (err)
		return err;
	*ret = take_ptr(reader);
	return NULL;
}

void recording_reader_destroy(struct recording_reader *reader)
{
	if (!reader)
		return;
	if (reader->reader)
		reader->format->destroy(reader->reader);
	free(reader);
}

const struct perf_data_info *recording_reader_info(const struct recording_reader *reader)
{
	return reader->format->info(reader->reader);
}

struct error *recording_reader_next(struct recording_reader *reader, struct record *ret,
				    bool *ret_more)
{
	return reader->format->next(reader->reader, ret, ret_more);
}

bool recording_reader_is_own(const struct recording_reader *reader)
{
	return reader->format->is_own(reader->reader);
}

struct perf_data_position recording_reader_position(const struct recording_reader *reader)
{
	return reader->format->position(reader->reader);
}

struct recording_notes recording_reader_notes(const struct recording_reader *reader)
{
	return reader->format->notes(reader->reader);
}
