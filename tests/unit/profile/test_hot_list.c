// SPDX-License-Identifier: Apache-2.0

#include "profile/hot/hot_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"
#include "profile/hot/hot_label.h"

#include "tests/unit/profile_fixture.h"
#include "tests/unit/profile_total.h"

#include <string.h>

// The slow way: for each label every frame of every sample is looked at. The label of a frame is
// asked by an entry made for it.
static char *label_of(const struct named_profile *profile, enum hot_key key, uint32_t item)
{
	struct hot_list list = {.key = key};
	struct hot_entry entry = {.item = item};
	_cleanup_(string_builder_deinit) struct string_builder label = STRING_BUILDER_INIT;
	hot_label_append(&list, profile, &entry, &label);
	uint32_t function = hot_label_function(&list, profile, &entry);
	if (function != NAMED_NONE)
		string_builder_appendf(&label, " %u", function);
	char *text = NULL;
	assert_no_error(string_builder_finish(&label, &text));
	return text;
}

static uint32_t frame_item(const struct named_profile *profile, enum hot_key key, uint32_t frame)
{
	uint32_t function = profile->frames[frame].function;
	if (key == HOT_FUNCTION)
		return function;
	return key == HOT_MODULE ? profile->functions[function].module : frame;
}

static bool is_label(const struct named_profile *profile, enum hot_key key, uint32_t item,
		     const char *wanted)
{
	_cleanup_free_ char *label = label_of(profile, key, item);
	return strcmp(label, wanted) == 0;
}

struct expected {
	struct named_total self, total;
};

static void add_expected(const struct named_profile *profile, enum hot_key key, const char *label,
			 const struct named_sample *sample, struct expected *expected)
{
	struct named_total sum = {sample->count, sample->weight};
	uint32_t stack = sample->stack;
	if (stack == STACK_NONE) {
		if (!is_label(profile, key, NAMED_NONE, label))
			return;
		named_total_add(&expected->self, sum);
		named_total_add(&expected->total, sum);
		return;
	}
	bool is_leaf = true;
	bool is_on_stack = false;
	for (; stack != STACK_NONE; stack = profile->stacks.nodes[stack].parent, is_leaf = false) {
		uint32_t item = frame_item(profile, key, profile->stacks.nodes[stack].frame);
		bool has_label = is_label(profile, key, item, label);
		if (has_label && is_leaf)
			named_total_add(&expected->self, sum);
		is_on_stack |= has_label;
	}
	if (is_on_stack)
		named_total_add(&expected->total, sum);
}

static void assert_totals(struct named_total got, struct named_total expected)
{
	assert_int_equal(got.count, expected.count);
	assert_int_equal(got.weight, expected.weight);
}

static void assert_like_slow_way(uint32_t seed, enum hot_key key)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	fixture_random_profile(&profile, seed, 200);
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	assert_no_error(hot_list_create(&profile, key, HOT_BY_SELF, NULL, &list));
	struct named_total all_self = {0};
	for (size_t i = 0; i < list.num_entries; i++) {
		_cleanup_free_ char *label = label_of(&profile, key, list.entries[i].item);
		struct expected expected = {0};
		for (size_t j = 0; j < profile.num_samples; j++)
			add_expected(&profile, key, label, &profile.samples[j], &expected);
		assert_totals(list.entries[i].self, expected.self);
		assert_totals(list.entries[i].total, expected.total);
		named_total_add(&all_self, list.entries[i].self);
	}
	assert_totals(all_self, profile_total(&profile, NAMED_NONE));
	assert_totals(all_self, list.whole);
}

static void test_sums_are_those_of_the_slow_way(void **state)
{
	for (uint32_t seed = 1; seed <= 10; seed++) {
		assert_like_slow_way(seed, HOT_FUNCTION);
		assert_like_slow_way(seed, HOT_LINE);
		assert_like_slow_way(seed, HOT_MODULE);
		assert_like_slow_way(seed, HOT_ADDRESS);
	}
}

static bool is_of_entry(const struct named_profile *profile, enum hot_key key, uint32_t item,
			const struct named_sample *sample)
{
	if (key == HOT_CPU)
		return sample->cpu == item;
	if (key == HOT_THREAD)
		return sample->thread == item;
	return profile->threads[sample->thread].process_name == profile->threads[item].process_name;
}

static void test_threads_processes_and_cpus(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	fixture_random_profile(&profile, 1, 300);
	static const enum hot_key keys[] = {HOT_THREAD, HOT_PROCESS, HOT_CPU};
	static const size_t num_expected[] = {3, 2, 4};
	for (size_t k = 0; k < ARRAY_SIZE(keys); k++) {
		_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
		assert_no_error(hot_list_create(&profile, keys[k], HOT_BY_SELF, NULL, &list));
		assert_int_equal(list.num_entries, num_expected[k]);
		for (size_t i = 0; i < list.num_entries; i++) {
			struct named_total sum = {0};
			for (size_t j = 0; j < profile.num_samples; j++) {
				const struct named_sample *sample = &profile.samples[j];
				if (is_of_entry(&profile, keys[k], list.entries[i].item, sample))
					named_total_add(&sum, (struct named_total){sample->count,
										   sample->weight});
			}
			assert_totals(list.entries[i].self, sum);
			assert_totals(list.entries[i].total, sum);
		}
	}
}

