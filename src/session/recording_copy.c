// SPDX-License-Identifier: Apache-2.0

#include "session/recording_copy.h"

#include "base/cleanup.h"
#include "base/container/arena.h"
#include "base/text/anonymous_text.h"
#include "catalog/linux/probe_values.h"
#include "record/perf_data/event_attr.h"
#include "record/perf_data/perf_data_writer.h"
#include "record/probe_values.h"

#include <stdlib.h>
#include <string.h>

// Every record is written from its parts, with the one sample type of perf_data_writer_record(), as
// most formats have no bytes in perf's layout. So the attributes are changed to that sample type,
// and events get new ids. Which samples keep their payload, the attributes say (event_attr.h).
// Records come in order of time; the rounds tell readers so.

enum { RECORDS_IN_ROUND = 4096 };

struct recording_copy {
	struct perf_data_writer *writer;
	size_t num_in_round;
	bool is_anonymous;
	bool *has_values; /* each event: its payloads are those of probe_values.h */
	size_t num_events;
	struct arena arena; /* of the metadata without names */
};

static bool recording_copy_has_values(const struct perf_data_event *event)
{
	struct probe_values values;
	return event_attr_is_output(event->attr, event->attr_size) && event->name &&
	       probe_values_of_name(event->name, &values);
}

/** @ids: room for one id of each event. */
static void recording_copy_set_events(struct recording_copy *copy,
				      const struct perf_data_info *info,
				      struct perf_data_event *events, uint64_t *ids)
{
	for (size_t i = 0; i < info->num_events; i++) {
		const struct perf_data_event *event = &info->events[i];
		events[i] = *event;
		events[i].has_values = recording_copy_has_values(event);
		copy->has_values[i] = events[i].has_values;
		event_attr_set_written(events[i].attr, perf_data_writer_type_of(&events[i]));
		ids[i] = i + 1;
		events[i].ids = &ids[i];
		events[i].num_ids = 1;
	}
}

struct error *recording_copy_create(const char *path, const struct perf_data_info *info,
				    bool is_anonymous, struct recording_copy **ret)
{
	_cleanup_(recording_copy_destroyp) struct recording_copy *copy = calloc(1, sizeof(*copy));
	_cleanup_free_ struct perf_data_event *events = calloc(info->num_events, sizeof(*events));
	_cleanup_free_ uint64_t *ids = calloc(info->num_events, sizeof(*ids));
	if (!copy || !events || !ids)
		return &error_no_memory;
	copy->is_anonymous = is_anonymous;
	copy->num_events = info->num_events;
	copy->has_values = calloc(info->num_events, sizeof(*copy->has_values));
	if (!copy->has_values)
		return &error_no_memory;
	recording_copy_set_events(copy, info, events, ids);
	struct error *err = perf_data_writer_create(path, events, info->num_events, &copy->writer);
	if (err)
		return err;
	*ret = take_ptr(copy);
	return NULL;
}

void recording_copy_destroy(struct recording_copy *copy)
{
	if (!copy)
		return;
	perf_data_writer_destroy(copy->writer);
	arena_deinit(&copy->arena);
	free(copy->has_values);
	free(copy);
}

/** Values of a probe: the payload, with what the kernel adds to make it whole words. */
struct copied_values {
	struct probe_payload head;
	uint8_t bytes[sizeof(struct probe_payload) + PROBE_MAX_VALUES * PROBE_STRING_BYTES +
		      sizeof(uint64_t)];
	size_t size;
};

/** False: it is something else. */
static bool copied_values_take(struct copied_values *values, const uint8_t *payload, size_t size)
{
	if (size < sizeof(values->head))
		return false;
	values->size = size < sizeof(values->bytes) ? size : sizeof(values->bytes);
	memcpy(values->bytes, payload, values->size);
	memcpy(&values->head, payload, sizeof(values->head));
	return values->head.magic == PROBE_PAYLOAD_MAGIC;
}

/** Strings may be paths. */
static struct error *copied_values_hide(struct copied_values *values)
{
	size_t num_strings = (values->size - sizeof(values->head)) / PROBE_STRING_BYTES;
	for (size_t i = 0; i < num_strings; i++) {
		_cleanup_(string_builder_deinit) struct string_builder hidden = STRING_BUILDER_INIT;
		char *text = (char *)values->bytes + sizeof(values->head) + i * PROBE_STRING_BYTES;
		text[PROBE_STRING_BYTES - 1] = '\0';
		if (anonymous_text_append(text, &hidden)) {
			if (hidden.failed)
				return &error_no_memory;
			memset(text, 0, PROBE_STRING_BYTES);
			strncpy(text, hidden.text, PROBE_STRING_BYTES - 1);
		}
	}
	return NULL;
}

/** Strings of a program are written as numbers; what else a payload says, as who woke, is left out.
 *  @values: valid as long as @copied. */
