// SPDX-License-Identifier: Apache-2.0

#include "profile/stored/frame_replacement.h"

#include "profile/stored/profile_order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/profile_fixture.h"

static const char *name_of(const struct named_profile *profile, uint32_t stack)
{
	const struct named_frame *frame = &profile->frames[profile->stacks.nodes[stack].frame];
	return named_profile_text(profile, profile->functions[frame->function].name);
}

static void test_replaces(void **state)
{
	struct named_profile profile;
	uint32_t event, stacks[2];
	assert_no_error(named_profile_init(&profile));
	assert_no_error(named_profile_event(&profile, &(struct named_event){0}, &event));
	uint32_t outer = fixture_place(&profile, "outer", "a.c", 1);
	uint32_t unknown = fixture_place(&profile, "[unknown]", "", 0);
	uint32_t leaf = fixture_place(&profile, "leaf", "a.c", 2);
	const uint32_t first[] = {leaf, unknown, outer}, second[] = {unknown, unknown};
	assert_no_error(stack_table_intern(&profile.stacks, first, 3, &stacks[0]));
	assert_no_error(stack_table_intern(&profile.stacks, second, 2, &stacks[1]));
	for (uint32_t i = 0; i < 3; i++)
		assert_no_error(named_profile_add(
			&profile, &(struct named_sample){.weight = i + 1,
							 .stack = i < 2 ? stacks[i] : STACK_NONE}));
	struct frame_replacement replacements[3] = {{0}};
	const uint32_t made[] = {fixture_place(&profile, "inlined", "b.c", 3),
				 fixture_place(&profile, "around", "b.c", 4)};
	replacements[unknown] = (struct frame_replacement){made, 2};
	assert_no_error(frame_replacement_apply(&profile, replacements, 3));

	static const char *const wanted[2][4] = {{"leaf", "inlined", "around", "outer"},
						 {"inlined", "around", "inlined", "around"}};
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t stack = profile.samples[i].stack;
		for (size_t j = 0; j < 4; j++, stack = profile.stacks.nodes[stack].parent)
			assert_string_equal(name_of(&profile, stack), wanted[i][j]);
		assert_int_equal(stack, STACK_NONE);
		assert_int_equal(profile.samples[i].weight, i + 1);
	}
	assert_int_equal(profile.samples[2].stack, STACK_NONE);
	// What was replaced is gone, and all are numbered from the innermost on.
	assert_int_equal(profile.num_functions, 4);
	assert_int_equal(profile.num_frames, 4);
	assert_string_equal(named_profile_text(&profile, profile.functions[0].name), "leaf");
	assert_string_equal(named_profile_text(&profile, profile.functions[3].name), "outer");
	named_profile_deinit(&profile);
}

/** Of one path: each is a module until the end, whatever is put in order before. */
static void test_joins_builds(void **state)
{
	struct named_profile profile;
	uint32_t event, modules[3], stacks[3];
	static const char *const ids[] = {"01", "02", "02"};
	assert_no_error(named_profile_init(&profile));
	assert_no_error(named_profile_event(&profile, &(struct named_event){0}, &event));
	for (uint32_t i = 0; i < 3; i++) {
		const struct named_module module = {.name = fixture_string(&profile, "app"),
						    .path = fixture_string(&profile, "/srv/app"),
						    .build_id = fixture_string(&profile, ids[i])};
		assert_no_error(named_profile_build(&profile, &module, &modules[i]));
		uint32_t function = fixture_function(&profile, "work", modules[i]);
		uint32_t frame = fixture_frame(&profile, function, 7, 0x1000 + i);
		assert_no_error(stack_table_push(&profile.stacks, STACK_NONE, frame, &stacks[i]));
		assert_no_error(named_profile_add(
			&profile, &(struct named_sample){.weight = 1, .stack = stacks[i]}));
	}
	assert_int_equal(profile.num_modules, 2);
	assert_int_equal(modules[1], modules[2]);
	assert_no_error(named_profile_thread(&profile, &(struct named_thread){0}, &event));
	assert_no_error(profile_order_apply(&profile));
	assert_int_equal(profile.num_modules, 2);
	assert_int_equal(profile.num_functions, 2);
	assert_no_error(frame_replacement_apply(&profile, NULL, 0));
	assert_int_equal(profile.num_modules, 1);
	assert_int_equal(profile.num_functions, 1);
	// The address is that of the build which the module has.
	assert_int_equal(profile.num_frames, 2);
	assert_int_equal(profile.frames[0].address, 0x1000);
	assert_int_equal(profile.frames[1].address, 0);
	named_profile_deinit(&profile);
}

int frame_replacement_tests(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_replaces),
					   cmocka_unit_test(test_joins_builds)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
