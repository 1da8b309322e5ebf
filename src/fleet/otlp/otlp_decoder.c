// SPDX-License-Identifier: Apache-2.0

#include "fleet/otlp/otlp_decoder.h"

#include "base/container/array.h"
#include "fleet/otlp/otlp_fields.h"
#include "fleet/otlp/otlp_member.h"
#include "fleet/otlp/otlp_message.h"
#include "fleet/otlp/otlp_names.h"
#include "fleet/otlp/otlp_samples.h"
#include "fleet/otlp/otlp_tables.h"
#include "profile/stored/profile_order.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The dictionary may come behind what refers to it: it is read first. Then profile by profile, its
// attributes and types before its samples, which may come before them as well; so each profile is
// gone through twice. A batch begins with the first profile of a scope, and anew where the id of
// the batch is another one.

enum { OTLP_NANOSECONDS_PER_SECOND = 1000000000, OTLP_MAX_LABEL = 1 << 16 };

struct otlp_decoder {
	struct otlp_tables tables;
	struct otlp_names names;
	struct otlp_batches batches;
	enum otlp_grouping grouping;
	struct reader resource; // that of the profiles now
	bool has_batch;         // one that the next profile may belong to
	size_t first_event;     // of the batch that the profile belongs to
};

static void otlp_decoder_deinit(struct otlp_decoder *decoder)
{
	otlp_tables_deinit(&decoder->tables);
	otlp_names_deinit(&decoder->names);
	otlp_batches_deinit(&decoder->batches);
}

static struct fleet_batch *otlp_decoder_batch(struct otlp_decoder *decoder)
{
	return &decoder->batches.batches[decoder->batches.num_batches - 1];
}

static char *otlp_decoder_copy(const struct otlp_decoder *decoder, const struct otlp_entry *text)
{
	char *copy = malloc((size_t)text->size + 1);
	if (copy) {
		memcpy(copy, decoder->tables.bytes + text->offset, text->size);
		copy[text->size] = '\0';
	}
	return copy;
}

static struct error *otlp_decoder_set_label(struct otlp_decoder *decoder,
					    const struct otlp_entry *name,
					    const struct otlp_value *value)
{
	if (name->size > OTLP_MAX_LABEL || value->text.size > OTLP_MAX_LABEL)
		return error_create(ERROR_FAILED,
				    "OTLP profiles: an attribute of a resource has more than %d "
				    "bytes",
				    OTLP_MAX_LABEL);
	char number[32];
	_cleanup_free_ char *key = otlp_decoder_copy(decoder, name);
	_cleanup_free_ char *text = otlp_decoder_copy(decoder, &value->text);
	if (!key || !text)
		return &error_no_memory;
	if (value->type == OTLP_IS_NUMBER)
		snprintf(number, sizeof(number), "%" PRId64, (int64_t)value->number);
	else if (value->type == OTLP_IS_REAL)
		snprintf(number, sizeof(number), "%g", value->real);
	return fleet_batch_set_label(otlp_decoder_batch(decoder), key,
				     value->type == OTLP_IS_TEXT ? text : number);
}

static struct error *otlp_decoder_read_label(struct otlp_decoder *decoder, struct reader message)
{
	struct otlp_tables *tables = &decoder->tables;
	struct otlp_value value = {.type = OTLP_IS_NOTHING};
	struct otlp_entry name = {0}, *string;
	struct otlp_field field;
	struct error *err = NULL;
	while (!err && otlp_message_next(&message, &field)) {
		if (otlp_field_is(&message, &field, OTLP_KEY_VALUE_VALUE, OTLP_WIRE_BYTES)) {
			err = otlp_tables_value(tables, field.bytes, &value);
		} else if (otlp_field_is(&message, &field, OTLP_KEY_VALUE_KEY_STRING,
					 OTLP_WIRE_VARINT)) {
			err = otlp_tables_entry(tables, OTLP_STRINGS, field.value, &string);
			if (!err)
				name = *string;
		} else if (otlp_field_is(&message, &field, OTLP_KEY_VALUE_KEY, OTLP_WIRE_BYTES) &&
			   field.bytes.size) {
			name = (struct otlp_entry){
				.offset = (uint32_t)(field.bytes.data - tables->bytes),
				.size = (uint32_t)field.bytes.size};
		}
	}
	if (err || message.failed)
		return err ? err : otlp_tables_damage("attribute of a resource");
	return value.type == OTLP_IS_NOTHING ? NULL
					     : otlp_decoder_set_label(decoder, &name, &value);
}

