// SPDX-License-Identifier: Apache-2.0

#include "fleet/otlp/otlp_encoder.h"

#include "fleet/otlp/otlp_dictionary.h"
#include "fleet/otlp/otlp_fields.h"
#include "fleet/otlp/otlp_member.h"
#include "fleet/otlp/otlp_sums.h"
#include "view/export/gzip_writer.h"
#include "view/export/protobuf_message.h"

#include <errno.h>
#include <string.h>

// A message is complete before it is nested into the next one, so that profiles come first; while
// their samples are written, the dictionary collects what they refer to, and it follows.
//
//	request     resource, dictionary
//	resource    attributes (the labels), scope
//	scope       name, profile...
//	profile     sample_type, sample..., time, duration, period_type, period, attributes
//	sample      stack, attributes (thread, interpreter's lock, count), value or values and times

struct otlp_encoder {
	const struct fleet_batch *batch;
	struct otlp_dictionary *dictionary;
	struct otlp_sums sums;
	struct protobuf_message *threads;         // numbers of the attributes of each thread
	struct protobuf_message batch_attributes; // the same of what all profiles have
	struct protobuf_message request, resources, scopes, profile, sample, inner;
};

static void otlp_encoder_deinit(struct otlp_encoder *encoder)
{
	size_t num_threads = encoder->threads ? encoder->batch->profile.num_threads : 0;
	for (size_t i = 0; i < num_threads; i++)
		protobuf_message_deinit(&encoder->threads[i]);
	free(encoder->threads);
	otlp_dictionary_destroy(encoder->dictionary);
	otlp_sums_deinit(&encoder->sums);
	protobuf_message_deinit(&encoder->batch_attributes);
	protobuf_message_deinit(&encoder->request);
	protobuf_message_deinit(&encoder->resources);
	protobuf_message_deinit(&encoder->scopes);
	protobuf_message_deinit(&encoder->profile);
	protobuf_message_deinit(&encoder->sample);
	protobuf_message_deinit(&encoder->inner);
}

static void otlp_encoder_add_text(struct otlp_encoder *encoder, struct protobuf_message *list,
				  enum otlp_key key, uint32_t string)
{
	if (string)
		otlp_dictionary_add_text(encoder->dictionary, list, key,
					 named_profile_text(&encoder->batch->profile, string));
}

// @owner: the struct that they are of.
static void otlp_encoder_add_members(struct otlp_encoder *encoder, struct protobuf_message *list,
				     const struct otlp_members *members, const void *owner)
{
	for (size_t i = 0; i < members->num_members; i++) {
		const struct otlp_member *member = &members->members[i];
		uint64_t value = otlp_member_get(member, owner);
		if (!value && member->key != OTLP_KEY_PERIOD)
			continue;
		if (member->type == OTLP_MEMBER_TEXT)
			otlp_encoder_add_text(encoder, list, member->key, (uint32_t)value);
		else if (member->type == OTLP_MEMBER_FLAG)
			otlp_dictionary_add_flag(encoder->dictionary, list, member->key);
		else
			otlp_dictionary_add_number(encoder->dictionary, list, member->key, value);
	}
}

static void otlp_encoder_describe_batch(struct otlp_encoder *encoder)
{
	const struct fleet_batch *batch = encoder->batch;
	struct protobuf_message *list = &encoder->batch_attributes;
	if (*batch->id)
		otlp_dictionary_add_text(encoder->dictionary, list, OTLP_KEY_BATCH, batch->id);
	if (batch->num_dropped)
		otlp_dictionary_add_number(encoder->dictionary, list, OTLP_KEY_DROPPED,
					   batch->num_dropped);
	if (batch->has_times)
		otlp_dictionary_add_flag(encoder->dictionary, list, OTLP_KEY_TIMES);
	if (batch->profile.language != &language_unknown)
		otlp_dictionary_add_text(encoder->dictionary, list, OTLP_KEY_LANGUAGE,
					 batch->profile.language->name);
	otlp_encoder_add_members(encoder, list, &otlp_profile_members, &batch->profile);
}

static void otlp_encoder_describe_thread(struct otlp_encoder *encoder, uint32_t index)
{
	const struct named_thread *thread = &encoder->batch->profile.threads[index];
	struct protobuf_message *list = &encoder->threads[index];
	otlp_encoder_add_text(encoder, list, OTLP_KEY_THREAD_NAME, thread->name);
	otlp_dictionary_add_number(encoder->dictionary, list, OTLP_KEY_THREAD_ID, thread->tid);
	otlp_dictionary_add_number(encoder->dictionary, list, OTLP_KEY_PROCESS_ID, thread->pid);
	otlp_encoder_add_text(encoder, list, OTLP_KEY_PROCESS_NAME, thread->process_name);
}

