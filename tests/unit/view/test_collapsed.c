// SPDX-License-Identifier: Apache-2.0

#include "view/export/collapsed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/capture.h"
#include "tests/unit/profile_fixture.h"

static void test_one_line_for_each_different_stack(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	fixture_thread(&profile, 1, 1, "a;b\n", "app");
	fixture_event(&profile, "cycles");
	uint32_t function = fixture_function(&profile, "f", NAMED_NONE);
	uint32_t f = fixture_frame(&profile, function, 1, 1);
	uint32_t f_elsewhere = fixture_frame(&profile, function, 2, 2);
	uint32_t g = fixture_frame(&profile, fixture_function(&profile, "g h", NAMED_NONE), 1, 1);
	fixture_sample(&profile, (uint32_t[]){g, f}, 2, 3);
	fixture_sample(&profile, NULL, 0, 5);
	fixture_sample(&profile, (uint32_t[]){g, f_elsewhere}, 2, 4);
	FILE *stream = capture_begin();
	assert_no_error(collapsed_write(&profile, NAMED_NONE, stream, "test"));
	_cleanup_free_ char *text = capture_end(stream);
	assert_string_equal(text, "a_b_;f;g h 7\na_b_;[no stack] 5\n");
}

static void test_names_reach_no_terminal(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	fixture_thread(&profile, 1, 1, "\x1b]0;title\x07", "app");
	fixture_event(&profile, "cycles");
	uint32_t function =
		fixture_function(&profile,
				 "\xc2\x9b\x32J\x9b\x32J\xe2\x80\xae\x65xe \xe2\x81\xa6 \xc3\xb6",
				 NAMED_NONE);
	fixture_sample(&profile, (uint32_t[]){fixture_frame(&profile, function, 1, 1)}, 1, 1);
	FILE *stream = capture_begin();
	assert_no_error(collapsed_write(&profile, NAMED_NONE, stream, "test"));
	_cleanup_free_ char *text = capture_end(stream);
	assert_string_equal(text, "_]0_title_;_2J\xef\xbf\xbd\x32J_exe _ \xc3\xb6 1\n");
}

int collapsed_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_line_for_each_different_stack),
		cmocka_unit_test(test_names_reach_no_terminal),
	};
	return cmocka_run_group_tests_name("collapsed", tests, NULL, NULL);
}