static struct error *otlp_decoder_read_resource(struct otlp_decoder *decoder)
{
	struct reader message = decoder->resource;
	struct otlp_field field;
	size_t num_labels = 0;
	struct error *err = otlp_tables_spend(&decoder->tables, message.size);
	while (!err && otlp_message_next(&message, &field)) {
		if (!otlp_field_is(&message, &field, OTLP_RESOURCE_ATTRIBUTES, OTLP_WIRE_BYTES))
			continue;
		if (++num_labels > OTLP_MAX_LABELS)
			return error_create(ERROR_FAILED,
					    "OTLP profiles: a resource has more than %d attributes",
					    OTLP_MAX_LABELS);
		err = otlp_decoder_read_label(decoder, field.bytes);
	}
	return err || !message.failed ? err : otlp_tables_damage("resource");
}

/** What agents other than ours say of the recording is in labels. */
static struct error *otlp_decoder_describe(struct fleet_batch *batch)
{
	struct named_profile *profile = &batch->profile;
	struct error *err = named_profile_string(profile, fleet_batch_label(batch, "host.name"),
						 &profile->host);
	if (!err)
		err = named_profile_string(profile, fleet_batch_label(batch, "host.arch"),
					   &profile->machine);
	return err ? err
		   : named_profile_string(profile, fleet_batch_label(batch, "process.command_line"),
					  &profile->command_line);
}

static struct error *otlp_decoder_begin_batch(struct otlp_decoder *decoder)
{
	struct otlp_batches *batches = &decoder->batches;
	if (batches->num_batches == OTLP_MAX_BATCHES)
		return error_create(ERROR_FAILED,
				    "OTLP profiles: more than %d batches in one request",
				    OTLP_MAX_BATCHES);
	struct error *err =
		array_reserve(&batches->batches, &batches->cap_batches, batches->num_batches + 1);
	if (err)
		return err;
	// Also if it fails, it can be deinitialized.
	err = fleet_batch_init(&batches->batches[batches->num_batches++]);
	if (!err)
		err = otlp_decoder_read_resource(decoder);
	if (!err)
		err = otlp_decoder_describe(otlp_decoder_batch(decoder));
	decoder->has_batch = true;
	return err;
}

/** What a profile says besides its samples. */
struct otlp_head {
	uint64_t time_ns, length_ns, period;
	uint64_t sample_type, sample_unit, period_type, period_unit; // numbers of strings
	struct reader attributes;
};

static struct error *otlp_decoder_read_type(struct reader message, uint64_t *ret_type,
					    uint64_t *ret_unit)
{
	struct otlp_field field;
	*ret_type = *ret_unit = 0;
	while (otlp_message_next(&message, &field)) {
		if (otlp_field_is(&message, &field, OTLP_TYPE_TYPE, OTLP_WIRE_VARINT))
			*ret_type = field.value;
		else if (otlp_field_is(&message, &field, OTLP_TYPE_UNIT, OTLP_WIRE_VARINT))
			*ret_unit = field.value;
	}
	return message.failed ? otlp_tables_damage("type of values") : NULL;
}

static struct error *otlp_decoder_read_head(struct reader message, struct otlp_head *ret)
{
	struct otlp_field field;
	struct error *err = NULL;
	*ret = (struct otlp_head){.attributes = reader_create(NULL, 0)};
	while (!err && otlp_message_next(&message, &field)) {
		if (otlp_field_is(&message, &field, OTLP_PROFILE_SAMPLE_TYPE, OTLP_WIRE_BYTES))
			err = otlp_decoder_read_type(field.bytes, &ret->sample_type,
						     &ret->sample_unit);
		else if (otlp_field_is(&message, &field, OTLP_PROFILE_PERIOD_TYPE, OTLP_WIRE_BYTES))
			err = otlp_decoder_read_type(field.bytes, &ret->period_type,
						     &ret->period_unit);
		else if (otlp_field_is(&message, &field, OTLP_PROFILE_TIME, OTLP_WIRE_64BIT))
			ret->time_ns = field.value;
		else if (otlp_field_is(&message, &field, OTLP_PROFILE_DURATION, OTLP_WIRE_VARINT))
			ret->length_ns = field.value;
		else if (otlp_field_is(&message, &field, OTLP_PROFILE_PERIOD, OTLP_WIRE_VARINT))
			ret->period = field.value <= INT64_MAX ? field.value : 0;
		else if (otlp_field_is(&message, &field, OTLP_PROFILE_ATTRIBUTES, OTLP_WIRE_BYTES))
			ret->attributes = field.bytes;
	}
	return err || !message.failed ? err : otlp_tables_old(otlp_tables_damage("profile"));
}

