// SPDX-License-Identifier: Apache-2.0

#include "fleet/otlp/otlp_encoder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file/memory_stream.h"
#include "fleet/gzip_reader.h"
#include "fleet/otlp/otlp_decoder.h"
#include "fleet/otlp/otlp_fields.h"
#include "fleet/otlp/otlp_message.h"
#include "profile/stored/profile_order.h"

#include "tests/unit/fleet/otlp_fixture.h"

static struct string_builder encoded(const struct fleet_batch *batch)
{
	struct string_builder bytes = STRING_BUILDER_INIT;
	assert_no_error(otlp_encoder_encode(batch, &bytes));
	return bytes;
}

static void assert_comes_back(const struct fleet_batch *batch)
{
	_cleanup_(string_builder_deinit) struct string_builder bytes = encoded(batch);
	_cleanup_free_ char *expected = otlp_fixture_describe_text(batch);
	for (enum otlp_grouping grouping = 0; grouping <= OTLP_BATCH_ALL; grouping++) {
		_cleanup_(otlp_batches_deinit) struct otlp_batches batches = OTLP_BATCHES_INIT;
		assert_no_error(otlp_decoder_decode(bytes.text, bytes.length, grouping, &batches));
		assert_int_equal(batches.num_batches, 1);
		_cleanup_free_ char *got = otlp_fixture_describe_text(&batches.batches[0]);
		assert_string_equal(got, expected);
	}
}

static void test_random_batches_come_back(void **state)
{
	for (uint32_t seed = 1; seed < 200; seed++) {
		_cleanup_(fleet_batch_deinit) struct fleet_batch batch;
		otlp_fixture_random(&batch, seed, seed % 20 ? seed : 0);
		assert_comes_back(&batch);
	}
}

/** Each sample with its time, its weight and its count, in the order of profile_order.h. */
static void test_samples_keep_their_times(void **state)
{
	for (uint32_t seed = 1; seed < 100; seed++) {
		_cleanup_(fleet_batch_deinit) struct fleet_batch batch;
		_cleanup_(otlp_batches_deinit) struct otlp_batches all = OTLP_BATCHES_INIT;
		uint32_t random = seed;
		otlp_fixture_random(&batch, seed, 3 * seed);
		batch.has_times = true;
		for (size_t i = 0; i < batch.profile.num_samples; i++)
			batch.profile.samples[i].time_ns = fixture_random(&random, 5);
		assert_comes_back(&batch);
		assert_no_error(profile_order_apply(&batch.profile));
		_cleanup_(string_builder_deinit) struct string_builder bytes = encoded(&batch);
		assert_no_error(
			otlp_decoder_decode(bytes.text, bytes.length, OTLP_BATCH_ALL, &all));
		const struct named_profile *wanted = &batch.profile, *got = &all.batches->profile;
		assert_true(all.batches->has_times);
		assert_int_equal(got->num_samples, wanted->num_samples);
		for (size_t i = 0; i < wanted->num_samples; i++) {
			const struct named_sample *a = &wanted->samples[i], *b = &got->samples[i];
			assert_int_equal(a->time_ns, b->time_ns);
			assert_int_equal(a->event, b->event);
			assert_int_equal(a->weight, b->weight);
			assert_int_equal(a->count, b->count);
			assert_int_equal(a->stack == STACK_NONE, b->stack == STACK_NONE);
			if (a->stack != STACK_NONE)
				assert_int_equal(wanted->stacks.nodes[a->stack].depth,
						 got->stacks.nodes[b->stack].depth);
		}
	}
}

/** The bytes of the only field of this number. */
static struct reader only_field(struct reader message, uint32_t number)
{
	struct otlp_field field;
	struct reader found = reader_create(NULL, 0);
	size_t count = 0;
	while (otlp_message_next(&message, &field)) {
		if (field.number != number)
			continue;
		found = field.bytes;
		count++;
	}
	assert_false(message.failed);
	assert_int_equal(count, 1);
	return found;
}

static size_t count_fields(struct reader message, uint32_t number)
{
	struct otlp_field field;
	size_t count = 0;
	while (otlp_message_next(&message, &field))
		count += field.number == number;
	return count;
}

/** A batch with one sample of an event of 100, in f, which is inlined into main. */
static void init_small(struct fleet_batch *batch)
{
	assert_no_error(fleet_batch_init(batch));
	struct named_profile *profile = &batch->profile;
	uint32_t module = fixture_module(profile, "/bin/a");
	uint32_t main = fixture_function(profile, "main", module);
	uint32_t inlined = fixture_function(profile, "f", module);
	uint32_t unused = fixture_function(profile, "secret", module);
	uint32_t frames[] = {0, fixture_frame(profile, main, 12, 64)};
	fixture_frame(profile, unused, 1, 2);
	struct named_frame frame = {
		.function = inlined, .file = 0, .line = 3, .is_inlined = true, .address = 64};
	frame.file = profile->functions[inlined].file;
	assert_no_error(named_profile_frame(profile, &frame, &frames[0]));
	fixture_thread(profile, 1, 2, "a", "a");
	fixture_event(profile, "cycles");
	fixture_sample(profile, frames, 2, 1000);
	fixture_sample(profile, frames, 2, 1000);
	profile->samples[0].cpu = profile->samples[1].cpu = NAMED_NONE;
}

