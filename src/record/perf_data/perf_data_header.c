// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/perf_data_header.h"

#include "base/file/file_path.h"
#include "record/perf_data/perf_abi.h"

#include <string.h>

// A perf.data file begins with struct perf_file_header (tools/perf/util/header.h): sections of
// attributes and of records, and a bit set of features. Each attribute is a perf_event_attr of the
// writer's size, then a section with the ids of its events. Behind the records is a table with one
// section for each bit of the features.
//
// A writer that was killed leaves a data size of 0 and no features; then all of the rest is taken
// as records. A file that was cut has less data than it says; then the table of features is not
// there. Sections may overlap and repeat, so the ids of all events together are limited by the
// size of the file (perf_data_header_read_events()).

struct file {
	const uint8_t *bytes;
	size_t size;
	struct perf_abi_file_header header;
};

bool perf_data_is_recording(const char *path)
{
	char magic[sizeof(PERF_ABI_MAGIC) - 1];
	FILE *file = file_path_open_regular(path);
	bool is_read = file && fread(magic, sizeof(magic), 1, file) == 1;
	if (file)
		fclose(file);
	return is_read && memcmp(magic, PERF_ABI_MAGIC, sizeof(magic)) == 0;
}

struct error *perf_data_check_owner(const struct file_map *map, const char *path)
{
	if (!file_map_is_of_stranger(map))
		return NULL;
	return error_with_hint(error_create(ERROR_FAILED, "'%s' is not owned by you or root", path),
			       "if you trust who made it: -f");
}

struct error *perf_data_header_mode(const uint8_t *bytes, enum perf_data_mode *ret)
{
	uint64_t magic, size;
	memcpy(&magic, bytes, sizeof(magic));
	memcpy(&size, bytes + sizeof(magic), sizeof(size));
	// The magic number is written as an integer: its bytes are reversed on a big-endian
	// machine.
	if (memcmp(bytes, "2ELIFREP", sizeof(magic)) == 0)
		return error_create(ERROR_FAILED,
				    "its byte order is big-endian, which is not supported");
	if (memcmp(bytes, "PERFFILE", sizeof(magic)) == 0)
		return error_create(ERROR_FAILED, "version 1 of perf.data is not supported");
	if (memcmp(bytes, PERF_ABI_MAGIC, sizeof(magic)) != 0)
		return error_create(ERROR_FAILED, "it is not a perf.data file");
	if (size == PERF_ABI_PIPE_HEADER_SIZE)
		*ret = PERF_DATA_PIPE;
	else if (size >= sizeof(struct perf_abi_file_header))
		*ret = PERF_DATA_FILE;
	else
		return error_create(ERROR_FAILED, "its header has %llu bytes",
				    (unsigned long long)size);
	return NULL;
}

static bool is_within(const struct file *file, struct perf_abi_section section)
{
	return section.offset <= file->size && section.size <= file->size - section.offset;
}

static struct error *perf_data_header_read_events(const struct file *file,
						  struct event_table *events)
{
	struct perf_abi_section attrs = file->header.attrs;
	size_t entry_size = file->header.attr_size;
	if (!is_within(file, attrs) || entry_size < sizeof(struct perf_abi_section) ||
	    entry_size > file->size)
		return error_create(ERROR_FAILED, "its events are not in the file");
	// An entry is an attribute with the section of its ids behind it.
	size_t attr_size = entry_size - sizeof(struct perf_abi_section);
	// Sections may overlap, but no file has more ids than it has room for.
	size_t ids_left = file->size / sizeof(uint64_t);
	for (size_t i = 0; i < attrs.size / entry_size; i++) {
		const uint8_t *entry = file->bytes + attrs.offset + i * entry_size;
		struct perf_abi_section ids;
		memcpy(&ids, entry + attr_size, sizeof(ids));
		size_t num_ids = ids.size / sizeof(uint64_t);
		if (!is_within(file, ids) || num_ids > ids_left)
			return error_create(ERROR_FAILED,
					    "the ids of an event are not in the file");
		ids_left -= num_ids;
		struct error *err = event_table_add(events, entry, attr_size,
						    file->bytes + ids.offset, num_ids);
		if (err)
			return err;
	}
	event_table_sort(events);
	return NULL;
}

// A table of sections, one for each feature that there is, stands behind the records.
static struct error *read_features(const struct file *file, struct event_table *events,
				   struct feature_reader *features)
{
	struct perf_abi_section entry = {.size = sizeof(entry)};
	entry.offset = file->header.data.offset + file->header.data.size;
	for (unsigned feature = 0; feature < PERF_ABI_NUM_FEATURES; feature++) {
		if (!(file->header.features[feature / 64] >> feature % 64 & 1))
			continue;
		if (!is_within(file, entry))
			break;
		struct perf_abi_section section;
		memcpy(&section, file->bytes + entry.offset, sizeof(section));
		entry.offset += sizeof(section);
		if (!is_within(file, section))
			continue;
		struct error *err = feature_read(features, feature, file->bytes + section.offset,
						 section.size, events);
		if (err)
			return err;
	}
	return NULL;
}

struct error *perf_data_header_read(const uint8_t *bytes, size_t size, struct event_table *events,
				    struct feature_reader *features, struct perf_data_range *ret)
{
	struct file file = {.bytes = bytes, .size = size};
	if (size < sizeof(file.header))
		return error_create(ERROR_FAILED, "its header is truncated");
	memcpy(&file.header, bytes, sizeof(file.header));
	struct perf_abi_section data = file.header.data;
	if (data.offset > size)
		return error_create(ERROR_FAILED, "its records are not in the file");
	struct error *err = perf_data_header_read_events(&file, events);
	if (err)
		return err;
	size_t rest = size - data.offset;
	// A writer that was killed may not have said how much it wrote, and has no features.
	const uint64_t *bits = file.header.features;
	bool has_features = bits[0] | bits[1] | bits[2] | bits[3];
	bool is_unfinished = !data.size && !has_features;
	*ret = (struct perf_data_range){
		.offset = data.offset,
		.size = is_unfinished || data.size > rest ? rest : data.size,
	};
	return data.size <= rest ? read_features(&file, events, features) : NULL;
}
