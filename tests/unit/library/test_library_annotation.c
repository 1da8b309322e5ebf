// SPDX-License-Identifier: Apache-2.0

#include "library/wperf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/library/small_profile.h"

static void a_function_has_lines_and_instructions(void **state)
{
	struct wperf_profile *profile = small_profile();
	struct wperf_annotation *annotation;
	struct wperf_line line;
	struct wperf_instruction instruction;
	assert_no_library_error(wperf_profile_annotate(profile, "twice", NULL, NULL, &annotation));
	assert_int_equal(wperf_annotation_num_lines(annotation), 2);
	assert_true(wperf_annotation_line_at(annotation, 0, &line));
	assert_string_equal(line.file, "app.c");
	assert_int_equal(line.line, 7);
	assert_null(line.text); // there is no such file
	assert_int_equal(line.self_count, 2);
	assert_int_equal(line.total_count, 2);
	assert_true(line.self_percent == 50 && line.total_percent == 50);
	assert_false(wperf_annotation_line_at(annotation, 2, &line));
	assert_int_equal(wperf_annotation_num_instructions(annotation), 2);
	assert_true(wperf_annotation_instruction_at(annotation, 1, &instruction));
	assert_int_equal(instruction.address, 0x28);
	assert_int_equal(instruction.self_weight, 2000);
	assert_null(instruction.text);
	assert_false(wperf_annotation_instruction_at(annotation, 2, &instruction));
	wperf_annotation_free(annotation);
	wperf_profile_close(profile);
}

static void functions_of_one_file_are_joined(void **state)
{
	struct wperf_profile *profile = small_profile();
	struct named_profile *inner = &profile->profile;
	// Another function of the same name, in another module, whose line 7 is that of a header.
	uint32_t other = fixture_function(inner, "twice", fixture_module(inner, "/bin/lib"));
	uint32_t frame = fixture_frame(inner, other, 7, 0x99);
	fixture_sample(inner, &frame, 1, 4000);
	struct wperf_annotation *annotation;
	struct wperf_line line;
	assert_no_library_error(wperf_profile_annotate(profile, "^tw", NULL, NULL, &annotation));
	assert_int_equal(wperf_annotation_num_lines(annotation), 2);
	assert_true(wperf_annotation_line_at(annotation, 0, &line));
	assert_int_equal(line.self_count, 3);
	assert_true(line.self_percent == 75);
	assert_int_equal(wperf_annotation_num_instructions(annotation), 3);
	wperf_annotation_free(annotation);
	wperf_profile_close(profile);
}

static void a_file_has_lines_only(void **state)
{
	struct wperf_profile *profile = small_profile();
	struct wperf_annotation *annotation;
	assert_no_library_error(wperf_profile_annotate(profile, NULL, "app.c", NULL, &annotation));
	assert_int_equal(wperf_annotation_num_lines(annotation), 2);
	assert_int_equal(wperf_annotation_num_instructions(annotation), 0);
	wperf_annotation_free(annotation);
	wperf_annotation_free(NULL);
	wperf_profile_close(profile);
}

static void one_of_two_names_is_given(void **state)
{
	struct wperf_profile *profile = small_profile();
	struct wperf_annotation *annotation = NULL;
	assert_library_error(wperf_profile_annotate(profile, NULL, NULL, NULL, &annotation),
			     WPERF_ERROR_USAGE,
			     "either a function or a file is annotated: name one of them");
	assert_library_error(wperf_profile_annotate(profile, "a", "b", NULL, &annotation),
			     WPERF_ERROR_USAGE,
			     "either a function or a file is annotated: name one of them");
	assert_library_error(wperf_profile_annotate(profile, "nobody", NULL, NULL, &annotation),
			     WPERF_ERROR_ABSENT, "no samples of function 'nobody'");
	assert_library_error(wperf_profile_annotate(profile, NULL, "none.c", NULL, &annotation),
			     WPERF_ERROR_ABSENT, "no samples in file 'none.c'");
	assert_null(annotation);
	wperf_profile_close(profile);
}

int library_annotation_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_has_lines_and_instructions),
		cmocka_unit_test(functions_of_one_file_are_joined),
		cmocka_unit_test(a_file_has_lines_only),
		cmocka_unit_test(one_of_two_names_is_given),
	};
	return cmocka_run_group_tests_name("library_annotation", tests, NULL, NULL);
}