/** The id of the batch that a profile belongs to; empty: it says none. */
static struct error *otlp_decoder_find_id(struct otlp_decoder *decoder, struct reader numbers,
					  struct otlp_entry *ret)
{
	*ret = (struct otlp_entry){0};
	while (reader_left(&numbers)) {
		struct otlp_attribute *attribute;
		struct error *err = otlp_tables_attribute(&decoder->tables,
							  reader_uleb128(&numbers), &attribute);
		if (err)
			return err;
		if (attribute->key == OTLP_KEY_BATCH && attribute->value.type == OTLP_IS_TEXT)
			*ret = attribute->value.text;
	}
	if (numbers.failed)
		return otlp_tables_damage("list of attributes");
	return otlp_tables_spend(&decoder->tables, ret->size);
}

static struct error *otlp_decoder_choose_batch(struct otlp_decoder *decoder,
					       const struct otlp_head *head)
{
	struct otlp_entry place;
	struct error *err = otlp_decoder_find_id(decoder, head->attributes, &place);
	if (err)
		return err;
	_cleanup_free_ char *id = otlp_decoder_copy(decoder, &place);
	if (!id)
		return &error_no_memory;
	if (decoder->has_batch && strcmp(otlp_decoder_batch(decoder)->id, id) == 0)
		return NULL;
	if (decoder->grouping == OTLP_BATCH_ALL && decoder->batches.num_batches) {
		decoder->has_batch = true;
	} else {
		err = otlp_decoder_begin_batch(decoder);
		if (!err)
			err = fleet_batch_set_id(otlp_decoder_batch(decoder), id);
		if (err)
			return err;
		otlp_names_begin(&decoder->names, &decoder->tables,
				 &otlp_decoder_batch(decoder)->profile);
		if (decoder->grouping == OTLP_BATCH_ALL)
			err = otlp_names_all_frames(&decoder->names);
		if (err)
			return err;
	}
	decoder->first_event = otlp_decoder_batch(decoder)->profile.num_events;
	return NULL;
}

/** What attributes of a profile are put into. */
struct otlp_facts {
	struct fleet_batch *batch;
	struct named_event event;
	bool is_own; // of wperf
	bool has_times;
};

static struct error *otlp_decoder_take(void *data, struct otlp_names *names,
				       struct otlp_attribute *attribute)
{
	struct otlp_facts *facts = data;
	struct otlp_value *value = &attribute->value;
	uint32_t word;
	struct error *err = otlp_names_text(names, value, &word);
	if (err)
		return err;
	if (attribute->key == OTLP_KEY_DROPPED)
		facts->batch->num_dropped = value->number;
	facts->is_own |= attribute->key == OTLP_KEY_PERIOD;
	facts->has_times |= attribute->key == OTLP_KEY_TIMES && value->number;
	const char *text = named_profile_text(names->profile, word);
	if (attribute->key == OTLP_KEY_LANGUAGE && language_is_name(text))
		return named_profile_set_language(names->profile, text);
	void *owner = &facts->event;
	const struct otlp_member *member = otlp_members_find(&otlp_event_members, attribute->key);
	if (!member) {
		owner = &facts->batch->profile;
		member = otlp_members_find(&otlp_profile_members, attribute->key);
	}
	if (member)
		otlp_member_set(member, owner,
				member->type == OTLP_MEMBER_TEXT ? word : value->number);
	return NULL;
}

