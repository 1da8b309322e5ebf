// SPDX-License-Identifier: Apache-2.0

#include "fleet/otlp/otlp_decoder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"
#include "fleet/otlp/otlp_encoder.h"
#include "fleet/otlp/otlp_fields.h"
#include "view/export/protobuf_message.h"

#include "tests/unit/fleet/otlp_fixture.h"

// Requests as other agents send them, written field by field.

struct request {
	struct protobuf_message bytes, dictionary, resources, scopes, profile, sample;
	struct protobuf_message entry, inner;
	uint64_t base; /* where the library is mapped */
};

static void request_deinit(struct request *request)
{
	struct protobuf_message *messages[] = {&request->bytes,     &request->dictionary,
					       &request->resources, &request->scopes,
					       &request->profile,   &request->sample,
					       &request->entry,     &request->inner};
	for (size_t i = 0; i < ARRAY_SIZE(messages); i++)
		protobuf_message_deinit(messages[i]);
}

static void add_packed(struct request *request, struct protobuf_message *message, uint32_t field,
		       const uint64_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		protobuf_message_packed(&request->inner, numbers[i]);
	protobuf_message_nested(message, field, &request->inner);
}

#define ADD_PACKED(request, message, field, ...)                                     \
	do {                                                                         \
		const uint64_t numbers_[] = {__VA_ARGS__};                           \
		add_packed(request, message, field, numbers_, ARRAY_SIZE(numbers_)); \
	} while (0)

enum word {
	WORD_EMPTY,
	WORD_SAMPLES,
	WORD_COUNT,
	WORD_CPU,
	WORD_NANOSECONDS,
	WORD_THREAD_NAME,
	WORD_WORKER,
	WORD_FRAME_TYPE,
	WORD_CPYTHON,
	WORD_FILE,
	WORD_JOB,
	WORD_JOB_PY,
	WORD_SERVICE_NAME,
};
static const char *const words[] = {"",
				    "samples",
				    "count",
				    "cpu",
				    "nanoseconds",
				    "thread.name",
				    "worker",
				    "profile.frame.type",
				    "cpython",
				    "/opt/libx.so",
				    "job",
				    "/srv/job.py",
				    "service.name"};

static void add_attribute(struct request *request, enum word key, const char *text)
{
	protobuf_message_u64(&request->entry, OTLP_ATTRIBUTE_KEY, key);
	protobuf_message_text(&request->inner, OTLP_VALUE_TEXT, text);
	protobuf_message_nested(&request->entry, OTLP_ATTRIBUTE_VALUE, &request->inner);
	protobuf_message_nested(&request->dictionary, OTLP_ATTRIBUTES, &request->entry);
}

/** Two places: an address of a library that nothing names, and a line of Python. */
static void add_dictionary(struct request *request)
{
	struct protobuf_message *dictionary = &request->dictionary, *entry = &request->entry;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		protobuf_message_text(dictionary, OTLP_STRINGS, words[i]);
	for (enum otlp_table table = OTLP_MAPPINGS; table < OTLP_NUM_TABLES; table++)
		if (table != OTLP_STRINGS)
			protobuf_message_nested(dictionary, table, entry);
	add_attribute(request, WORD_THREAD_NAME, "worker");
	add_attribute(request, WORD_FRAME_TYPE, "cpython");
	protobuf_message_u64(entry, OTLP_MAPPING_START, request->base + 0x7000);
	protobuf_message_u64(entry, OTLP_MAPPING_OFFSET, 0x100);
	protobuf_message_u64(entry, OTLP_MAPPING_FILE, WORD_FILE);
	protobuf_message_nested(dictionary, OTLP_MAPPINGS, entry);
	protobuf_message_u64(entry, OTLP_FUNCTION_NAME, WORD_JOB);
	protobuf_message_u64(entry, OTLP_FUNCTION_FILE, WORD_JOB_PY);
	protobuf_message_nested(dictionary, OTLP_FUNCTIONS, entry);
	protobuf_message_u64(entry, OTLP_LOCATION_MAPPING, 1);
	protobuf_message_u64(entry, OTLP_LOCATION_ADDRESS, request->base + 0x7010);
	protobuf_message_nested(dictionary, OTLP_LOCATIONS, entry);
	protobuf_message_u64(&request->inner, OTLP_LINE_FUNCTION, 1);
	protobuf_message_u64(&request->inner, OTLP_LINE_LINE, 12);
	protobuf_message_nested(entry, OTLP_LOCATION_LINES, &request->inner);
	ADD_PACKED(request, entry, OTLP_LOCATION_ATTRIBUTES, 2);
	protobuf_message_nested(dictionary, OTLP_LOCATIONS, entry);
	ADD_PACKED(request, entry, OTLP_STACK_LOCATIONS, 1, 2);
	protobuf_message_nested(dictionary, OTLP_STACKS, entry);
}

