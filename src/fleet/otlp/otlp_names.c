// SPDX-License-Identifier: Apache-2.0

#include "fleet/otlp/otlp_names.h"

#include "base/container/array.h"
#include "base/file/file_name.h"
#include "fleet/otlp/otlp_frame_type.h"
#include "fleet/otlp/otlp_message.h"

#include <stdlib.h>
#include <string.h>

// An entry keeps what it became, and for which batch: another batch has other numbers, and nothing
// has to be emptied between two. Every reading of an entry is paid for (otlp_tables.h), and so is
// every frame, as a location with many lines may be in a stack many times.
//
// A location's lines are functions at one address, the innermost first; all but the last are
// inlined. Without lines nothing names the place yet.

// Deeper ones are not of a program. Recordings of wperf have no deeper ones, either.
enum { OTLP_MAX_FRAMES = 1 << 16 };

// Linux maps libraries and position-independent programs above it (the least are those of Arm with
// 39 bits: 0x5500000000); files are linked for addresses below it.
#define OTLP_MIN_LOADED ((uint64_t)1 << 36)

// A frame of a stack takes more memory than the byte that its location may take in the request.
enum { OTLP_FRAME_COST = 4 };

void otlp_names_begin(struct otlp_names *names, struct otlp_tables *tables,
		      struct named_profile *profile)
{
	names->tables = tables;
	names->profile = profile;
	names->batch++;
	names->num_frames = 0;
	names->language[0] = '\0';
	names->has_all_stacks = false;
}

void otlp_names_deinit(struct otlp_names *names)
{
	free(names->frames);
	free(names->locations);
	*names = (struct otlp_names)OTLP_NAMES_INIT;
}

static struct error *otlp_names_intern(struct otlp_names *names, struct otlp_entry *entry,
				       uint32_t *ret)
{
	if (entry->batch == names->batch) {
		*ret = entry->item;
		return NULL;
	}
	const char *text = (const char *)names->tables->bytes + entry->offset;
	if (entry->size && memchr(text, '\0', entry->size))
		return error_create(ERROR_FAILED, "OTLP profiles: a string has a NUL byte");
	struct error *err =
		string_table_intern_n(&names->profile->strings, text, entry->size, &entry->item);
	if (err)
		return err;
	entry->batch = names->batch;
	*ret = entry->item;
	return NULL;
}

/** What an entry became already for this batch: then nothing is to be paid. */
static bool otlp_names_knows(const struct otlp_names *names, enum otlp_table table, uint64_t number,
			     uint32_t *ret)
{
	if (number >= names->tables->tables[table].num_entries)
		return false;
	const struct otlp_entry *entry = &names->tables->tables[table].entries[number];
	if (entry->batch != names->batch)
		return false;
	*ret = entry->item;
	return true;
}

struct error *otlp_names_string(struct otlp_names *names, uint64_t number, uint32_t *ret)
{
	struct otlp_entry *entry;
	if (otlp_names_knows(names, OTLP_STRINGS, number, ret))
		return NULL;
	struct error *err = otlp_tables_entry(names->tables, OTLP_STRINGS, number, &entry);
	return err ? err : otlp_names_intern(names, entry, ret);
}

struct error *otlp_names_text(struct otlp_names *names, struct otlp_value *value, uint32_t *ret)
{
	*ret = 0;
	if (value->type != OTLP_IS_TEXT)
		return NULL;
	struct error *err = value->text.batch == names->batch
				    ? NULL
				    : otlp_tables_spend(names->tables, value->text.size);
	return err ? err : otlp_names_intern(names, &value->text, ret);
}

struct error *otlp_names_attribute(struct otlp_names *names, uint64_t number, otlp_take_fn take,
				   void *data)
{
	struct otlp_attribute *attribute;
	struct error *err = otlp_tables_attribute(names->tables, number, &attribute);
	return err || attribute->key == OTLP_NUM_KEYS ? err : take(data, names, attribute);
}