static void otlp_encoder_describe_sample(struct otlp_encoder *encoder, const struct otlp_sum *sum)
{
	static const char *const locks[GIL_NUM_STATES] = {
		[GIL_HELD] = "held", [GIL_FREE] = "free", [GIL_WAITED] = "waited"};
	const struct named_sample *sample = &sum->sample;
	struct otlp_dictionary *dictionary = encoder->dictionary;
	if (!encoder->threads[sample->thread].bytes.length)
		otlp_encoder_describe_thread(encoder, sample->thread);
	protobuf_message_append(&encoder->inner, &encoder->threads[sample->thread]);
	if (locks[sample->gil])
		otlp_dictionary_add_text(dictionary, &encoder->inner, OTLP_KEY_LOCK,
					 locks[sample->gil]);
	if (sample->cpu != NAMED_NONE)
		otlp_dictionary_add_number(dictionary, &encoder->inner, OTLP_KEY_CPU, sample->cpu);
	// Of all samples, or of each time.
	uint64_t usual = otlp_sums_count(sum->total.weight, encoder->sums.periods[sample->event]);
	if (encoder->batch->has_times ? sum->has_count : sum->total.count != usual)
		otlp_dictionary_add_number(dictionary, &encoder->inner, OTLP_KEY_SAMPLES,
					   encoder->batch->has_times ? sample->count
								     : sum->total.count);
}

static uint64_t otlp_encoder_int64(uint64_t number)
{
	return number < INT64_MAX ? number : INT64_MAX;
}

static void otlp_encoder_write_times(struct otlp_encoder *encoder, const struct otlp_sum *sum)
{
	const struct named_sample *samples = encoder->batch->profile.samples;
	const uint32_t *next = encoder->sums.next_sample;
	for (uint32_t i = sum->first_sample; i != NAMED_NONE; i = next[i])
		protobuf_message_packed(&encoder->inner, otlp_encoder_int64(samples[i].weight));
	protobuf_message_nested(&encoder->sample, OTLP_SAMPLE_VALUES, &encoder->inner);
	for (uint32_t i = sum->first_sample; i != NAMED_NONE; i = next[i])
		protobuf_message_packed_fixed64(&encoder->inner, samples[i].time_ns);
	protobuf_message_nested(&encoder->sample, OTLP_SAMPLE_TIMES, &encoder->inner);
}

static void otlp_encoder_write_sample(struct otlp_encoder *encoder, const struct otlp_sum *sum)
{
	protobuf_message_u64(&encoder->sample, OTLP_SAMPLE_STACK,
			     otlp_dictionary_stack(encoder->dictionary, sum->sample.stack));
	otlp_encoder_describe_sample(encoder, sum);
	protobuf_message_nested(&encoder->sample, OTLP_SAMPLE_ATTRIBUTES, &encoder->inner);
	if (encoder->batch->has_times) {
		otlp_encoder_write_times(encoder, sum);
	} else {
		protobuf_message_packed(&encoder->inner, otlp_encoder_int64(sum->total.weight));
		protobuf_message_nested(&encoder->sample, OTLP_SAMPLE_VALUES, &encoder->inner);
	}
	protobuf_message_nested(&encoder->profile, OTLP_PROFILE_SAMPLES, &encoder->sample);
}

// Others call the unit of plain numbers "count".
static void otlp_encoder_write_type(struct otlp_encoder *encoder, uint32_t field,
				    const struct named_event *event)
{
	const struct named_profile *profile = &encoder->batch->profile;
	const char *unit = named_profile_text(profile, event->unit);
	bool is_plain = strcmp(unit, "events") == 0;
	uint32_t type = otlp_dictionary_string(encoder->dictionary,
					       named_profile_text(profile, event->name));
	protobuf_message_u64(&encoder->inner, OTLP_TYPE_TYPE, type);
	protobuf_message_u64(&encoder->inner, OTLP_TYPE_UNIT,
			     otlp_dictionary_string(encoder->dictionary,
						    is_plain ? "count" : unit));
	protobuf_message_nested(&encoder->profile, field, &encoder->inner);
}

static void otlp_encoder_write_profile(struct otlp_encoder *encoder, uint32_t index)
{
	const struct named_event *event = &encoder->batch->profile.events[index];
	const struct otlp_sums *sums = &encoder->sums;
	otlp_encoder_write_type(encoder, OTLP_PROFILE_SAMPLE_TYPE, event);
	for (uint32_t i = sums->first[index]; i != NAMED_NONE; i = sums->sums[i].next)
		otlp_encoder_write_sample(encoder, &sums->sums[i]);
	protobuf_message_fixed64(&encoder->profile, OTLP_PROFILE_TIME, encoder->batch->start_ns);
	protobuf_message_u64(&encoder->profile, OTLP_PROFILE_DURATION, encoder->batch->length_ns);
	otlp_encoder_write_type(encoder, OTLP_PROFILE_PERIOD_TYPE, event);
	protobuf_message_u64(&encoder->profile, OTLP_PROFILE_PERIOD, sums->periods[index]);
	protobuf_message_append(&encoder->inner, &encoder->batch_attributes);
	otlp_encoder_add_members(encoder, &encoder->inner, &otlp_event_members, event);
	protobuf_message_nested(&encoder->profile, OTLP_PROFILE_ATTRIBUTES, &encoder->inner);
	protobuf_message_nested(&encoder->scopes, OTLP_SCOPES_PROFILES, &encoder->profile);
}

