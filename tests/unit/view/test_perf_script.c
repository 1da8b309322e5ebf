// SPDX-License-Identifier: Apache-2.0

#include "view/export/perf_script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/capture.h"
#include "tests/unit/profile_fixture.h"

static void test_samples_that_were_summed_up_are_repeated(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	fixture_thread(&profile, 7, 8, "my app", "app");
	fixture_event(&profile, "cycles");
	uint32_t module = fixture_module(&profile, "/my bin/app");
	uint32_t frames[] = {
		fixture_frame(&profile, fixture_function(&profile, "leaf", NAMED_NONE), 1, 0x10),
		fixture_frame(&profile, fixture_function(&profile, "ma\nin", module), 1, 0x1234),
	};
	profile.frames[frames[0]].is_inlined = true;
	fixture_sample(&profile, frames, 2, 11);
	profile.samples[0].count = 2;
	profile.samples[0].time_ns = 12000345678;
	fixture_sample(&profile, NULL, 0, 1);
	profile.samples[1].cpu = NAMED_NONE;
	FILE *stream = capture_begin();
	assert_no_error(perf_script_write(&profile, 0, stream, "test"));
	_cleanup_free_ char *text = capture_end(stream);
	assert_string_equal(text, "my app 7/8 [000] 12.000345:          6 cycles: \n"
				  "\t              10 leaf (inlined)\n"
				  "\t            1234 ma_in (/my_bin/app)\n\n"
				  "my app 7/8 [000] 12.000345:          5 cycles: \n"
				  "\t              10 leaf (inlined)\n"
				  "\t            1234 ma_in (/my_bin/app)\n\n"
				  "my app 7/8 0.000000:          1 cycles: \n\n");
}

static void test_names_reach_no_terminal(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	fixture_thread(&profile, 7, 8, "\xe2\x80\xae", "app");
	fixture_event(&profile, "cycles");
	uint32_t module = fixture_module(&profile, "/a\xc2\x9b/\xe2\x81\xa6");
	uint32_t function = fixture_function(&profile, "\x1b[1m\xc2\x85", module);
	uint32_t frame = fixture_frame(&profile, function, 1, 0x10);
	fixture_sample(&profile, &frame, 1, 1);
	FILE *stream = capture_begin();
	assert_no_error(perf_script_write(&profile, 0, stream, "test"));
	_cleanup_free_ char *text = capture_end(stream);
	assert_string_equal(text, "_ 7/8 [000] 0.000000:          1 cycles: \n"
				  "\t              10 _[1m_ (/a_/_)\n\n");
}

int perf_script_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_that_were_summed_up_are_repeated),
		cmocka_unit_test(test_names_reach_no_terminal),
	};
	return cmocka_run_group_tests_name("perf_script", tests, NULL, NULL);
}