struct error *otlp_names_attributes(struct otlp_names *names, struct reader numbers,
				    otlp_take_fn take, void *data)
{
	while (reader_left(&numbers)) {
		uint64_t number = reader_uleb128(&numbers);
		struct error *err =
			numbers.failed ? NULL : otlp_names_attribute(names, number, take, data);
		if (err)
			return err;
	}
	return numbers.failed ? otlp_tables_damage("list of attributes") : NULL;
}

struct otlp_mapping {
	struct named_module module;
	uint32_t file; // name of the file
	bool has_name, has_no_path;
	uint64_t start, offset;
};

static struct error *otlp_names_take_of_mapping(void *data, struct otlp_names *names,
						struct otlp_attribute *attribute)
{
	struct otlp_mapping *mapping = data;
	switch (attribute->key) {
	case OTLP_KEY_BUILD_ID:
		return otlp_names_text(names, &attribute->value, &mapping->module.build_id);
	case OTLP_KEY_MODULE_NAME:
		mapping->has_name = true;
		return otlp_names_text(names, &attribute->value, &mapping->module.name);
	case OTLP_KEY_MODULE_PATH:
		mapping->has_no_path = true;
		return NULL;
	case OTLP_KEY_MODULE_PROCESS:
		mapping->module.pid = (uint32_t)attribute->value.number;
		return NULL;
	default:
		return NULL;
	}
}

static struct error *otlp_names_read_mapping(struct otlp_names *names, struct reader message,
					     struct otlp_mapping *ret)
{
	struct otlp_field field;
	struct error *err = NULL;
	while (!err && otlp_message_next(&message, &field)) {
		if (otlp_field_is(&message, &field, OTLP_MAPPING_FILE, OTLP_WIRE_VARINT))
			err = otlp_names_string(names, field.value, &ret->file);
		else if (otlp_field_is(&message, &field, OTLP_MAPPING_START, OTLP_WIRE_VARINT))
			ret->start = field.value;
		else if (otlp_field_is(&message, &field, OTLP_MAPPING_OFFSET, OTLP_WIRE_VARINT))
			ret->offset = field.value;
		else if (otlp_field_is(&message, &field, OTLP_MAPPING_ATTRIBUTES, OTLP_WIRE_BYTES))
			err = otlp_names_attributes(names, field.bytes, otlp_names_take_of_mapping,
						    ret);
	}
	return err || !message.failed ? err : otlp_tables_damage("mapping");
}

/** @ret: NAMED_NONE of the zero value, which has no name. */
static struct error *otlp_names_module(struct otlp_names *names, struct otlp_entry *entry,
				       struct otlp_mapping *mapping, uint32_t *ret)
{
	struct named_profile *profile = names->profile;
	struct error *err =
		otlp_names_read_mapping(names, otlp_tables_bytes(names->tables, entry), mapping);
	if (err)
		return err;
	if (!mapping->file && !mapping->has_name) {
		*ret = NAMED_NONE;
		return NULL;
	}
	mapping->module.path = mapping->has_no_path ? 0 : mapping->file;
	if (!mapping->has_name)
		err = named_profile_string(
			profile, file_name_to_show(named_profile_text(profile, mapping->file)),
			&mapping->module.name);
	if (err)
		return err;
	return names->keeps_builds ? named_profile_build(profile, &mapping->module, ret)
				   : named_profile_module(profile, &mapping->module, ret);
}

struct otlp_location {
	uint32_t module;
	uint64_t address;
	enum frame_kind kind;
	uint32_t file;
	bool has_file, is_inlined, is_compiled;
	struct reader message; // once more, for its lines
};

// A word that was not known before: that of an interpreter.
static void otlp_names_note_language(struct otlp_names *names, const char *word)
{
	if (!names->language[0] && strlen(word) < sizeof(names->language) &&
	    strcmp(word, otlp_frame_type_interpreted) != 0)
		strcpy(names->language, word);
}