/** Names of an event of another agent; ours has its own unit and period. */
static struct error *otlp_decoder_describe_event(struct otlp_decoder *decoder,
						 const struct otlp_head *head,
						 struct otlp_facts *facts)
{
	struct otlp_names *names = &decoder->names;
	struct named_profile *profile = names->profile;
	uint32_t unit, period_unit;
	struct error *err = otlp_names_string(names, head->sample_type, &facts->event.name);
	if (!err)
		err = otlp_names_string(names, head->sample_unit, &unit);
	if (!err)
		err = otlp_names_string(names, head->period_unit, &period_unit);
	if (err || facts->is_own)
		return err;
	// async-profiler's word.
	if (strcmp(named_profile_text(profile, unit), "ns") == 0)
		err = named_profile_string(profile, "nanoseconds", &unit);
	if (err)
		return err;
	bool is_plain = !unit || strcmp(named_profile_text(profile, unit), "count") == 0;
	facts->event.unit = unit;
	if (is_plain)
		err = named_profile_string(profile, "events", &facts->event.unit);
	if (!err && !facts->event.name)
		err = named_profile_string(profile, "samples", &facts->event.name);
	bool is_timed = strcmp(named_profile_text(profile, period_unit), "nanoseconds") == 0;
	if (head->sample_type == head->period_type && head->sample_unit == head->period_unit)
		facts->event.period = head->period;
	else if (is_timed && head->period)
		facts->event.frequency =
			(OTLP_NANOSECONDS_PER_SECOND + head->period / 2) / head->period;
	return err;
}

static bool otlp_decoder_is_same_event(const struct named_event *a, const struct named_event *b)
{
	return a->name == b->name && a->unit == b->unit && a->model == b->model &&
	       a->period == b->period && a->frequency == b->frequency &&
	       a->is_whole == b->is_whole && a->is_wait == b->is_wait && a->is_ahead == b->is_ahead;
}

/** Profiles of one event become one event, but not two of one of our batches. */
static struct error *otlp_decoder_add_event(struct otlp_decoder *decoder,
					    const struct otlp_facts *facts, uint32_t *ret)
{
	struct named_profile *profile = decoder->names.profile;
	size_t num_before = facts->is_own ? decoder->first_event : profile->num_events;
	struct error *err = otlp_tables_spend(&decoder->tables, num_before);
	if (err)
		return err;
	for (uint32_t i = 0; i < num_before; i++) {
		if (otlp_decoder_is_same_event(&profile->events[i], &facts->event)) {
			*ret = i;
			return NULL;
		}
	}
	if (profile->num_events == OTLP_MAX_EVENTS)
		return error_create(ERROR_FAILED, "OTLP profiles: more than %d events in one batch",
				    OTLP_MAX_EVENTS);
	return named_profile_event(profile, &facts->event, ret);
}

static void otlp_decoder_set_window(struct fleet_batch *batch, const struct otlp_head *head,
				    bool is_own)
{
	if (!batch->start_ns || (head->time_ns && head->time_ns < batch->start_ns))
		batch->start_ns = head->time_ns;
	if (head->length_ns > batch->length_ns)
		batch->length_ns = head->length_ns;
	if (is_own)
		return;
	batch->profile.start_wall_ns = batch->start_ns;
	batch->profile.duration_ns = batch->length_ns;
}

static struct error *otlp_decoder_read_samples(const struct otlp_samples *samples,
					       struct reader message)
{
	struct otlp_field field;
	struct error *err = NULL;
	while (!err && otlp_message_next(&message, &field))
		if (otlp_field_is(&message, &field, OTLP_PROFILE_SAMPLES, OTLP_WIRE_BYTES))
			err = otlp_samples_read(samples, field.bytes);
	return err;
}

/** A word for interpreted code, if its language is not known by more. */
static struct error *otlp_decoder_set_language(struct otlp_decoder *decoder)
{
	struct named_profile *profile = decoder->names.profile;
	const char *word = decoder->names.language;
	if (profile->language != &language_unknown || !language_is_name(word))
		return NULL;
	return named_profile_set_language(profile, word);
}