static void add_type(struct request *request, uint32_t field, enum word type, enum word unit)
{
	protobuf_message_u64(&request->inner, OTLP_TYPE_TYPE, type);
	protobuf_message_u64(&request->inner, OTLP_TYPE_UNIT, unit);
	protobuf_message_nested(&request->profile, field, &request->inner);
}

static void end_sample(struct request *request)
{
	protobuf_message_nested(&request->profile, OTLP_PROFILE_SAMPLES, &request->sample);
}

/** Times: any. */
static void add_times(struct request *request, size_t count)
{
	for (size_t i = 0; i < 8 * count; i++)
		string_builder_append_char(&request->inner.bytes, 7);
	protobuf_message_nested(&request->sample, OTLP_SAMPLE_TIMES, &request->inner);
}

static void end_request(struct request *request)
{
	protobuf_message_nested(&request->scopes, OTLP_SCOPES_PROFILES, &request->profile);
	protobuf_message_nested(&request->resources, OTLP_RESOURCES_SCOPES, &request->scopes);
	protobuf_message_nested(&request->bytes, OTLP_REQUEST_RESOURCES, &request->resources);
	protobuf_message_nested(&request->bytes, OTLP_REQUEST_DICTIONARY, &request->dictionary);
}

static struct error *decode(const struct request *request, struct otlp_batches *ret)
{
	return otlp_decoder_decode(request->bytes.bytes.text, request->bytes.bytes.length,
				   OTLP_BATCH_EACH, ret);
}

static void add_label(struct request *request, const char *key, bool by_number)
{
	if (by_number) {
		protobuf_message_u64(&request->inner, OTLP_VALUE_STRING, WORD_WORKER);
		protobuf_message_u64(&request->sample, OTLP_KEY_VALUE_KEY_STRING,
				     WORD_SERVICE_NAME);
	} else {
		protobuf_message_u64(&request->inner, OTLP_VALUE_INT, 1234);
		protobuf_message_text(&request->sample, OTLP_KEY_VALUE_KEY, key);
	}
	protobuf_message_nested(&request->sample, OTLP_KEY_VALUE_VALUE, &request->inner);
	protobuf_message_nested(&request->entry, OTLP_RESOURCE_ATTRIBUTES, &request->sample);
}

