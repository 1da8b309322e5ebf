// SPDX-License-Identifier: Apache-2.0

#include "library/library_profile.h"

#include "base/container/array.h"
#include "library/library_error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/library/small_profile.h"

static void notes_are_text(void **state)
{
	struct wperf_profile *profile = small_profile();
	assert_string_equal(wperf_profile_notes(profile), "note: one\n");
	wperf_profile_close(profile);
	wperf_profile_close(NULL);
}

static void tables_are_walked_by_number(void **state)
{
	struct wperf_profile *profile = small_profile();
	struct wperf_profile_facts facts;
	wperf_profile_describe(profile, &facts);
	assert_int_equal(facts.num_events, 2);
	assert_int_equal(facts.num_samples, 3);
	assert_int_equal(facts.num_stacks, 3);
	assert_string_equal(facts.host, "");
	struct wperf_sampled sample;
	struct wperf_stack stack, caller;
	struct wperf_frame frame;
	struct wperf_function function;
	struct wperf_module module;
	struct wperf_sampled_thread thread;
	struct wperf_sampled_event event;
	assert_true(wperf_profile_sample_at(profile, 2, &sample));
	assert_int_equal(sample.weight, 2000);
	assert_int_equal(sample.count, 1);
	assert_true(wperf_profile_event_at(profile, sample.event, &event));
	assert_string_equal(event.name, "cycles");
	assert_int_equal(event.period, 1000);
	assert_true(wperf_profile_thread_at(profile, sample.thread, &thread));
	assert_string_equal(thread.name, "worker");
	assert_int_equal(thread.tid, 8);
	assert_true(wperf_profile_stack_at(profile, sample.stack, &stack));
	assert_int_equal(stack.depth, 2);
	assert_true(wperf_profile_frame_at(profile, stack.frame, &frame));
	assert_int_equal(frame.line, 8);
	assert_int_equal(frame.address, 0x28);
	assert_string_equal(frame.file, "app.c");
	assert_true(wperf_profile_function_at(profile, frame.function, &function));
	assert_string_equal(function.name, "twice");
	assert_int_equal(function.kind, WPERF_CODE_NATIVE);
	assert_true(wperf_profile_module_at(profile, function.module, &module));
	assert_string_equal(module.path, "/bin/app");
	assert_true(wperf_profile_stack_at(profile, stack.caller, &caller));
	assert_int_equal(caller.caller, WPERF_NONE);
	assert_true(wperf_profile_frame_at(profile, caller.frame, &frame));
	assert_int_equal(frame.line, 3);
	wperf_profile_close(profile);
}

static void nothing_is_behind_the_end(void **state)
{
	struct wperf_profile *profile = small_profile();
	struct wperf_sampled sample;
	struct wperf_stack stack;
	struct wperf_frame frame;
	struct wperf_function function;
	struct wperf_module module;
	struct wperf_sampled_thread thread;
	struct wperf_sampled_event event;
	const size_t ends[] = {WPERF_NONE, SIZE_MAX, 1000};
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		assert_false(wperf_profile_sample_at(profile, ends[i], &sample));
		assert_false(wperf_profile_stack_at(profile, ends[i], &stack));
		assert_false(wperf_profile_frame_at(profile, ends[i], &frame));
		assert_false(wperf_profile_function_at(profile, ends[i], &function));
		assert_false(wperf_profile_module_at(profile, ends[i], &module));
		assert_false(wperf_profile_thread_at(profile, ends[i], &thread));
		assert_false(wperf_profile_event_at(profile, ends[i], &event));
	}
	assert_false(wperf_profile_sample_at(profile, 3, &sample));
	assert_false(wperf_profile_event_at(profile, 2, &event));
	wperf_profile_close(profile);
}