static void test_an_inlined_frame_is_a_line(void **state)
{
	_cleanup_(fleet_batch_deinit) struct fleet_batch batch;
	init_small(&batch);
	_cleanup_(string_builder_deinit) struct string_builder bytes = encoded(&batch);
	struct reader request = reader_create(bytes.text, bytes.length);
	struct reader dictionary = only_field(request, OTLP_REQUEST_DICTIONARY);
	// The zero value of each table, and what is used of it: one place with two lines.
	assert_int_equal(count_fields(dictionary, OTLP_MAPPINGS), 2);
	assert_int_equal(count_fields(dictionary, OTLP_LOCATIONS), 2);
	assert_int_equal(count_fields(dictionary, OTLP_FUNCTIONS), 3);
	assert_int_equal(count_fields(dictionary, OTLP_LINKS), 1);
	assert_int_equal(count_fields(dictionary, OTLP_STACKS), 2);
	assert_null(strstr(bytes.text, "secret"));
	for (enum otlp_table table = OTLP_MAPPINGS; table < OTLP_NUM_TABLES; table++) {
		struct reader entries = dictionary;
		struct otlp_field field;
		while (otlp_message_next(&entries, &field) && field.number != table)
			;
		assert_int_equal(field.number, table);
		assert_int_equal(field.bytes.size, 0);
	}
	assert_comes_back(&batch);
}

static void test_equal_samples_are_one_value_without_a_time(void **state)
{
	_cleanup_(fleet_batch_deinit) struct fleet_batch batch;
	init_small(&batch);
	_cleanup_(string_builder_deinit) struct string_builder bytes = encoded(&batch);
	struct reader resources =
		only_field(reader_create(bytes.text, bytes.length), OTLP_REQUEST_RESOURCES);
	struct reader profile =
		only_field(only_field(resources, OTLP_RESOURCES_SCOPES), OTLP_SCOPES_PROFILES);
	struct reader sample = only_field(profile, OTLP_PROFILE_SAMPLES);
	struct reader values = only_field(sample, OTLP_SAMPLE_VALUES);
	assert_int_equal(reader_uleb128(&values), 2000);
	assert_int_equal(reader_left(&values), 0);
	assert_int_equal(count_fields(sample, OTLP_SAMPLE_TIMES), 0);
	assert_int_equal(count_fields(profile, OTLP_PROFILE_PERIOD), 1);
	assert_int_equal(count_fields(profile, OTLP_PROFILE_PERIOD_TYPE), 1);
}

// Tables of equal sums have their rows in the order of frames.
static void test_frames_keep_their_order(void **state)
{
	enum { NUM_FRAMES = 50 };
	_cleanup_(fleet_batch_deinit) struct fleet_batch batch;
	assert_no_error(fleet_batch_init(&batch));
	for (uint32_t i = 0; i < NUM_FRAMES; i++)
		fixture_frame(&batch.profile, fixture_function(&batch.profile, "f", NAMED_NONE),
			      1000 - i, 0);
	fixture_thread(&batch.profile, 1, 2, "a", "a");
	fixture_event(&batch.profile, "cycles");
	uint32_t seed = 3;
	for (uint32_t i = 0; i < 10 * NUM_FRAMES; i++) {
		uint32_t frames[] = {fixture_random(&seed, NUM_FRAMES),
				     fixture_random(&seed, NUM_FRAMES)};
		fixture_sample(&batch.profile, frames, 2, 1);
	}
	_cleanup_(string_builder_deinit) struct string_builder bytes = encoded(&batch);
	_cleanup_(otlp_batches_deinit) struct otlp_batches all = OTLP_BATCHES_INIT;
	assert_no_error(otlp_decoder_decode(bytes.text, bytes.length, OTLP_BATCH_ALL, &all));
	assert_int_equal(all.batches[0].profile.num_frames, NUM_FRAMES);
	for (uint32_t i = 0; i < NUM_FRAMES; i++)
		assert_int_equal(all.batches[0].profile.frames[i].line, 1000 - i);
}

static void test_weights_fit_into_a_value(void **state)
{
	_cleanup_(fleet_batch_deinit) struct fleet_batch batch;
	init_small(&batch);
	batch.profile.samples[0].weight = UINT64_MAX;
	_cleanup_(string_builder_deinit) struct string_builder bytes = encoded(&batch);
	_cleanup_(otlp_batches_deinit) struct otlp_batches batches = OTLP_BATCHES_INIT;
	assert_no_error(otlp_decoder_decode(bytes.text, bytes.length, OTLP_BATCH_EACH, &batches));
	assert_int_equal(batches.batches[0].profile.samples[0].weight, INT64_MAX);
	assert_int_equal(batches.batches[0].profile.samples[0].count, 2);
}