// As opentelemetry-ebpf-profiler does: times without values, which count 1 each.
static void test_times_without_values(void **state)
{
	_cleanup_(request_deinit) struct request request = {.base = 0x7f0000000000};
	_cleanup_(otlp_batches_deinit) struct otlp_batches batches = OTLP_BATCHES_INIT;
	add_dictionary(&request);
	add_label(&request, "process.pid", false);
	add_label(&request, NULL, true);
	protobuf_message_nested(&request.resources, OTLP_RESOURCES_RESOURCE, &request.entry);
	protobuf_message_u64(&request.sample, OTLP_SAMPLE_STACK, 1);
	ADD_PACKED(&request, &request.sample, OTLP_SAMPLE_ATTRIBUTES, 1);
	add_times(&request, 3);
	end_sample(&request);
	add_type(&request, OTLP_PROFILE_SAMPLE_TYPE, WORD_SAMPLES, WORD_COUNT);
	add_type(&request, OTLP_PROFILE_PERIOD_TYPE, WORD_CPU, WORD_NANOSECONDS);
	protobuf_message_u64(&request.profile, OTLP_PROFILE_PERIOD, 1000000000 / 19);
	protobuf_message_fixed64(&request.profile, OTLP_PROFILE_TIME, 1700);
	end_request(&request);
	assert_no_error(decode(&request, &batches));
	assert_int_equal(batches.num_batches, 1);
	const struct fleet_batch *batch = &batches.batches[0];
	assert_string_equal(fleet_batch_label(batch, "service.name"), "worker");
	assert_string_equal(batch->id, "");
	assert_int_equal(batch->start_ns, 1700);
	_cleanup_free_ char *text = otlp_fixture_describe_text(batch);
	assert_non_null(strstr(text, "event samples events '' 0 19 0000 0 0 0 0\n"));
	// Python's frame is the caller; the address is that in the file.
	assert_non_null(strstr(text,
			       "3 of 3: event 0 cpu 4294967295 lock 0 thread 1234/0 worker of "
			       ": <[unknown]||:0|0 in libx.so /opt/libx.so  0 at :0 0x110 "
			       "00> <job||/srv/job.py:0|3 in    0 at /srv/job.py:12 0x0 00>\n"));
	assert_string_equal(batch->profile.language->name, "cpython");
}

/** A mapping so low is where the file's symbols have it: there is nothing to change. */
static void test_addresses_of_symbols(void **state)
{
	_cleanup_(request_deinit) struct request request = {0};
	_cleanup_(otlp_batches_deinit) struct otlp_batches batches = OTLP_BATCHES_INIT;
	add_dictionary(&request);
	protobuf_message_u64(&request.sample, OTLP_SAMPLE_STACK, 1);
	add_times(&request, 1);
	end_sample(&request);
	add_type(&request, OTLP_PROFILE_SAMPLE_TYPE, WORD_SAMPLES, WORD_COUNT);
	end_request(&request);
	assert_no_error(decode(&request, &batches));
	_cleanup_free_ char *text = otlp_fixture_describe_text(&batches.batches[0]);
	assert_non_null(strstr(text, " in libx.so /opt/libx.so  0 at :0 0x7010 00>"));
}

// As async-profiler does: many values, no times, no period.
static void test_values_without_a_period(void **state)
{
	_cleanup_(request_deinit) struct request request = {0};
	_cleanup_(otlp_batches_deinit) struct otlp_batches batches = OTLP_BATCHES_INIT;
	add_dictionary(&request);
	protobuf_message_u64(&request.sample, OTLP_SAMPLE_STACK, 1);
	ADD_PACKED(&request, &request.sample, OTLP_SAMPLE_VALUES, 500, 700);
	end_sample(&request);
	add_type(&request, OTLP_PROFILE_SAMPLE_TYPE, WORD_CPU, WORD_NANOSECONDS);
	end_request(&request);
	assert_no_error(decode(&request, &batches));
	const struct named_profile *profile = &batches.batches[0].profile;
	assert_int_equal(profile->num_samples, 1);
	assert_int_equal(profile->samples[0].weight, 1200);
	assert_int_equal(profile->samples[0].count, 1);
	assert_int_equal(profile->events[0].period, 0);
}

static void test_a_value_for_each_time(void **state)
{
	_cleanup_(request_deinit) struct request request = {0};
	_cleanup_(otlp_batches_deinit) struct otlp_batches batches = OTLP_BATCHES_INIT;
	add_dictionary(&request);
	ADD_PACKED(&request, &request.sample, OTLP_SAMPLE_VALUES, 500, 700);
	add_times(&request, 2);
	end_sample(&request);
	end_request(&request);
	assert_no_error(decode(&request, &batches));
	const struct named_profile *profile = &batches.batches[0].profile;
	assert_int_equal(profile->samples[0].weight, 1200);
	assert_int_equal(profile->samples[0].count, 2);
	assert_int_equal(profile->samples[0].stack, STACK_NONE);
}

