// SPDX-License-Identifier: Apache-2.0

#include "profile/named_profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/profile_total.h"

#include <string.h>

static uint32_t string(struct named_profile *profile, const char *text)
{
	uint32_t id = 0;
	assert_no_error(named_profile_string(profile, text, &id));
	return id;
}

static void test_string_0_is_empty(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	assert_string_equal(named_profile_text(&profile, 0), "");
	assert_int_equal(string(&profile, ""), 0);
	assert_string_equal(named_profile_text(&profile, string(&profile, "main")), "main");
}

static void test_modules_are_told_by_path(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	struct named_module module = {
		.name = string(&profile, "libc.so.6"),
		.path = string(&profile, "/lib/libc.so.6"),
	};
	uint32_t first, again, other;
	assert_no_error(named_profile_module(&profile, &module, &first));
	module.build_id = string(&profile, "abcd");
	assert_no_error(named_profile_module(&profile, &module, &again));
	module.path = string(&profile, "/other/libc.so.6");
	assert_no_error(named_profile_module(&profile, &module, &other));
	assert_int_equal(first, again);
	assert_int_not_equal(first, other);
	assert_int_equal(profile.num_modules, 2);
}

static uint32_t add_function(struct named_profile *profile, const struct named_function *function)
{
	uint32_t index = 0;
	assert_no_error(named_profile_function(profile, function, &index));
	return index;
}

static void test_functions_are_told_by_everything(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	struct named_function function = {.name = string(&profile, "f"), .module = NAMED_NONE};
	uint32_t first = add_function(&profile, &function);
	assert_int_equal(add_function(&profile, &function), first);
	struct named_function others[] = {function, function, function, function, function};
	others[0].linkage_name = others[1].file = string(&profile, "x");
	others[2].line = 1;
	others[3].kind = FRAME_INTERPRETED;
	others[4].module = 0;
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(add_function(&profile, &others[i]), first + 1 + i);
	assert_int_equal(add_function(&profile, &function), first);
}

static uint32_t add_frame_of_piece(struct named_profile *profile, uint32_t line,
				   uint32_t discriminator, bool is_inlined, uint64_t address)
{
	// Bytes between the members are no part of a frame.
	struct named_frame frame;
	memset(&frame, (int)profile->num_frames + 1, sizeof(frame));
	frame.function = frame.file = 0;
	frame.line = line;
	frame.discriminator = discriminator;
	frame.is_inlined = is_inlined;
	frame.is_compiled = false;
	frame.address = address;
	uint32_t index = 0;
	assert_no_error(named_profile_frame(profile, &frame, &index));
	return index;
}

static uint32_t add_frame(struct named_profile *profile, uint32_t line, bool is_inlined,
			  uint64_t address)
{
	return add_frame_of_piece(profile, line, 0, is_inlined, address);
}

static void test_frames_are_told_by_everything(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	assert_int_equal(add_frame(&profile, 1, false, 16), 0);
	assert_int_equal(add_frame(&profile, 2, false, 16), 1);
	assert_int_equal(add_frame(&profile, 1, true, 16), 2);
	assert_int_equal(add_frame(&profile, 1, false, UINT64_MAX), 3);
	assert_int_equal(add_frame(&profile, 1, false, 16), 0);
	assert_int_equal(add_frame(&profile, 1, false, UINT64_MAX), 3);
	assert_int_equal(add_frame_of_piece(&profile, 1, FRAME_DISCRIMINATOR_MASK, false, 16), 4);
	assert_int_equal(add_frame_of_piece(&profile, 1, FRAME_DISCRIMINATOR_MASK, false, 16), 4);
}

static void test_a_thread_with_a_new_name_is_another(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	struct named_thread thread = {.pid = 1, .tid = 2, .name = string(&profile, "sh")};
	uint32_t before, again, after;
	assert_no_error(named_profile_thread(&profile, &thread, &before));
	thread.process_name = string(&profile, "init");
	assert_no_error(named_profile_thread(&profile, &thread, &again));
	thread.name = string(&profile, "worker");
	assert_no_error(named_profile_thread(&profile, &thread, &after));
	assert_int_equal(before, again);
	assert_int_equal(after, before + 1);
}

static void test_a_thread_can_be_renamed(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	struct named_thread thread = {.pid = 1, .tid = 2, .name = string(&profile, "python3")};
	uint32_t first, again, other;
	assert_no_error(named_profile_thread(&profile, &thread, &first));
	assert_no_error(named_profile_rename_thread(&profile, first, string(&profile, "loader")));
	assert_no_error(named_profile_thread(&profile, &thread, &other));
	thread.name = string(&profile, "loader");
	assert_no_error(named_profile_thread(&profile, &thread, &again));
	assert_int_equal(again, first);
	assert_int_not_equal(other, first);
	assert_int_equal(profile.num_threads, 2);
}

static void test_totals_by_event(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	uint32_t cycles, loads;
	assert_no_error(named_profile_event(&profile, &(struct named_event){0}, &cycles));
	assert_no_error(named_profile_event(&profile, &(struct named_event){0}, &loads));
	assert_int_not_equal(cycles, loads);
	struct named_sample sample = {.weight = 100, .count = 2, .event = cycles};
	assert_no_error(named_profile_add(&profile, &sample));
	sample = (struct named_sample){.weight = 7, .count = 1, .event = loads};
	assert_no_error(named_profile_add(&profile, &sample));
	assert_int_equal(profile_total(&profile, cycles).weight, 100);
	assert_int_equal(profile_total(&profile, cycles).count, 2);
	assert_int_equal(profile_total(&profile, NAMED_NONE).weight, 107);
	assert_int_equal(profile_total(&profile, NAMED_NONE).count, 3);
}

int named_profile_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_string_0_is_empty),
		cmocka_unit_test(test_modules_are_told_by_path),
		cmocka_unit_test(test_functions_are_told_by_everything),
		cmocka_unit_test(test_frames_are_told_by_everything),
		cmocka_unit_test(test_a_thread_with_a_new_name_is_another),
		cmocka_unit_test(test_a_thread_can_be_renamed),
		cmocka_unit_test(test_totals_by_event),
	};
	return cmocka_run_group_tests_name("named_profile", tests, NULL, NULL);
}
