// SPDX-License-Identifier: Apache-2.0

#include "profile/profile_join.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "profile/hot/hot_list.h"
#include "profile/time_span.h"
#include "tests/unit/profile_fixture.h"

#include <string.h>

struct pair {
	struct named_profile joined, later;
	struct profile_join join;
};

static void pair_deinit(struct pair *pair)
{
	named_profile_deinit(&pair->joined);
	named_profile_deinit(&pair->later);
}

static void pair_init(struct pair *pair)
{
	assert_no_error(named_profile_init(&pair->joined));
	assert_no_error(named_profile_init(&pair->later));
}

static void pair_join(struct pair *pair)
{
	assert_no_error(profile_join_add(&pair->joined, &pair->later, &pair->join));
}

static const char *module_name(const struct named_profile *profile, uint32_t function)
{
	uint32_t module = profile->functions[function].module;
	return module == NAMED_NONE ? ""
				    : named_profile_text(profile, profile->modules[module].name);
}

static bool is_same_function(const struct named_profile *a, uint32_t left,
			     const struct named_profile *b, uint32_t right)
{
	return !strcmp(named_profile_text(a, a->functions[left].name),
		       named_profile_text(b, b->functions[right].name)) &&
	       !strcmp(module_name(a, left), module_name(b, right));
}

static void list_event(const struct named_profile *profile, uint32_t event, struct hot_list *ret)
{
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	criteria.event = event;
	assert_no_error(profile_filter_create(profile, &criteria, &filter));
	assert_no_error(hot_list_create(profile, HOT_FUNCTION, HOT_BY_SELF, filter, ret));
}

static bool equal_totals(struct named_total a, struct named_total b)
{
	return a.count == b.count && a.weight == b.weight;
}

/** Each function of the event has the sums that it has in its recording alone. */
static void assert_same_sums(const struct named_profile *joined, uint32_t joined_event,
			     const struct named_profile *alone, uint32_t event)
{
	_cleanup_(hot_list_deinit) struct hot_list list = HOT_LIST_INIT;
	_cleanup_(hot_list_deinit) struct hot_list wanted = HOT_LIST_INIT;
	list_event(joined, joined_event, &list);
	list_event(alone, event, &wanted);
	assert_true(equal_totals(list.whole, wanted.whole));
	assert_int_equal(list.num_entries, wanted.num_entries);
	for (size_t i = 0; i < wanted.num_entries; i++) {
		const struct hot_entry *entry = &wanted.entries[i];
		size_t num_found = 0;
		for (size_t j = 0; j < list.num_entries; j++) {
			bool is_none = entry->item == NAMED_NONE;
			if (is_none != (list.entries[j].item == NAMED_NONE))
				continue;
			if (!is_none &&
			    !is_same_function(joined, list.entries[j].item, alone, entry->item))
				continue;
			num_found += equal_totals(list.entries[j].self, entry->self) &&
				     equal_totals(list.entries[j].total, entry->total);
		}
		assert_int_equal(num_found, 1);
	}
}

static void assert_same_frame(const struct named_profile *joined, uint32_t stack,
			      const struct named_profile *alone, uint32_t wanted)
{
	const struct named_frame *a = &joined->frames[joined->stacks.nodes[stack].frame];
	const struct named_frame *b = &alone->frames[alone->stacks.nodes[wanted].frame];
	assert_int_equal(joined->stacks.nodes[stack].depth, alone->stacks.nodes[wanted].depth);
	assert_true(is_same_function(joined, a->function, alone, b->function));
	assert_string_equal(named_profile_text(joined, a->file),
			    named_profile_text(alone, b->file));
	assert_int_equal(a->line, b->line);
}

/** All samples of @alone, in their order, from @first_sample on. */
static void assert_same_samples(const struct named_profile *joined, size_t first_sample,
				uint32_t first_event, uint32_t first_thread,
				const struct named_profile *alone)
{
	for (size_t i = 0; i < alone->num_samples; i++) {
		const struct named_sample *a = &joined->samples[first_sample + i];
		const struct named_sample *b = &alone->samples[i];
		assert_int_equal(a->event, first_event + b->event);
		assert_int_equal(a->thread, first_thread + b->thread);
		assert_int_equal(a->weight, b->weight);
		assert_int_equal(a->count, b->count);
		assert_int_equal(a->cpu, b->cpu);
		uint32_t stack = a->stack, wanted = b->stack;
		while (wanted != STACK_NONE) {
			assert_int_not_equal(stack, STACK_NONE);
			assert_same_frame(joined, stack, alone, wanted);
			stack = joined->stacks.nodes[stack].parent;
			wanted = alone->stacks.nodes[wanted].parent;
		}
		assert_int_equal(stack, STACK_NONE);
	}
}