static void assert_refused(struct request *request, const char *message, const char *hint)
{
	struct otlp_batches batches;
	end_sample(request);
	end_request(request);
	_cleanup_(error_destroyp) struct error *err = decode(request, &batches);
	assert_non_null(err);
	assert_string_equal(err->message, message);
	if (hint)
		assert_non_null(strstr(err->hint, hint));
}

static const char old_sample[] =
	"OTLP profiles: the fields of a sample are not those of release 1.10";
static const char old_hint[] = "wperf reads OTLP of release 1.10 and later";

// Release 1.9: values at 2, attributes at 3, the link at 4.
static void test_samples_of_1_9_are_refused(void **state)
{
	_cleanup_(request_deinit) struct request with_attributes = {0};
	add_dictionary(&with_attributes);
	protobuf_message_u64(&with_attributes.sample, 1, 1);
	ADD_PACKED(&with_attributes, &with_attributes.sample, 2, 1);
	ADD_PACKED(&with_attributes, &with_attributes.sample, 3, 1);
	assert_refused(&with_attributes, old_sample, old_hint);

	_cleanup_(request_deinit) struct request values_alone = {0};
	add_dictionary(&values_alone);
	protobuf_message_u64(&values_alone.sample, 1, 1);
	ADD_PACKED(&values_alone, &values_alone.sample, 2, 1);
	assert_refused(&values_alone, "OTLP profiles: a sample has neither a value nor a time",
		       old_hint);

	_cleanup_(request_deinit) struct request with_link = {0};
	add_dictionary(&with_link);
	ADD_PACKED(&with_link, &with_link.sample, 2, 1);
	protobuf_message_u64(&with_link.sample, 4, 1);
	assert_refused(&with_link, old_sample, old_hint);
}

static void test_samples_of_1_9_with_times_are_refused(void **state)
{
	_cleanup_(request_deinit) struct request equal_values = {0};
	add_dictionary(&equal_values);
	ADD_PACKED(&equal_values, &equal_values.sample, 2, 1, 1);
	add_times(&equal_values, 2);
	assert_refused(&equal_values, old_sample, old_hint);

	_cleanup_(request_deinit) struct request large_value = {0};
	add_dictionary(&large_value);
	ADD_PACKED(&large_value, &large_value.sample, 2, 52631578);
	add_times(&large_value, 1);
	assert_refused(&large_value,
		       "OTLP profiles: attribute 52631578 is referred to, and the table has 3",
		       old_hint);
}

// Until release 1.8: a range of locations, values at 3; and no stack table.
static void test_samples_of_1_8_are_refused(void **state)
{
	_cleanup_(request_deinit) struct request request = {0};
	add_dictionary(&request);
	protobuf_message_u64(&request.sample, 2, 5);
	ADD_PACKED(&request, &request.sample, 3, 100);
	assert_refused(&request, old_sample, old_hint);

	_cleanup_(request_deinit) struct request without_stack = {0};
	add_dictionary(&without_stack);
	ADD_PACKED(&without_stack, &without_stack.sample, 3, 100);
	assert_refused(&without_stack, old_sample, old_hint);
}