static struct error *otlp_names_take_of_location(void *data, struct otlp_names *names,
						 struct otlp_attribute *attribute)
{
	struct otlp_location *location = data;
	struct error *err;
	uint32_t word;
	switch (attribute->key) {
	case OTLP_KEY_FRAME_TYPE:
		err = otlp_names_text(names, &attribute->value, &word);
		if (err || !word)
			return err;
		location->kind = otlp_frame_type_kind(named_profile_text(names->profile, word));
		if (location->kind == FRAME_INTERPRETED)
			otlp_names_note_language(names, named_profile_text(names->profile, word));
		return NULL;
	case OTLP_KEY_FRAME_FILE:
		location->has_file = true;
		return otlp_names_text(names, &attribute->value, &location->file);
	case OTLP_KEY_FRAME_INLINED:
		location->is_inlined = attribute->value.number != 0;
		return NULL;
	case OTLP_KEY_FRAME_COMPILED:
		location->is_compiled = attribute->value.number != 0;
		return NULL;
	default:
		return NULL;
	}
}

static struct error *otlp_names_set_mapping(struct otlp_names *names, uint64_t number,
					    struct otlp_location *location,
					    struct otlp_mapping *mapping)
{
	struct otlp_entry *entry;
	struct error *err = otlp_tables_entry(names->tables, OTLP_MAPPINGS, number, &entry);
	return err ? err : otlp_names_module(names, entry, mapping, &location->module);
}

static struct error *otlp_names_read_location(struct otlp_names *names, struct reader message,
					      struct otlp_location *ret)
{
	*ret = (struct otlp_location){.module = NAMED_NONE, .message = message};
	struct otlp_mapping mapping = {0};
	struct otlp_field field;
	struct error *err = NULL;
	while (!err && otlp_message_next(&message, &field)) {
		if (otlp_field_is(&message, &field, OTLP_LOCATION_MAPPING, OTLP_WIRE_VARINT)) {
			mapping = (struct otlp_mapping){0};
			err = otlp_names_set_mapping(names, field.value, ret, &mapping);
		} else if (otlp_field_is(&message, &field, OTLP_LOCATION_ADDRESS,
					 OTLP_WIRE_VARINT)) {
			ret->address = field.value;
		} else if (otlp_field_is(&message, &field, OTLP_LOCATION_ATTRIBUTES,
					 OTLP_WIRE_BYTES)) {
			err = otlp_names_attributes(names, field.bytes, otlp_names_take_of_location,
						    ret);
		}
	}
	if (err || message.failed)
		return err ? err : otlp_tables_old(otlp_tables_damage("location"));
	// Addresses of a process become those of the file, as ours and most agents' are.
	// Programs that are linked for an address, and mappings of agents who give addresses as the
	// file's symbols have them (OpenTelemetry's eBPF profiler), begin far below all others.
	if (mapping.start >= OTLP_MIN_LOADED && ret->address >= mapping.start)
		ret->address = ret->address - mapping.start + mapping.offset;
	if (ret->kind == FRAME_INTERPRETED)
		ret->address = 0;
	return NULL;
}

static struct error *otlp_names_keep_frame(struct otlp_names *names, uint32_t value)
{
	struct error *err =
		array_reserve(&names->frames, &names->cap_frames, names->num_frames + 1);
	if (!err)
		names->frames[names->num_frames++] = value;
	return err;
}

/** @function: its file, line and names. @is_inlined: lines follow. */
static struct error *otlp_names_add_frame(struct otlp_names *names,
					  const struct otlp_location *location,
					  struct named_function *function, uint32_t line,
					  bool is_inlined)
{
	function->module = location->module;
	function->kind = location->kind;
	struct named_frame frame = {
		.file = !is_inlined && location->has_file ? location->file : function->file,
		.line = line,
		.is_inlined = is_inlined || location->is_inlined,
		.is_compiled = location->is_compiled,
		.address = location->address,
	};
	uint32_t index;
	struct error *err = named_profile_function(names->profile, function, &frame.function);
	if (!err)
		err = named_profile_frame(names->profile, &frame, &index);
	return err ? err : otlp_names_keep_frame(names, index);
}