static struct error *recording_copy_hide_payload(const struct recording_copy *copy,
						 struct record *copied,
						 struct copied_values *values)
{
	struct record_sample *sample = &copied->sample;
	bool has_values = copied->event < copy->num_events && copy->has_values[copied->event] &&
			  copied_values_take(values, sample->payload, sample->payload_size);
	struct error *err = has_values ? copied_values_hide(values) : NULL;
	sample->payload = has_values ? values->bytes : NULL;
	sample->payload_size = has_values ? values->size : 0;
	return err;
}

static struct error *recording_copy_add_sample(struct recording_copy *copy,
					       const struct record *record,
					       struct profile_builder_chain chain)
{
	if (record->sample.spe)
		return error_with_hint(error_create(ERROR_FAILED,
						    "traces of SPE cannot be written as perf.data"),
				       "perf reads the recording as it is");
	struct record copied = *record;
	struct copied_values values;
	if (copy->is_anonymous && copied.sample.payload) {
		struct error *err = recording_copy_hide_payload(copy, &copied, &values);
		if (err)
			return err;
	}
	bool is_unwound = record->sample.regs_abi || record->sample.num_branches;
	if (is_unwound) {
		copied.sample.chain = chain.words;
		copied.sample.chain_length = chain.length;
	}
	return perf_data_writer_record(copy->writer, &copied);
}

static struct error *recording_copy_add_map(struct recording_copy *copy,
					    const struct record *record)
{
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	struct record copied = *record;
	if (copy->is_anonymous && anonymous_text_append(record->map.path, &path))
		copied.map.path = path.text;
	return path.failed ? &error_no_memory : perf_data_writer_record(copy->writer, &copied);
}

struct error *recording_copy_add(struct recording_copy *copy, const struct record *record,
				 struct profile_builder_chain chain)
{
	struct error *err = NULL;
	switch (record->kind) {
	case RECORD_OTHER:
	case RECORD_THROTTLE:
		return NULL;
	case RECORD_SAMPLE:
		err = recording_copy_add_sample(copy, record, chain);
		break;
	case RECORD_MAP:
		err = recording_copy_add_map(copy, record);
		break;
	default:
		err = perf_data_writer_record(copy->writer, record);
		break;
	}
	if (err || ++copy->num_in_round < RECORDS_IN_ROUND)
		return err;
	copy->num_in_round = 0;
	return perf_data_writer_round(copy->writer);
}

/** Change a text if it has names. The new one lives as long as the copy. */
static struct error *recording_copy_hide(struct recording_copy *copy, const char **text)
{
	_cleanup_(string_builder_deinit) struct string_builder hidden = STRING_BUILDER_INIT;
	if (!*text || !anonymous_text_append(*text, &hidden))
		return NULL;
	const char *kept = hidden.failed ? NULL : arena_strdup(&copy->arena, hidden.text);
	if (!kept)
		return &error_no_memory;
	*text = kept;
	return NULL;
}

static struct error *recording_copy_hide_files(struct recording_copy *copy,
					       struct perf_data_info *info)
{
	struct perf_data_build_id *ids =
		arena_alloc_array(&copy->arena, info->num_build_ids + 1, sizeof(*ids));
	struct perf_data_pdb *pdbs =
		arena_alloc_array(&copy->arena, info->num_pdbs + 1, sizeof(*pdbs));
	struct error *err = ids && pdbs ? NULL : &error_no_memory;
	for (size_t i = 0; !err && i < info->num_build_ids; i++) {
		ids[i] = info->build_ids[i];
		err = recording_copy_hide(copy, &ids[i].path);
	}
	for (size_t i = 0; !err && i < info->num_pdbs; i++) {
		pdbs[i] = info->pdbs[i];
		err = recording_copy_hide(copy, &pdbs[i].path);
		if (!err)
			err = recording_copy_hide(copy, &pdbs[i].name);
	}
	if (err)
		return err;
	info->build_ids = ids;
	info->pdbs = pdbs;
	return NULL;
}

static struct error *recording_copy_make_anonymous(struct recording_copy *copy,
						   struct perf_data_info *info)
{
	// An ELF file with the paths of sources in its debug information.
	if (info->line_image_size)
		return error_with_hint(
			error_create(ERROR_FAILED, "lines of interpreted code cannot be written "
						   "without names of users"),
			"other formats can: wperf export --anonymous --format firefox");
	info->host = NULL;
	info->users = NULL;
	info->num_users = 0;
	info->arguments = NULL;
	return recording_copy_hide_files(copy, info);
}

struct error *recording_copy_finish(struct recording_copy *copy, const struct perf_data_info *info,
				    const struct symbolizer *names)
{
	_cleanup_(string_builder_deinit) struct string_builder encoded = STRING_BUILDER_INIT;
	struct perf_data_info written = *info;
	struct error *err = symbolizer_encode_names(names, copy->is_anonymous, &encoded);
	if (!err && copy->is_anonymous)
		err = recording_copy_make_anonymous(copy, &written);
	if (err)
		return err;
	written.names = (const uint8_t *)encoded.text;
	written.names_size = encoded.length;
	return perf_data_writer_finish(copy->writer, &written);
}