static void test_texts_are_utf8(void **state)
{
	_cleanup_(fleet_batch_deinit) struct fleet_batch batch;
	init_small(&batch);
	assert_no_error(fleet_batch_set_label(&batch, "service.name", "a\xff"));
	_cleanup_(string_builder_deinit) struct string_builder bytes = encoded(&batch);
	_cleanup_(otlp_batches_deinit) struct otlp_batches batches = OTLP_BATCHES_INIT;
	assert_no_error(otlp_decoder_decode(bytes.text, bytes.length, OTLP_BATCH_EACH, &batches));
	assert_string_equal(fleet_batch_label(&batches.batches[0], "service.name"),
			    "a\xef\xbf\xbd");
}

static void test_a_stream_may_be_compressed(void **state)
{
	_cleanup_(fleet_batch_deinit) struct fleet_batch batch;
	init_small(&batch);
	_cleanup_(string_builder_deinit) struct string_builder bytes = encoded(&batch);
	for (int is_compressed = 0; is_compressed < 2; is_compressed++) {
		_cleanup_(memory_stream_deinit) struct memory_stream stream = MEMORY_STREAM_INIT;
		_cleanup_free_ uint8_t *unpacked = NULL;
		size_t size = 0;
		assert_no_error(memory_stream_open(&stream));
		assert_no_error(otlp_encoder_write(&batch, is_compressed, stream.stream, "a"));
		assert_no_error(memory_stream_close(&stream));
		assert_int_equal(gzip_reader_is_gzip(stream.text, stream.size), is_compressed);
		if (is_compressed) {
			assert_no_error(gzip_reader_unpack(stream.text, stream.size, 1 << 20,
							   &unpacked, &size));
			assert_int_equal(size, bytes.length);
			assert_memory_equal(unpacked, bytes.text, size);
		} else {
			assert_int_equal(stream.size, bytes.length);
			assert_memory_equal(stream.text, bytes.text, stream.size);
		}
	}
}

/** A part of a batch's samples, as a batch with a service of its own. */
static struct fleet_batch part_of(const struct fleet_batch *whole, size_t first, size_t num)
{
	struct fleet_batch part = {.start_ns = whole->start_ns, .length_ns = whole->length_ns};
	char name[16];
	snprintf(name, sizeof(name), "service-%zu", first);
	assert_no_error(fleet_batch_set_id(&part, name));
	assert_no_error(fleet_batch_set_label(&part, "service.name", name));
	part.profile = whole->profile;
	part.profile.samples += first;
	part.profile.num_samples = num;
	return part;
}

static void test_batches_of_one_profile_share_a_request(void **state)
{
	enum { NUM_PARTS = 3 };
	for (uint32_t seed = 1; seed < 40; seed++) {
		_cleanup_(fleet_batch_deinit) struct fleet_batch whole;
		_cleanup_(string_builder_deinit) struct string_builder bytes = STRING_BUILDER_INIT;
		_cleanup_(otlp_batches_deinit) struct otlp_batches got = OTLP_BATCHES_INIT;
		struct fleet_batch parts[NUM_PARTS];
		otlp_fixture_random(&whole, seed, 10 + seed);
		size_t each = whole.profile.num_samples / NUM_PARTS;
		for (size_t i = 0; i < NUM_PARTS; i++)
			parts[i] = part_of(&whole, i * each, each);
		assert_no_error(otlp_encoder_encode_all(parts, NUM_PARTS, &bytes));
		assert_no_error(
			otlp_decoder_decode(bytes.text, bytes.length, OTLP_BATCH_EACH, &got));
		assert_int_equal(got.num_batches, NUM_PARTS);
		for (size_t i = 0; i < NUM_PARTS; i++) {
			_cleanup_free_ char *expected = otlp_fixture_describe_text(&parts[i]);
			_cleanup_free_ char *text = otlp_fixture_describe_text(&got.batches[i]);
			assert_string_equal(text, expected);
			parts[i].profile = (struct named_profile){0}; // not its own
			fleet_batch_deinit(&parts[i]);
		}
	}
}

int otlp_encoder_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_batches_of_one_profile_share_a_request),
		cmocka_unit_test(test_random_batches_come_back),
		cmocka_unit_test(test_samples_keep_their_times),
		cmocka_unit_test(test_an_inlined_frame_is_a_line),
		cmocka_unit_test(test_equal_samples_are_one_value_without_a_time),
		cmocka_unit_test(test_frames_keep_their_order),
		cmocka_unit_test(test_weights_fit_into_a_value),
		cmocka_unit_test(test_texts_are_utf8),
		cmocka_unit_test(test_a_stream_may_be_compressed),
	};
	return cmocka_run_group_tests_name("otlp_encoder", tests, NULL, NULL);
}