// As async-profiler writes them; with a link, or without values, older releases look the same.
static void test_values_and_attributes_as_fields_of_their_own(void **state)
{
	_cleanup_(request_deinit) struct request request = {0};
	struct otlp_batches batches = OTLP_BATCHES_INIT;
	add_dictionary(&request);
	protobuf_message_u64(&request.sample, OTLP_SAMPLE_STACK, 1);
	protobuf_message_u64(&request.sample, OTLP_SAMPLE_ATTRIBUTES, 1);
	protobuf_message_u64(&request.sample, OTLP_SAMPLE_VALUES, 40);
	protobuf_message_u64(&request.sample, OTLP_SAMPLE_VALUES, 2);
	end_sample(&request);
	end_request(&request);
	assert_no_error(decode(&request, &batches));
	assert_int_equal(batches.batches[0].profile.samples[0].weight, 42);
	otlp_batches_deinit(&batches);

	static const uint32_t others[][3] = {{2, 3, 4}, {2, 3, 0}, {2, 0, 0}, {3, 4, 0}};
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		_cleanup_(request_deinit) struct request old = {0};
		add_dictionary(&old);
		protobuf_message_u64(&old.sample, 1, 1);
		for (size_t j = 0; j < 3 && others[i][j]; j++)
			protobuf_message_u64(&old.sample, others[i][j], 1);
		assert_refused(&old, old_sample, old_hint);
	}
	_cleanup_(request_deinit) struct request mixed = {0};
	add_dictionary(&mixed);
	protobuf_message_u64(&mixed.sample, 2, 1);
	ADD_PACKED(&mixed, &mixed.sample, 4, 1);
	assert_refused(&mixed, old_sample, old_hint);
}

static void test_numbers_that_are_not_there(void **state)
{
	_cleanup_(request_deinit) struct request stack = {0};
	add_dictionary(&stack);
	protobuf_message_u64(&stack.sample, OTLP_SAMPLE_STACK, 2);
	ADD_PACKED(&stack, &stack.sample, OTLP_SAMPLE_VALUES, 1);
	assert_refused(&stack, "OTLP profiles: stack 2 is referred to, and the table has 2", NULL);

	_cleanup_(request_deinit) struct request type = {0};
	add_dictionary(&type);
	add_type(&type, OTLP_PROFILE_SAMPLE_TYPE, 99, 0);
	assert_refused(&type, "OTLP profiles: string 99 is referred to, and the table has 13",
		       NULL);

	_cleanup_(request_deinit) struct request negative = {0};
	add_dictionary(&negative);
	protobuf_message_u64(&negative.sample, OTLP_SAMPLE_STACK, UINT64_MAX);
	ADD_PACKED(&negative, &negative.sample, OTLP_SAMPLE_VALUES, 1);
	assert_refused(&negative,
		       "OTLP profiles: stack 18446744073709551615 is referred to, and the table "
		       "has 2",
		       NULL);
}

static void test_values_that_make_no_sense(void **state)
{
	_cleanup_(request_deinit) struct request negative = {0};
	add_dictionary(&negative);
	ADD_PACKED(&negative, &negative.sample, OTLP_SAMPLE_VALUES, (uint64_t)-1);
	assert_refused(&negative, "OTLP profiles: a sample has a negative value", NULL);

	_cleanup_(request_deinit) struct request uneven = {0};
	add_dictionary(&uneven);
	ADD_PACKED(&uneven, &uneven.sample, OTLP_SAMPLE_VALUES, 1, 2, 3);
	add_times(&uneven, 2);
	assert_refused(&uneven, "OTLP profiles: a sample has 3 values and 2 times", NULL);
}

// Many batches with one deep stack: small to send, and much to build.
static void test_a_request_cannot_cost_more_than_its_size(void **state)
{
	_cleanup_(request_deinit) struct request request = {0};
	struct otlp_batches batches;
	add_dictionary(&request);
	for (int i = 0; i < 60000; i++)
		protobuf_message_packed(&request.inner, 2);
	protobuf_message_nested(&request.entry, OTLP_STACK_LOCATIONS, &request.inner);
	protobuf_message_nested(&request.dictionary, OTLP_STACKS, &request.entry);
	for (int i = 0; i < 1000; i++) {
		protobuf_message_u64(&request.sample, OTLP_SAMPLE_STACK, 2);
		ADD_PACKED(&request, &request.sample, OTLP_SAMPLE_VALUES, 1);
		end_sample(&request);
		protobuf_message_nested(&request.scopes, OTLP_SCOPES_PROFILES, &request.profile);
		protobuf_message_nested(&request.resources, OTLP_RESOURCES_SCOPES, &request.scopes);
	}
	protobuf_message_nested(&request.bytes, OTLP_REQUEST_RESOURCES, &request.resources);
	protobuf_message_nested(&request.bytes, OTLP_REQUEST_DICTIONARY, &request.dictionary);
	_cleanup_(error_destroyp) struct error *err = decode(&request, &batches);
	assert_non_null(err);
	assert_non_null(strstr(err->message, "more names and frames than a request of"));
}

