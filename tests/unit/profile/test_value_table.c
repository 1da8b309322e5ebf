// SPDX-License-Identifier: Apache-2.0

#include "profile/values/value_table.h"

#include "profile/named_profile.h"
#include "profile/values/value_sums.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

/** A number and a string. */
struct passage {
	struct probe_payload head;
	char text[PROBE_STRING_BYTES];
};

static struct passage passage_of(uint64_t number, const char *text)
{
	struct passage passage = {
		.head = {
			.magic = PROBE_PAYLOAD_MAGIC, .num = 2, .strings = 2, .numbers = {number}}};
	strncpy(passage.text, text, sizeof(passage.text) - 1);
	return passage;
}

static uint32_t add(struct named_profile *profile, const void *bytes, size_t size)
{
	uint32_t values;
	assert_no_error(value_table_add(&profile->values, &profile->strings, bytes, size, &values));
	return values;
}

static void equal_ones_are_stored_once(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	struct passage one = passage_of(1, "a"), other = passage_of(1, "b");
	uint32_t first = add(&profile, &one, sizeof(one));
	assert_int_not_equal(first, 0);
	assert_int_equal(add(&profile, &one, sizeof(one)), first);
	assert_int_not_equal(add(&profile, &other, sizeof(other)), first);
	const struct value_tuple *tuple = &profile.values.items[first];
	assert_string_equal(named_profile_text(&profile, (uint32_t)tuple->numbers[1]), "a");
}

static void damaged_ones_are_left_out(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	struct passage passage = passage_of(1, "a");
	assert_int_equal(add(&profile, &passage, sizeof(passage) - 1), 0);
	memset(passage.text, 'x', sizeof(passage.text)); // no end
	assert_int_equal(add(&profile, &passage, sizeof(passage)), 0);
	passage = passage_of(1, "a");
	passage.head.num = PROBE_MAX_VALUES + 1;
	assert_int_equal(add(&profile, &passage, sizeof(passage)), 0);
	// These are no payloads of probes.
	passage.head.magic++;
	assert_int_equal(add(&profile, &passage, sizeof(passage)), 0);
	assert_int_equal(add(&profile, &passage, 3), 0);
}

static void add_sample(struct named_profile *profile, uint64_t number, const char *text,
		       uint64_t weight)
{
	struct passage passage = passage_of(number, text);
	const struct named_sample sample = {
		.weight = weight,
		.count = 1,
		.stack = STACK_NONE,
		.values = add(profile, &passage, sizeof(passage)) & 0xffffff,
	};
	assert_no_error(named_profile_add(profile, &sample));
}

static void values_are_summed_up(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	add_sample(&profile, 10, "rare", 1);
	add_sample(&profile, 20, "often", 5);
	add_sample(&profile, 30, "often", 5);
	const struct named_sample without = {.weight = 7, .count = 1, .stack = STACK_NONE};
	assert_no_error(named_profile_add(&profile, &without));
	assert_int_equal(value_sums_num_values(&profile, 0), 2);
	assert_int_equal(value_sums_num_values(&profile, 1), 0);
	_cleanup_(value_sums_deinit) struct value_sums numbers = VALUE_SUMS_INIT;
	_cleanup_(value_sums_deinit) struct value_sums texts = VALUE_SUMS_INIT;
	assert_no_error(
		value_sums_create(&profile, 0, 0, VALUE_ROW_ALL, VALUE_CODE_LEAF, NULL, &numbers));
	assert_int_equal(numbers.num_numbers, 1);
	assert_int_equal(numbers.num_left_out, 7);
	assert_int_equal(numbers.numbers[0].sum.count, 11);
	assert_int_equal(numbers.numbers[0].sum.sum_low, 260);
	assert_no_error(
		value_sums_create(&profile, 0, 1, VALUE_ROW_LINE, VALUE_CODE_CALLER, NULL, &texts));
	assert_true(texts.is_string);
	assert_int_equal(texts.num_texts, 2);
	assert_string_equal(named_profile_text(&profile, texts.texts[0].text), "often");
	assert_int_equal(texts.texts[0].count, 10);
}

int value_table_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_ones_are_stored_once),
		cmocka_unit_test(damaged_ones_are_left_out),
		cmocka_unit_test(values_are_summed_up),
	};
	return cmocka_run_group_tests_name("value_table", tests, NULL, NULL);
}