/** Names that only one of them has, and ids of strings that differ. */
static void add_own_names(struct named_profile *profile, const char *name)
{
	uint32_t function = fixture_function(profile, name, fixture_module(profile, name));
	uint32_t frames[] = {fixture_frame(profile, function, 3, 7), 0};
	fixture_sample(profile, frames, 2, 900);
}

static void test_sums_and_stacks_are_those_of_each_alone(void **state)
{
	for (uint32_t seed = 0; seed < 20; seed++) {
		_cleanup_(pair_deinit) struct pair pair;
		_cleanup_(named_profile_deinit) struct named_profile before;
		fixture_random_profile(&before, seed, 300);
		fixture_random_profile(&pair.joined, seed, 300);
		fixture_random_profile(&pair.later, seed + 100, 200);
		add_own_names(&before, "only_before");
		add_own_names(&pair.joined, "only_before");
		add_own_names(&pair.later, "only_after");
		pair_join(&pair);
		assert_int_equal(pair.joined.num_functions, before.num_functions + 1);
		assert_int_equal(pair.joined.num_events, 4);
		assert_int_equal(pair.joined.num_threads, 6);
		assert_int_equal(pair.join.first_event, 2);
		assert_int_equal(pair.join.first_thread, 3);
		for (uint32_t event = 0; event < 2; event++) {
			assert_same_sums(&pair.joined, event, &before, event);
			assert_same_sums(&pair.joined, event + 2, &pair.later, event);
		}
		assert_same_samples(&pair.joined, 0, 0, 0, &before);
		assert_same_samples(&pair.joined, before.num_samples, 2, 3, &pair.later);
	}
}

static uint32_t add_module(struct named_profile *profile, const char *path, const char *name,
			   const char *build_id)
{
	struct named_module module = {.name = fixture_string(profile, name),
				      .path = fixture_string(profile, path),
				      .build_id = fixture_string(profile, build_id)};
	uint32_t index;
	assert_no_error(named_profile_module(profile, &module, &index));
	return index;
}

static uint32_t add_function(struct named_profile *profile, const char *name, uint32_t module,
			     const char *file, uint32_t line)
{
	struct named_function function = {.name = fixture_string(profile, name),
					  .module = module,
					  .file = fixture_string(profile, file),
					  .line = line};
	uint32_t index;
	assert_no_error(named_profile_function(profile, &function, &index));
	return index;
}

/** A function with a sample; its number in @profile. */
static uint32_t add_sample(struct named_profile *profile, uint32_t function, uint64_t address)
{
	uint32_t frame = fixture_frame(profile, function, 20, address);
	fixture_sample(profile, &frame, 1, 1);
	return function;
}

/** Of the frame of that sample. */
static const struct named_frame *frame_of(const struct named_profile *profile, size_t sample)
{
	return &profile->frames[profile->stacks.nodes[profile->samples[sample].stack].frame];
}

static void test_a_module_is_its_file_name(void **state)
{
	_cleanup_(pair_deinit) struct pair pair;
	pair_init(&pair);
	uint32_t old = add_module(&pair.joined, "/lib/libc.so.6", "libc.so.6", "aa");
	uint32_t new = add_module(&pair.later, "/opt/libc.so.6", "libc.so.6", "bb");
	uint32_t other = add_module(&pair.later, "/lib/libm.so.6", "libm.so.6", "cc");
	add_sample(&pair.joined, add_function(&pair.joined, "copy", old, "copy.c", 1), 16);
	add_sample(&pair.later, add_function(&pair.later, "copy", new, "copy.c", 1), 16);
	add_sample(&pair.later, add_function(&pair.later, "copy", other, "copy.c", 1), 16);
	add_sample(&pair.later, add_function(&pair.later, "copy", NAMED_NONE, "copy.c", 1), 16);
	pair_join(&pair);
	assert_int_equal(pair.joined.num_functions, 3);
	assert_int_equal(frame_of(&pair.joined, 1)->function, 0);
	assert_string_equal(module_name(&pair.joined, frame_of(&pair.joined, 2)->function),
			    "libm.so.6");
	assert_string_equal(module_name(&pair.joined, frame_of(&pair.joined, 3)->function), "");
}