static void test_a_stack_has_an_end(void **state)
{
	_cleanup_(request_deinit) struct request request = {0};
	add_dictionary(&request);
	for (int i = 0; i < 1 << 16; i++)
		protobuf_message_packed(&request.inner, 2);
	protobuf_message_packed(&request.inner, 1);
	protobuf_message_nested(&request.entry, OTLP_STACK_LOCATIONS, &request.inner);
	protobuf_message_nested(&request.dictionary, OTLP_STACKS, &request.entry);
	protobuf_message_u64(&request.sample, OTLP_SAMPLE_STACK, 2);
	ADD_PACKED(&request, &request.sample, OTLP_SAMPLE_VALUES, 1);
	assert_refused(&request, "OTLP profiles: a stack has more than 65536 frames", NULL);
}

static struct string_builder random_request(uint32_t seed)
{
	struct string_builder bytes = STRING_BUILDER_INIT;
	_cleanup_(fleet_batch_deinit) struct fleet_batch batch;
	otlp_fixture_random(&batch, seed, 20);
	assert_no_error(otlp_encoder_encode(&batch, &bytes));
	return bytes;
}

// Repeated fields of two messages follow each other: a collector's request has both resources.
static void test_resources_are_batches(void **state)
{
	_cleanup_(request_deinit) struct request request = {0};
	_cleanup_(otlp_batches_deinit) struct otlp_batches batches = OTLP_BATCHES_INIT;
	add_dictionary(&request);
	for (int i = 0; i < 3; i++) {
		ADD_PACKED(&request, &request.sample, OTLP_SAMPLE_VALUES, 1);
		end_sample(&request);
		add_type(&request, OTLP_PROFILE_SAMPLE_TYPE, WORD_SAMPLES, WORD_COUNT);
		protobuf_message_nested(&request.scopes, OTLP_SCOPES_PROFILES, &request.profile);
		if (i == 1)
			continue; // the same scope has another one
		protobuf_message_nested(&request.resources, OTLP_RESOURCES_SCOPES, &request.scopes);
		protobuf_message_nested(&request.bytes, OTLP_REQUEST_RESOURCES, &request.resources);
	}
	protobuf_message_nested(&request.bytes, OTLP_REQUEST_DICTIONARY, &request.dictionary);
	assert_no_error(decode(&request, &batches));
	assert_int_equal(batches.num_batches, 2);
	assert_int_equal(batches.batches[0].profile.num_samples, 1);
	assert_int_equal(batches.batches[1].profile.num_samples, 2);
	assert_int_equal(batches.batches[1].profile.num_events, 1);

	_cleanup_(otlp_batches_deinit) struct otlp_batches all = OTLP_BATCHES_INIT;
	assert_no_error(otlp_decoder_decode(request.bytes.bytes.text, request.bytes.bytes.length,
					    OTLP_BATCH_ALL, &all));
	assert_int_equal(all.num_batches, 1);
	assert_int_equal(all.batches[0].profile.num_events, 1);
	assert_int_equal(all.batches[0].profile.num_samples, 3);
}

static void test_nothing_is_no_batch(void **state)
{
	_cleanup_(otlp_batches_deinit) struct otlp_batches batches = OTLP_BATCHES_INIT;
	assert_no_error(otlp_decoder_decode("", 0, OTLP_BATCH_EACH, &batches));
	assert_int_equal(batches.num_batches, 0);
}

