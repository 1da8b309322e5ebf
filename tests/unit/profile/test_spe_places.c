// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/spe_places.h"

#include "base/cleanup.h"
#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/spe_fixture.h"

enum { NUM = 1500 };

static uint64_t count_samples(const struct named_profile *profile, const struct spe_sample *samples,
			      const struct named_frame *wanted, enum annotation_kind kind)
{
	uint64_t count = 0;
	for (size_t i = 0; i < NUM; i++) {
		uint32_t number = profile->stacks.nodes[samples[i].place.stack].frame;
		const struct named_frame *frame = &profile->frames[number];
		bool is_of_function =
			kind == ANNOTATION_OF_FILES || frame->function == wanted->function;
		count += is_of_function && frame->file == wanted->file &&
			 frame->line == wanted->line;
	}
	return count;
}

static uint64_t count_of(const struct spe_stats *stats)
{
	return stats ? stats->count : 0;
}

static void check_kind(enum annotation_kind kind)
{
	static struct spe_sample samples[NUM];
	_cleanup_(named_profile_deinit) struct named_profile profile;
	_cleanup_(spe_places_deinit) struct spe_places places = SPE_PLACES_INIT;
	spe_fixture_profile(&profile, samples, NUM);
	assert_no_error(spe_places_create(&profile, NULL, kind, &places));
	for (size_t i = 0; i < profile.num_frames; i++) {
		const struct named_frame *frame = &profile.frames[i];
		assert_int_equal(count_of(spe_places_line(&places, frame->function, frame->file,
							  frame->line)),
				 count_samples(&profile, samples, frame, kind));
	}
	assert_null(spe_places_line(&places, 0, profile.frames[0].file, 9999));
	assert_null(spe_places_address(&places, 0, 0x123456));
}

static void test_lines_of_functions_are_found(void **state)
{
	check_kind(ANNOTATION_OF_FUNCTIONS);
}

static void test_lines_of_files_are_those_of_all_functions(void **state)
{
	check_kind(ANNOTATION_OF_FILES);
}

static void test_instructions_are_found(void **state)
{
	static struct spe_sample samples[NUM];
	_cleanup_(named_profile_deinit) struct named_profile profile;
	_cleanup_(spe_places_deinit) struct spe_places places = SPE_PLACES_INIT;
	spe_fixture_profile(&profile, samples, NUM);
	assert_no_error(spe_places_create(&profile, NULL, ANNOTATION_OF_FUNCTIONS, &places));
	uint64_t all = 0;
	for (size_t i = 0; i < profile.num_frames; i++) {
		const struct named_frame *frame = &profile.frames[i];
		if (frame->address)
			all += count_of(spe_places_address(
				&places, profile.functions[frame->function].module,
				frame->address));
	}
	uint64_t expected = 0;
	for (size_t i = 0; i < NUM; i++)
		expected += profile.frames[profile.stacks.nodes[samples[i].place.stack].frame]
				    .address != 0;
	assert_int_equal(all, expected);
}

int spe_places_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_of_functions_are_found),
		cmocka_unit_test(test_lines_of_files_are_those_of_all_functions),
		cmocka_unit_test(test_instructions_are_found),
	};
	return cmocka_run_group_tests_name("spe_places", tests, NULL, NULL);
}