static struct error *otlp_decoder_read_profile(struct otlp_decoder *decoder, struct reader message)
{
	struct otlp_head head;
	struct error *err = otlp_decoder_read_head(message, &head);
	if (!err)
		err = otlp_decoder_choose_batch(decoder, &head);
	if (err)
		return err;
	struct otlp_facts facts = {.batch = otlp_decoder_batch(decoder)};
	struct otlp_samples samples = {.names = &decoder->names};
	err = otlp_names_attributes(&decoder->names, head.attributes, otlp_decoder_take, &facts);
	if (!err)
		err = otlp_decoder_describe_event(decoder, &head, &facts);
	if (!err)
		err = otlp_decoder_add_event(decoder, &facts, &samples.event);
	if (err)
		return err;
	otlp_decoder_set_window(facts.batch, &head, facts.is_own);
	samples.has_times = facts.is_own && facts.has_times;
	facts.batch->has_times |= samples.has_times;
	if (samples.has_times)
		err = otlp_names_all_stacks(&decoder->names);
	samples.process =
		(uint32_t)strtoul(fleet_batch_label(facts.batch, "process.pid"), NULL, 10);
	samples.period = facts.is_own ? head.period : facts.event.period;
	samples.counts_plain =
		!facts.is_own && !facts.event.period &&
		strcmp(named_profile_text(&facts.batch->profile, facts.event.unit), "events") == 0;
	if (!err)
		err = otlp_decoder_read_samples(&samples, message);
	return err ? err : otlp_decoder_set_language(decoder);
}

static struct error *otlp_decoder_read_scope(struct otlp_decoder *decoder, struct reader message)
{
	struct otlp_field field;
	struct error *err = NULL;
	decoder->has_batch = false;
	while (!err && otlp_message_next(&message, &field))
		if (otlp_field_is(&message, &field, OTLP_SCOPES_PROFILES, OTLP_WIRE_BYTES))
			err = otlp_decoder_read_profile(decoder, field.bytes);
	return err || !message.failed ? err : otlp_tables_damage("list of profiles");
}

static struct error *otlp_decoder_read_resources(struct otlp_decoder *decoder,
						 struct reader message)
{
	struct reader again = message;
	struct otlp_field field;
	struct error *err = NULL;
	decoder->resource = reader_create(NULL, 0);
	while (otlp_message_next(&again, &field))
		if (otlp_field_is(&again, &field, OTLP_RESOURCES_RESOURCE, OTLP_WIRE_BYTES))
			decoder->resource = field.bytes;
	while (!err && otlp_message_next(&message, &field))
		if (otlp_field_is(&message, &field, OTLP_RESOURCES_SCOPES, OTLP_WIRE_BYTES))
			err = otlp_decoder_read_scope(decoder, field.bytes);
	return err || !again.failed ? err : otlp_tables_damage("resource");
}

static struct error *otlp_decoder_run(struct otlp_decoder *decoder, const void *bytes, size_t size)
{
	struct error *err = otlp_tables_read(&decoder->tables, bytes, size);
	struct reader request = reader_create(bytes, size);
	struct otlp_field field;
	while (!err && otlp_message_next(&request, &field))
		if (otlp_field_is(&request, &field, OTLP_REQUEST_RESOURCES, OTLP_WIRE_BYTES))
			err = otlp_decoder_read_resources(decoder, field.bytes);
	return err || !request.failed ? err : otlp_tables_damage("request");
}

struct error *otlp_decoder_decode(const void *bytes, size_t size, enum otlp_grouping grouping,
				  struct otlp_batches *ret)
{
	if (size > OTLP_MAX_BYTES)
		return error_create(ERROR_FAILED,
				    "OTLP profiles: a request of %zu bytes is larger "
				    "than %d bytes",
				    size, OTLP_MAX_BYTES);
	_cleanup_(otlp_decoder_deinit) struct otlp_decoder decoder = {
		.grouping = grouping,
		.names = {.keeps_builds = grouping == OTLP_BATCH_EACH},
	};
	struct error *err = otlp_decoder_run(&decoder, bytes, size);
	for (size_t i = 0; !err && i < decoder.batches.num_batches; i++)
		if (decoder.batches.batches[i].has_times)
			err = profile_order_apply(&decoder.batches.batches[i].profile);
	if (err)
		return err;
	*ret = decoder.batches;
	decoder.batches = (struct otlp_batches)OTLP_BATCHES_INIT;
	return NULL;
}

void otlp_batches_deinit(struct otlp_batches *batches)
{
	for (size_t i = 0; i < batches->num_batches; i++)
		fleet_batch_deinit(&batches->batches[i]);
	free(batches->batches);
	*batches = (struct otlp_batches)OTLP_BATCHES_INIT;
}