static struct error *otlp_names_read_function(struct otlp_names *names, uint64_t number,
					      struct named_function *ret)
{
	struct otlp_entry *entry;
	struct error *err = otlp_tables_entry(names->tables, OTLP_FUNCTIONS, number, &entry);
	if (err)
		return err;
	struct reader message = otlp_tables_bytes(names->tables, entry);
	struct otlp_field field;
	while (!err && otlp_message_next(&message, &field)) {
		if (otlp_field_is(&message, &field, OTLP_FUNCTION_NAME, OTLP_WIRE_VARINT))
			err = otlp_names_string(names, field.value, &ret->name);
		else if (otlp_field_is(&message, &field, OTLP_FUNCTION_LINKAGE_NAME,
				       OTLP_WIRE_VARINT))
			err = otlp_names_string(names, field.value, &ret->linkage_name);
		else if (otlp_field_is(&message, &field, OTLP_FUNCTION_FILE, OTLP_WIRE_VARINT))
			err = otlp_names_string(names, field.value, &ret->file);
		else if (otlp_field_is(&message, &field, OTLP_FUNCTION_LINE, OTLP_WIRE_VARINT))
			ret->line = (uint32_t)field.value;
	}
	if (!err && message.failed)
		err = otlp_tables_damage("function");
	// Others say the same name twice.
	if (ret->linkage_name == ret->name)
		ret->linkage_name = 0;
	if (!err && !ret->name)
		ret->name = ret->linkage_name;
	return err || ret->name ? err
				: named_profile_string(names->profile, "[unknown]", &ret->name);
}

static struct error *otlp_names_add_line(struct otlp_names *names,
					 const struct otlp_location *location,
					 struct reader message, bool is_inlined)
{
	uint64_t number = 0, line = 0;
	struct otlp_field field;
	while (otlp_message_next(&message, &field)) {
		if (otlp_field_is(&message, &field, OTLP_LINE_FUNCTION, OTLP_WIRE_VARINT))
			number = field.value;
		else if (otlp_field_is(&message, &field, OTLP_LINE_LINE, OTLP_WIRE_VARINT))
			line = field.value;
	}
	if (message.failed)
		return otlp_tables_damage("line");
	struct named_function function = {0};
	struct error *err = otlp_names_read_function(names, number, &function);
	return err ? err
		   : otlp_names_add_frame(names, location, &function,
					  line <= UINT32_MAX ? (uint32_t)line : 0, is_inlined);
}

// A line is inlined if another one follows.
static struct error *otlp_names_add_lines(struct otlp_names *names,
					  const struct otlp_location *location)
{
	struct reader message = location->message, line;
	struct otlp_field field;
	struct error *err = NULL;
	bool has_line = false;
	while (!err && otlp_message_next(&message, &field)) {
		if (!otlp_field_is(&message, &field, OTLP_LOCATION_LINES, OTLP_WIRE_BYTES))
			continue;
		if (has_line)
			err = otlp_names_add_line(names, location, line, true);
		line = field.bytes;
		has_line = true;
	}
	if (err || message.failed)
		return err ? err : otlp_tables_damage("location");
	if (has_line)
		return otlp_names_add_line(names, location, line, false);
	struct named_function function = {0};
	err = named_profile_string(names->profile, "[unknown]", &function.name);
	return err ? err : otlp_names_add_frame(names, location, &function, 0, false);
}