static void otlp_encoder_write_labels(struct otlp_encoder *encoder)
{
	struct protobuf_message *attribute = &encoder->sample, *resource = &encoder->profile;
	for (size_t i = 0; i < encoder->batch->num_labels; i++) {
		const struct fleet_label *label = &encoder->batch->labels[i];
		protobuf_message_text(&encoder->inner, OTLP_VALUE_TEXT, label->value);
		protobuf_message_text(attribute, OTLP_KEY_VALUE_KEY, label->key);
		protobuf_message_nested(attribute, OTLP_KEY_VALUE_VALUE, &encoder->inner);
		protobuf_message_nested(resource, OTLP_RESOURCE_ATTRIBUTES, attribute);
	}
	protobuf_message_nested(&encoder->resources, OTLP_RESOURCES_RESOURCE, resource);
}

static struct error *otlp_encoder_write_request(struct otlp_encoder *encoder)
{
	for (size_t i = 0; i < encoder->sums.num_sums; i++)
		otlp_dictionary_note_stack(encoder->dictionary, encoder->sums.sums[i].sample.stack);
	otlp_dictionary_order(encoder->dictionary);
	otlp_encoder_write_labels(encoder);
	otlp_encoder_describe_batch(encoder);
	protobuf_message_text(&encoder->inner, OTLP_SCOPE_NAME, "wperf");
	protobuf_message_nested(&encoder->scopes, OTLP_SCOPES_SCOPE, &encoder->inner);
	for (uint32_t i = 0; i < encoder->batch->profile.num_events; i++)
		otlp_encoder_write_profile(encoder, i);
	protobuf_message_nested(&encoder->resources, OTLP_RESOURCES_SCOPES, &encoder->scopes);
	protobuf_message_nested(&encoder->request, OTLP_REQUEST_RESOURCES, &encoder->resources);
	// A part that has failed is nested into another, which has then failed as well.
	struct error *err = otlp_dictionary_finish(encoder->dictionary, OTLP_REQUEST_DICTIONARY,
						   &encoder->request);
	return err || !encoder->request.bytes.failed ? err : &error_no_memory;
}

static struct error *otlp_encoder_run(struct otlp_encoder *encoder)
{
	const struct named_profile *profile = &encoder->batch->profile;
	encoder->threads = calloc(profile->num_threads + 1, sizeof(*encoder->threads));
	if (!encoder->threads)
		return &error_no_memory;
	struct error *err = otlp_sums_create(profile, encoder->batch->has_times, &encoder->sums);
	if (!err)
		err = otlp_dictionary_create(profile, encoder->batch->has_times,
					     &encoder->dictionary);
	return err ? err : otlp_encoder_write_request(encoder);
}

struct error *otlp_encoder_encode(const struct fleet_batch *batch, struct string_builder *ret)
{
	_cleanup_(otlp_encoder_deinit) struct otlp_encoder encoder = {.batch = batch};
	struct error *err = otlp_encoder_run(&encoder);
	if (err)
		return err;
	string_builder_append_n(ret, string_builder_peek(&encoder.request.bytes),
				encoder.request.bytes.length);
	return ret->failed ? &error_no_memory : NULL;
}

static struct error *otlp_encoder_compress(const struct string_builder *bytes, FILE *stream,
					   const char *name)
{
	_cleanup_(gzip_writer_destroyp) struct gzip_writer *gzip = NULL;
	struct error *err = gzip_writer_create(stream, &gzip);
	if (err)
		return err;
	gzip_writer_add(gzip, string_builder_peek(bytes), bytes->length);
	return gzip_writer_finish(gzip, name);
}

struct error *otlp_encoder_write(const struct fleet_batch *batch, bool is_compressed, FILE *stream,
				 const char *name)
{
	_cleanup_(otlp_encoder_deinit) struct otlp_encoder encoder = {.batch = batch};
	struct error *err = otlp_encoder_run(&encoder);
	if (err)
		return err;
	const struct string_builder *bytes = &encoder.request.bytes;
	if (is_compressed)
		return otlp_encoder_compress(bytes, stream, name);
	if (fwrite(string_builder_peek(bytes), 1, bytes->length, stream) != bytes->length)
		return error_create_errno(errno, "cannot write %s", name);
	return NULL;
}