static void hot_lines_come_hottest_first(void **state)
{
	struct wperf_profile *profile = small_profile();
	struct wperf_hot *hot;
	struct wperf_hot_row row;
	assert_no_library_error(wperf_profile_hot(profile, WPERF_HOT_LINE, NULL, false, &hot));
	assert_int_equal(wperf_hot_num_rows(hot), 3);
	assert_true(wperf_hot_row_at(hot, 0, &row));
	// Equal weights: the line with more samples is first.
	assert_string_equal(row.label, "app.c:7");
	assert_int_equal(row.self_count, 2);
	assert_int_equal(row.self_weight, 2000);
	assert_true(row.self_percent == 50 && row.self_low < 50 && row.self_high > 50);
	assert_int_not_equal(row.frame, WPERF_NONE);
	assert_int_equal(row.thread, WPERF_NONE);
	assert_true(wperf_hot_row_at(hot, 2, &row));
	assert_string_equal(row.label, "app.c:3");
	assert_int_equal(row.self_count, 0);
	assert_true(row.total_percent == 100);
	assert_false(wperf_hot_row_at(hot, 3, &row));
	wperf_hot_free(hot);
	assert_no_library_error(wperf_profile_hot(profile, WPERF_HOT_FUNCTION, NULL, true, &hot));
	assert_true(wperf_hot_row_at(hot, 0, &row) && row.total_count == 3);
	wperf_hot_free(hot);
	wperf_hot_free(NULL);
	wperf_profile_close(profile);
}

static void a_choice_leaves_samples_out(void **state)
{
	struct wperf_profile *profile = small_profile();
	struct wperf_choice choice = WPERF_CHOICE_INIT;
	struct wperf_hot *hot;
	struct wperf_hot_row row;
	// Samples have the times 0, 1 and 2.
	choice.start_ns = 1;
	choice.end_ns = 2;
	assert_no_library_error(
		wperf_profile_hot(profile, WPERF_HOT_FUNCTION, &choice, false, &hot));
	assert_true(wperf_hot_row_at(hot, 0, &row));
	assert_string_equal(row.label, "twice");
	assert_int_equal(row.self_weight, 1000);
	wperf_hot_free(hot);
	choice = (struct wperf_choice)WPERF_CHOICE_INIT;
	choice.event = 1;
	assert_no_library_error(
		wperf_profile_hot(profile, WPERF_HOT_FUNCTION, &choice, false, &hot));
	assert_int_equal(wperf_hot_num_rows(hot), 0);
	wperf_hot_free(hot);
	// Events have no common unit: samples are counted.
	choice.event = WPERF_NONE;
	assert_no_library_error(wperf_profile_hot(profile, WPERF_HOT_LINE, &choice, false, &hot));
	assert_true(wperf_hot_row_at(hot, 0, &row));
	assert_string_equal(row.label, "app.c:7");
	assert_int_equal(row.self_weight, 2);
	wperf_hot_free(hot);
	wperf_profile_close(profile);
}

static void wrong_words_are_errors(void **state)
{
	struct wperf_profile *profile = small_profile(), *opened = NULL;
	struct wperf_profile_config config = WPERF_PROFILE_CONFIG_INIT;
	struct wperf_choice choice = WPERF_CHOICE_INIT;
	struct wperf_hot *hot = NULL;
	assert_library_error(wperf_profile_hot(profile, (enum wperf_hot_key)99, NULL, false, &hot),
			     WPERF_ERROR_USAGE, "there is no hot list with the key 99");
	choice.event = 2;
	assert_library_error(wperf_profile_hot(profile, WPERF_HOT_LINE, &choice, false, &hot),
			     WPERF_ERROR_USAGE, "the profile has no event 2");
	choice.size = 0;
	assert_library_error(wperf_profile_hot(profile, WPERF_HOT_LINE, &choice, false, &hot),
			     WPERF_ERROR_USAGE, "struct wperf_choice has no size");
	config.path = "/nowhere/at-all.data";
	assert_library_error(wperf_profile_open(&config, &opened), WPERF_ERROR_ABSENT,
			     "cannot open '/nowhere/at-all.data': No such file or directory");
	config.python = "some";
	assert_library_error(wperf_profile_open(&config, &opened), WPERF_ERROR_USAGE,
			     "unknown value of --python: 'some'");
	config.size = 0;
	assert_library_error(wperf_profile_open(&config, &opened), WPERF_ERROR_USAGE,
			     "struct wperf_profile_config has no size");
	assert_null(hot);
	assert_null(opened);
	wperf_profile_close(profile);
}

int library_profile_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(notes_are_text),
		cmocka_unit_test(tables_are_walked_by_number),
		cmocka_unit_test(nothing_is_behind_the_end),
		cmocka_unit_test(hot_lines_come_hottest_first),
		cmocka_unit_test(a_choice_leaves_samples_out),
		cmocka_unit_test(wrong_words_are_errors),
	};
	return cmocka_run_group_tests_name("library_profile", tests, NULL, NULL);
}