/** Address of the frame of a function in both, with these build ids. */
static uint64_t joined_address(const char *before, const char *after, const char *later_path)
{
	_cleanup_(pair_deinit) struct pair pair;
	pair_init(&pair);
	uint32_t old = add_module(&pair.joined, "/bin/app", "app", before);
	uint32_t new = add_module(&pair.later, later_path, "app", after);
	add_sample(&pair.joined, add_function(&pair.joined, "f", old, "f.c", 1), 16);
	add_sample(&pair.later, add_function(&pair.later, "f", new, "f.c", 1), 32);
	add_sample(&pair.later, add_function(&pair.later, "g", new, "f.c", 9), 48);
	pair_join(&pair);
	assert_int_equal(frame_of(&pair.joined, 0)->address, 16);
	assert_int_equal(frame_of(&pair.joined, 1)->function, 0);
	// What is only in the second keeps its own module, and so the address in it.
	const struct named_frame *own = frame_of(&pair.joined, 2);
	const struct named_function *function = &pair.joined.functions[own->function];
	assert_int_equal(own->address, 48);
	assert_string_equal(named_profile_text(&pair.joined,
					       pair.joined.modules[function->module].build_id),
			    after);
	return frame_of(&pair.joined, 1)->address;
}

static void test_addresses_are_of_one_build(void **state)
{
	assert_int_equal(joined_address("aa", "aa", "/bin/app"), 32);
	assert_int_equal(joined_address("aa", "aa", "/old/app"), 32);
	assert_int_equal(joined_address("aa", "bb", "/bin/app"), 0);
	assert_int_equal(joined_address("aa", "", "/bin/app"), 0);
	assert_int_equal(joined_address("", "", "/bin/app"), 0);
}

static void test_functions_of_one_name_are_paired_one_by_one(void **state)
{
	_cleanup_(pair_deinit) struct pair pair;
	pair_init(&pair);
	uint32_t old = add_module(&pair.joined, "/bin/app", "app", "aa");
	uint32_t new = add_module(&pair.later, "/bin/app", "app", "bb");
	uint32_t in_a = add_function(&pair.joined, "init", old, "/src/a.c", 1);
	uint32_t in_b = add_function(&pair.joined, "init", old, "/src/b.c", 1);
	uint32_t first = add_function(&pair.joined, "<lambda>", old, "/src/l.py", 3);
	uint32_t second = add_function(&pair.joined, "<lambda>", old, "/src/l.py", 7);
	uint32_t moved = add_function(&pair.joined, "moved", old, "/src/a.c", 5);
	// In another order, in another folder, two lines further down, and one more of each name.
	uint32_t functions[] = {
		add_function(&pair.later, "<lambda>", new, "/new/l.py", 5),
		add_function(&pair.later, "<lambda>", new, "/new/l.py", 9),
		add_function(&pair.later, "<lambda>", new, "/new/l.py", 12),
		add_function(&pair.later, "init", new, "/new/c.c", 1),
		add_function(&pair.later, "init", new, "/new/b.c", 40),
		add_function(&pair.later, "init", new, "/new/a.c", 40),
		add_function(&pair.later, "moved", new, "/new/m.c", 5),
	};
	for (size_t i = 0; i < 7; i++)
		add_sample(&pair.later, functions[i], 16 * i);
	pair_join(&pair);
	assert_int_equal(frame_of(&pair.joined, 0)->function, first);
	assert_int_equal(frame_of(&pair.joined, 1)->function, second);
	assert_int_equal(frame_of(&pair.joined, 2)->function, 5);
	assert_int_equal(frame_of(&pair.joined, 3)->function, 6);
	assert_int_equal(frame_of(&pair.joined, 4)->function, in_b);
	assert_int_equal(frame_of(&pair.joined, 5)->function, in_a);
	assert_int_equal(frame_of(&pair.joined, 6)->function, moved);
	assert_int_equal(pair.joined.num_functions, 7);
}