static void test_recursion_counts_once(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	uint32_t f = fixture_frame(&profile, fixture_function(&profile, "f", NAMED_NONE), 1, 1);
	uint32_t g = fixture_frame(&profile, fixture_function(&profile, "g", NAMED_NONE), 1, 2);
	fixture_sample(&profile, (uint32_t[]){f, g, f, f}, 4, 10);
	fixture_sample(&profile, (uint32_t[]){g, f}, 2, 5);
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	assert_no_error(hot_list_create(&profile, HOT_FUNCTION, HOT_BY_SELF, NULL, &list));
	assert_int_equal(list.num_entries, 2);
	assert_totals(list.entries[0].self, (struct named_total){1, 10});
	assert_totals(list.entries[0].total, (struct named_total){2, 15});
	assert_totals(list.entries[1].self, (struct named_total){1, 5});
	assert_totals(list.entries[1].total, (struct named_total){2, 15});
}

static void test_the_hottest_is_first(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	fixture_random_profile(&profile, 5, 300);
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	assert_no_error(hot_list_create(&profile, HOT_LINE, HOT_BY_SELF, NULL, &list));
	for (size_t i = 1; i < list.num_entries; i++)
		assert_true(list.entries[i - 1].self.weight >= list.entries[i].self.weight);
	hot_list_deinit(&list);
	assert_no_error(hot_list_create(&profile, HOT_LINE, HOT_BY_TOTAL, NULL, &list));
	for (size_t i = 1; i < list.num_entries; i++)
		assert_true(list.entries[i - 1].total.weight >= list.entries[i].total.weight);
}

static void test_an_instruction_is_of_the_outer_function(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	uint32_t inner = fixture_function(&profile, "inner", NAMED_NONE);
	uint32_t outer = fixture_function(&profile, "outer", NAMED_NONE);
	struct named_frame inlined = {.function = inner, .is_inlined = true, .address = 64};
	uint32_t leaf = 0;
	assert_no_error(named_profile_frame(&profile, &inlined, &leaf));
	fixture_sample(&profile, (uint32_t[]){leaf, fixture_frame(&profile, outer, 0, 64)}, 2, 7);
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	assert_no_error(hot_list_create(&profile, HOT_ADDRESS, HOT_BY_SELF, NULL, &list));
	assert_int_equal(list.num_entries, 1);
	assert_totals(list.entries[0].self, (struct named_total){1, 7});
	assert_totals(list.entries[0].total, (struct named_total){1, 7});
	assert_int_equal(hot_label_function(&list, &profile, &list.entries[0]), outer);
}

static uint32_t kernel_frame(struct named_profile *profile, const char *name, uint64_t address)
{
	uint32_t function = fixture_function(profile, name, NAMED_NONE);
	profile->functions[function].kind = FRAME_KERNEL;
	return fixture_frame(profile, function, 0, address);
}

static void test_a_wait_is_of_who_called_the_scheduler(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	struct named_event event = {.name = fixture_string(&profile, "off-cpu"), .is_whole = true};
	uint32_t number;
	assert_no_error(named_profile_event(&profile, &event, &number));
	uint32_t inner = kernel_frame(&profile, "__schedule", 1);
	uint32_t outer = kernel_frame(&profile, "schedule", 2);
	uint32_t reader = kernel_frame(&profile, "pipe_read", 3);
	uint32_t module = fixture_module(&profile, "app");
	uint32_t own =
		fixture_frame(&profile, fixture_function(&profile, "schedule", module), 1, 4);
	fixture_sample(&profile, (uint32_t[]){inner, outer, reader, own}, 4, 10);
	fixture_sample(&profile, (uint32_t[]){own}, 1, 3);   // a function of the program's
	fixture_sample(&profile, (uint32_t[]){inner}, 1, 2); // nobody called it
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	criteria.event = number;
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	assert_no_error(profile_filter_create(&profile, &criteria, &filter));
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	assert_no_error(hot_list_create(&profile, HOT_FUNCTION, HOT_BY_SELF, filter, &list));
	assert_int_equal(list.num_entries, 3);
	assert_int_equal(list.entries[0].item, profile.frames[reader].function);
	assert_totals(list.entries[0].self, (struct named_total){1, 10});
	assert_totals(list.entries[0].total, (struct named_total){1, 10});
	assert_totals(list.entries[1].self, (struct named_total){1, 3});
	assert_totals(list.entries[1].total, (struct named_total){2, 13});
	assert_totals(list.entries[2].self, (struct named_total){1, 2});
	assert_totals(list.whole, (struct named_total){3, 15});
}

static void test_nothing_gives_nothing(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	for (enum hot_key key = 0; key < HOT_NUM_KEYS; key++) {
		_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
		assert_no_error(hot_list_create(&profile, key, HOT_BY_SELF, NULL, &list));
		assert_int_equal(list.num_entries, 0);
		assert_int_equal(hot_key_find(hot_key_name(key)), key);
	}
	assert_int_equal(hot_key_find("colour"), HOT_NUM_KEYS);
}

int hot_list_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums_are_those_of_the_slow_way),
		cmocka_unit_test(test_threads_processes_and_cpus),
		cmocka_unit_test(test_recursion_counts_once),
		cmocka_unit_test(test_the_hottest_is_first),
		cmocka_unit_test(test_an_instruction_is_of_the_outer_function),
		cmocka_unit_test(test_a_wait_is_of_who_called_the_scheduler),
		cmocka_unit_test(test_nothing_gives_nothing),
	};
	return cmocka_run_group_tests_name("hot_list", tests, NULL, NULL);
}