/** @ret: where its frames are. */
static struct error *otlp_names_location(struct otlp_names *names, uint64_t number, uint32_t *ret)
{
	struct otlp_entry *entry;
	struct otlp_location location;
	if (otlp_names_knows(names, OTLP_LOCATIONS, number, ret))
		return NULL;
	struct error *err = otlp_tables_entry(names->tables, OTLP_LOCATIONS, number, &entry);
	if (err)
		return err;
	size_t first = names->num_frames;
	err = otlp_names_read_location(names, otlp_tables_bytes(names->tables, entry), &location);
	if (!err)
		err = otlp_names_keep_frame(names, 0);
	if (!err)
		err = otlp_names_add_lines(names, &location);
	if (err)
		return err;
	names->frames[first] = (uint32_t)(names->num_frames - first - 1);
	entry->batch = names->batch;
	*ret = entry->item = (uint32_t)first;
	return NULL;
}

struct error *otlp_names_all_frames(struct otlp_names *names)
{
	size_t num_locations = names->tables->tables[OTLP_LOCATIONS].num_entries;
	struct error *err = NULL;
	uint32_t place;
	// Not the zero value.
	for (size_t i = 1; !err && i < num_locations; i++)
		err = otlp_names_location(names, i, &place);
	return err;
}

static struct error *otlp_names_add_locations(struct otlp_names *names, struct reader numbers)
{
	while (reader_left(&numbers)) {
		struct error *err = array_reserve(&names->locations, &names->cap_locations,
						  names->num_locations + 1);
		if (!err)
			err = otlp_names_location(names, reader_uleb128(&numbers),
						  &names->locations[names->num_locations]);
		if (err)
			return err;
		names->num_locations++;
	}
	return numbers.failed ? otlp_tables_damage("stack") : NULL;
}

/** From the outermost frame to the innermost one. */
static struct error *otlp_names_push_frames(struct otlp_names *names, uint32_t *ret)
{
	uint32_t stack = STACK_NONE;
	uint64_t num_frames = 0;
	for (size_t i = names->num_locations; i > 0; i--) {
		const uint32_t *frames = &names->frames[names->locations[i - 1]];
		num_frames += frames[0];
		if (num_frames > OTLP_MAX_FRAMES)
			return error_create(ERROR_FAILED,
					    "OTLP profiles: a stack has more than %d frames",
					    OTLP_MAX_FRAMES);
		struct error *err =
			otlp_tables_spend(names->tables, (uint64_t)OTLP_FRAME_COST * frames[0]);
		for (uint32_t j = frames[0]; !err && j > 0; j--)
			err = stack_table_push(&names->profile->stacks, stack, frames[j], &stack);
		if (err)
			return err;
	}
	*ret = stack;
	return NULL;
}

struct error *otlp_names_stack(struct otlp_names *names, uint64_t number, uint32_t *ret)
{
	struct otlp_entry *entry;
	if (otlp_names_knows(names, OTLP_STACKS, number, ret))
		return NULL;
	// The zero value; some senders have no table if it has nothing else.
	if (!number) {
		*ret = STACK_NONE;
		return NULL;
	}
	struct error *err = otlp_tables_entry(names->tables, OTLP_STACKS, number, &entry);
	if (err)
		return err;
	struct reader message = otlp_tables_bytes(names->tables, entry);
	struct otlp_field field;
	names->num_locations = 0;
	while (!err && otlp_message_next(&message, &field))
		if (otlp_field_is(&message, &field, OTLP_STACK_LOCATIONS, OTLP_WIRE_BYTES))
			err = otlp_names_add_locations(names, field.bytes);
	if (!err && message.failed)
		err = otlp_tables_old(otlp_tables_damage("stack"));
	if (!err)
		err = otlp_names_push_frames(names, &entry->item);
	if (err)
		return err;
	entry->batch = names->batch;
	*ret = entry->item;
	return NULL;
}

struct error *otlp_names_all_stacks(struct otlp_names *names)
{
	size_t num_stacks = names->tables->tables[OTLP_STACKS].num_entries;
	struct error *err = NULL;
	uint32_t stack;
	// Not the zero value.
	for (size_t i = 1; !err && !names->has_all_stacks && i < num_stacks; i++)
		err = otlp_names_stack(names, i, &stack);
	names->has_all_stacks = true;
	return err;
}