static void test_both_begin_at_once(void **state)
{
	_cleanup_(pair_deinit) struct pair pair;
	pair_init(&pair);
	add_sample(&pair.joined, fixture_function(&pair.joined, "f", NAMED_NONE), 0);
	add_sample(&pair.later, fixture_function(&pair.later, "f", NAMED_NONE), 0);
	pair.joined.samples[0].time_ns = 5100;
	pair.joined.start_time_ns = 5000;
	pair.joined.duration_ns = 1000;
	pair.later.samples[0].time_ns = 70;
	pair.later.start_time_ns = 50;
	pair.later.duration_ns = 3000;
	pair.later.num_lost = 7;
	pair.later.command_line = fixture_string(&pair.later, "./prog --fast");
	pair_join(&pair);
	assert_int_equal(pair.joined.samples[0].time_ns, 5100);
	assert_int_equal(pair.joined.samples[1].time_ns, 5020);
	struct time_span span = time_span_of(&pair.joined);
	assert_int_equal(span.begin_ns, 5000);
	assert_int_equal(span.end_ns, 8000);
	assert_int_equal(pair.join.recordings[0].duration_ns, 1000);
	assert_int_equal(pair.join.recordings[1].duration_ns, 3000);
	assert_int_equal(pair.join.recordings[1].num_lost, 7);
	assert_int_equal(pair.joined.num_lost, 0);
	assert_string_equal(named_profile_text(&pair.joined, pair.join.recordings[1].command_line),
			    "./prog --fast");
}

static void test_hostile_times(void **state)
{
	_cleanup_(pair_deinit) struct pair pair;
	pair_init(&pair);
	add_sample(&pair.joined, fixture_function(&pair.joined, "f", NAMED_NONE), 0);
	for (size_t i = 0; i < 2; i++)
		add_sample(&pair.later, fixture_function(&pair.later, "f", NAMED_NONE), 0);
	pair.joined.samples[0].time_ns = UINT64_MAX - 5;
	pair.later.samples[0].time_ns = UINT64_MAX;
	pair.later.samples[1].time_ns = 0;
	pair_join(&pair);
	assert_int_equal(pair.joined.samples[1].time_ns, UINT64_MAX);
	assert_int_equal(pair.joined.samples[2].time_ns, UINT64_MAX - 5);
}

static void test_equal_threads_stay_two(void **state)
{
	_cleanup_(pair_deinit) struct pair pair;
	pair_init(&pair);
	fixture_thread(&pair.joined, 1, 1, "main", "app");
	fixture_thread(&pair.later, 1, 1, "main", "app");
	pair_join(&pair);
	assert_int_equal(pair.joined.num_threads, 2);
	assert_int_equal(profile_join_thread_recording(&pair.join, 0), 0);
	assert_int_equal(profile_join_thread_recording(&pair.join, 1), 1);
}

static void test_the_language_of_either(void **state)
{
	_cleanup_(pair_deinit) struct pair pair;
	pair_init(&pair);
	assert_no_error(named_profile_set_language(&pair.later, "Toy"));
	pair_join(&pair);
	assert_string_equal(pair.joined.language->name, "Toy");
	assert_ptr_not_equal(pair.joined.language, pair.later.language);
}

static void test_too_many_for_32_bits(void **state)
{
	_cleanup_(pair_deinit) struct pair pair;
	pair_init(&pair);
	size_t *const sizes[] = {
		&pair.later.num_modules, &pair.later.num_functions, &pair.later.num_frames,
		&pair.later.num_threads, &pair.later.num_events,    &pair.later.stacks.num_nodes,
	};
	fixture_random_names(&pair.joined);
	add_own_names(&pair.joined, "f");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		static const size_t wrong[] = {NAMED_NONE - 1, NAMED_NONE, SIZE_MAX};
		for (size_t j = 0; j < 3; j++) {
			*sizes[i] = wrong[j];
			assert_error(profile_join_add(&pair.joined, &pair.later, &pair.join),
				     ERROR_FAILED,
				     "the recordings are too large to be shown together");
		}
		*sizes[i] = 0;
	}
	pair_join(&pair);
}

int profile_join_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums_and_stacks_are_those_of_each_alone),
		cmocka_unit_test(test_a_module_is_its_file_name),
		cmocka_unit_test(test_addresses_are_of_one_build),
		cmocka_unit_test(test_functions_of_one_name_are_paired_one_by_one),
		cmocka_unit_test(test_both_begin_at_once),
		cmocka_unit_test(test_hostile_times),
		cmocka_unit_test(test_equal_threads_stay_two),
		cmocka_unit_test(test_the_language_of_either),
		cmocka_unit_test(test_too_many_for_32_bits),
	};
	return cmocka_run_group_tests_name("profile_join", tests, NULL, NULL);
}