// What is cut off is an error, but for the end of a field of the request.
static void test_truncated_requests(void **state)
{
	_cleanup_(string_builder_deinit) struct string_builder bytes = random_request(7);
	size_t num_errors = 0;
	for (size_t size = 0; size < bytes.length; size++) {
		_cleanup_(otlp_batches_deinit) struct otlp_batches batches = OTLP_BATCHES_INIT;
		char *copy = malloc(size + 1); // sanitizers see what is read behind it
		assert_non_null(copy);
		memcpy(copy, bytes.text, size);
		struct error *err = otlp_decoder_decode(copy, size, OTLP_BATCH_EACH, &batches);
		num_errors += err != NULL;
		error_destroy(err);
		free(copy);
	}
	// Not one of nothing.
	assert_int_equal(num_errors, bytes.length - 1);
}

static void test_damaged_requests(void **state)
{
	uint32_t seed = 5;
	for (size_t i = 0; i < 3000; i++) {
		_cleanup_(string_builder_deinit) struct string_builder bytes =
			random_request(1 + (uint32_t)i % 3);
		_cleanup_(otlp_batches_deinit) struct otlp_batches batches = OTLP_BATCHES_INIT;
		for (uint32_t j = 0; j < 1 + i % 4; j++)
			bytes.text[fixture_random(&seed, (uint32_t)bytes.length)] =
				(char)fixture_random(&seed, 256);
		error_destroy(
			otlp_decoder_decode(bytes.text, bytes.length, OTLP_BATCH_EACH, &batches));
		for (size_t j = 0; j < batches.num_batches; j++)
			free(otlp_fixture_describe_text(&batches.batches[j]));
	}
}

static void test_damaged_times_do_no_harm(void **state)
{
	_cleanup_(fleet_batch_deinit) struct fleet_batch batch;
	_cleanup_(string_builder_deinit) struct string_builder bytes = STRING_BUILDER_INIT;
	_cleanup_(otlp_batches_deinit) struct otlp_batches batches = OTLP_BATCHES_INIT;
	otlp_fixture_random(&batch, 3, 40);
	batch.has_times = true;
	assert_no_error(otlp_encoder_encode(&batch, &bytes));
	// Every change of a byte is an error, or a request that can be read.
	for (size_t i = 0; i < bytes.length; i++) {
		bytes.text[i] ^= 0x11;
		struct error *err =
			otlp_decoder_decode(bytes.text, bytes.length, OTLP_BATCH_ALL, &batches);
		bytes.text[i] ^= 0x11;
		error_destroy(err);
		otlp_batches_deinit(&batches);
	}
	assert_no_error(otlp_decoder_decode(bytes.text, bytes.length, OTLP_BATCH_ALL, &batches));
	assert_int_equal(batches.batches->profile.num_samples, 40);
}

int otlp_decoder_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times_without_values),
		cmocka_unit_test(test_addresses_of_symbols),
		cmocka_unit_test(test_values_without_a_period),
		cmocka_unit_test(test_a_value_for_each_time),
		cmocka_unit_test(test_samples_of_1_9_are_refused),
		cmocka_unit_test(test_samples_of_1_9_with_times_are_refused),
		cmocka_unit_test(test_samples_of_1_8_are_refused),
		cmocka_unit_test(test_values_and_attributes_as_fields_of_their_own),
		cmocka_unit_test(test_numbers_that_are_not_there),
		cmocka_unit_test(test_values_that_make_no_sense),
		cmocka_unit_test(test_a_request_cannot_cost_more_than_its_size),
		cmocka_unit_test(test_a_stack_has_an_end),
		cmocka_unit_test(test_resources_are_batches),
		cmocka_unit_test(test_nothing_is_no_batch),
		cmocka_unit_test(test_truncated_requests),
		cmocka_unit_test(test_damaged_requests),
		cmocka_unit_test(test_damaged_times_do_no_harm),
	};
	return cmocka_run_group_tests_name("otlp_decoder", tests, NULL, NULL);
}
