// SPDX-License-Identifier: Apache-2.0
#include "profile/hot/sort_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"
#include "tests/unit/profile_fixture.h"
#include "tests/unit/profile_total.h"

#include <stdbool.h>
#include <string.h>

static const enum sort_key all_keys[] = {SORT_COMMAND, SORT_PID,    SORT_CPU,
					 SORT_MODULE,  SORT_SYMBOL, SORT_SOURCE_LINE};

static void append_cells(const struct named_profile *profile, const struct sort_row *row,
			 const enum sort_key *keys, size_t num_keys, struct string_builder *text)
{
	string_builder_clear(text);
	for (size_t i = 0; i < num_keys; i++) {
		sort_list_append_cell(profile, row, keys[i], text);
		string_builder_append_char(text, '|');
	}
}

/** What a row must have: of each sample, frame by frame, by the texts of the cells. */
static void sum_up(const struct named_profile *profile, const enum sort_key *keys, size_t num_keys,
		   const char *wanted, struct sort_row *ret)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	*ret = (struct sort_row){0};
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		struct named_total sum = {sample->count, sample->weight};
		struct sort_row row = {.thread = sample->thread, .cpu = sample->cpu};
		bool is_found = false, is_leaf = true;
		uint32_t stack = sample->stack;
		do {
			row.frame = stack == STACK_NONE ? NAMED_NONE
							: profile->stacks.nodes[stack].frame;
			append_cells(profile, &row, keys, num_keys, &text);
			bool is_same = strcmp(string_builder_peek(&text), wanted) == 0;
			if (is_same && is_leaf)
				named_total_add(&ret->self, sum);
			is_found = is_found || is_same;
			is_leaf = false;
			stack = stack == STACK_NONE ? STACK_NONE
						    : profile->stacks.nodes[stack].parent;
		} while (stack != STACK_NONE);
		if (is_found)
			named_total_add(&ret->total, sum);
	}
}

static void assert_sums(const struct named_profile *profile, const enum sort_key *keys,
			size_t num_keys)
{
	_cleanup_(sort_list_deinit) struct sort_list list = SORT_LIST_INIT;
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	assert_no_error(sort_list_create(profile, keys, num_keys, false, NULL, &list));
	uint64_t count = 0;
	for (size_t i = 0; i < list.num_rows; i++) {
		const struct sort_row *row = &list.rows[i];
		struct sort_row expected;
		append_cells(profile, row, keys, num_keys, &text);
		sum_up(profile, keys, num_keys, string_builder_peek(&text), &expected);
		assert_int_equal(row->self.weight, expected.self.weight);
		assert_int_equal(row->total.weight, expected.total.weight);
		assert_int_equal(row->total.count, expected.total.count);
		assert_true(i == 0 || list.rows[i - 1].self.weight >= row->self.weight);
		count += row->self.count;
	}
	assert_int_equal(count, profile_total(profile, NAMED_NONE).count);
	assert_int_equal(list.whole.weight, profile_total(profile, NAMED_NONE).weight);
}

static void test_sums_of_random_profiles(void **state)
{
	for (uint32_t seed = 1; seed < 8; seed++) {
		_cleanup_(named_profile_deinit) struct named_profile profile;
		fixture_random_profile(&profile, seed, 60);
		for (size_t first = 0; first < ARRAY_SIZE(all_keys); first++)
			for (size_t num = 1; first + num <= ARRAY_SIZE(all_keys); num++)
				assert_sums(&profile, &all_keys[first], num);
	}
}

static void test_order_by_total(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	_cleanup_(sort_list_deinit) struct sort_list list = SORT_LIST_INIT;
	fixture_random_profile(&profile, 3, 60);
	static const enum sort_key keys[] = {SORT_SYMBOL};
	assert_no_error(sort_list_create(&profile, keys, 1, true, NULL, &list));
	assert_true(list.num_rows > 3);
	for (size_t i = 1; i < list.num_rows; i++)
		assert_true(list.rows[i - 1].total.weight >= list.rows[i].total.weight);
}

static void test_cells(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	uint32_t function =
		fixture_function(&profile, "parse", fixture_module(&profile, "libx.so"));
	uint32_t with_line = fixture_frame(&profile, function, 12, 0x20);
	uint32_t without = fixture_frame(&profile, function, 0, 0x24);
	fixture_thread(&profile, 7, 9, "worker", "app");
	static const enum sort_key keys[] = {SORT_COMMAND, SORT_PROCESS,     SORT_PID,
					     SORT_TID,     SORT_CPU,         SORT_MODULE,
					     SORT_SYMBOL,  SORT_SOURCE_LINE, SORT_SOURCE_FILE,
					     SORT_ADDRESS};
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	append_cells(&profile, &(struct sort_row){.cpu = 3, .frame = with_line}, keys,
		     ARRAY_SIZE(keys), &text);
	assert_string_equal(string_builder_peek(&text),
			    "worker|app|7:app|9:worker|3|libx.so|parse|app.c:12|app.c|"
			    "libx.so+0x20|");
	append_cells(&profile, &(struct sort_row){.cpu = NAMED_NONE, .frame = without}, keys + 4,
		     ARRAY_SIZE(keys) - 4, &text);
	assert_string_equal(string_builder_peek(&text),
			    "|libx.so|parse|libx.so|libx.so|libx.so+0x24|");
	append_cells(&profile, &(struct sort_row){.frame = NAMED_NONE}, &keys[6], 1, &text);
	assert_string_equal(string_builder_peek(&text), "[no stack]|");
}

int sort_list_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums_of_random_profiles),
		cmocka_unit_test(test_order_by_total),
		cmocka_unit_test(test_cells),
	};
	return cmocka_run_group_tests_name("sort_list", tests, NULL, NULL);
}
