// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/task/python_coroutine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/python_async_image.h"

enum { MAX = 16 };

struct fixture {
	struct image image;
	uint64_t outer, inner; /* code objects */
	struct interpreted_frame frames[MAX];
	size_t num;
};

static int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	assert_non_null(fixture);
	image_init(&fixture->image, 12);
	image_init_async(&fixture->image);
	fixture->outer = image_code(&fixture->image, "outer", 1, "", 0);
	fixture->inner = image_code(&fixture->image, "inner", 1, "", 0);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

static enum dump_coroutine_end look(struct fixture *fixture, uint64_t object)
{
	return python_coroutine_read(&fixture->image.runtime, object, fixture->frames, MAX,
				     &fixture->num);
}

static void assert_both(const struct fixture *fixture)
{
	assert_int_equal(fixture->num, 2);
	assert_int_equal(fixture->frames[0].code, fixture->inner);
	assert_int_equal(fixture->frames[0].instruction, fixture->inner + 0x100);
	assert_int_equal(fixture->frames[0].version, 77);
	assert_int_equal(fixture->frames[1].code, fixture->outer);
}

static void it_follows_what_is_awaited(void **state)
{
	struct fixture *fixture = *state;
	struct image *image = &fixture->image;
	static const char *const kinds[] = {"coroutine", "generator", "async_generator"};
	for (size_t i = 0; i < 3; i++) {
		uint64_t future = image_object(image, "FutureIter", 64);
		uint64_t inner =
			image_coroutine(image, kinds[i], fixture->inner, IMAGE_AWAITS, future);
		uint64_t outer =
			image_coroutine(image, "coroutine", fixture->outer, IMAGE_AWAITS, inner);
		assert_int_equal(look(fixture, outer), DUMP_COROUTINE_WAITS);
		assert_both(fixture);
	}
}

static void it_sees_through_wrappers(void **state)
{
	struct fixture *fixture = *state;
	struct image *image = &fixture->image;
	static const char *const kinds[] = {"async_generator_asend", "coroutine_wrapper"};
	for (size_t i = 0; i < 2; i++) {
		uint64_t inner = image_coroutine(image, "async_generator", fixture->inner,
						 IMAGE_SUSPENDED, 0);
		uint64_t wrapper = image_object(image, kinds[i], 64);
		image_word(image, wrapper + image->runtime.layout.object_type + 8, inner);
		uint64_t outer =
			image_coroutine(image, "coroutine", fixture->outer, IMAGE_AWAITS, wrapper);
		assert_int_equal(look(fixture, outer), DUMP_COROUTINE_WAITS);
		assert_both(fixture);
		// A wrapper of itself
		image_word(image, wrapper + image->runtime.layout.object_type + 8, wrapper);
		assert_int_equal(look(fixture, outer), DUMP_COROUTINE_WAITS);
		assert_int_equal(fixture->num, 1);
	}
}

static void it_says_what_state_it_is_in(void **state)
{
	struct fixture *fixture = *state;
	static const struct {
		int8_t state;
		size_t num;
		enum dump_coroutine_end end;
	} cases[] = {
		{IMAGE_CREATED, 1, DUMP_COROUTINE_WAITS},
		{IMAGE_SUSPENDED, 1, DUMP_COROUTINE_WAITS},
		{IMAGE_RUNS, 1, DUMP_COROUTINE_RUNS},
		{IMAGE_OVER, 0, DUMP_COROUTINE_OVER},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint64_t object = image_coroutine(&fixture->image, "coroutine", fixture->outer,
						  cases[i].state, 0);
		assert_int_equal(look(fixture, object), cases[i].end);
		assert_int_equal(fixture->num, cases[i].num);
	}
	assert_int_equal(look(fixture, image_object(&fixture->image, "cyfunction", 64)),
			 DUMP_COROUTINE_FOREIGN);
	assert_int_equal(look(fixture, 0), DUMP_COROUTINE_FOREIGN);
	assert_int_equal(look(fixture, 0x10), DUMP_COROUTINE_FOREIGN);
}

static void states_of_3_15_are_others(void **state)
{
	enum { AWAITS = 2, OVER = 5 };
	struct fixture *fixture = *state;
	struct image *image = &fixture->image;
	image->runtime.layout.minor = 15;
	uint64_t inner = image_coroutine(image, "coroutine", fixture->inner, 1, 0);
	uint64_t outer = image_coroutine(image, "coroutine", fixture->outer, AWAITS, inner);
	// One word more is on the stack.
	image_word(image, outer + IMAGE_GENERATOR_FRAME + IMAGE_STACK,
		   outer + IMAGE_STACK_PLACE + 16);
	assert_int_equal(look(fixture, outer), DUMP_COROUTINE_WAITS);
	assert_both(fixture);
	int8_t over = OVER;
	image_put(image, outer + IMAGE_GENERATOR_STATE, &over, 1);
	assert_int_equal(look(fixture, outer), DUMP_COROUTINE_OVER);
}

static void circles_end(void **state)
{
	struct fixture *fixture = *state;
	struct image *image = &fixture->image;
	uint64_t object = image_coroutine(image, "coroutine", fixture->outer, IMAGE_AWAITS, 0);
	image_word(image, object + IMAGE_STACK_PLACE, object);
	assert_int_equal(look(fixture, object), DUMP_COROUTINE_TOO_DEEP);
	assert_int_equal(fixture->num, MAX);
}

static void nothing_is_known_before_3_14(void **state)
{
	struct fixture *fixture = *state;
	uint64_t frame, object = image_coroutine(&fixture->image, "coroutine", fixture->outer,
						 IMAGE_SUSPENDED, 0);
	assert_true(python_coroutine_frame(&fixture->image.runtime, object, &frame));
	assert_int_equal(frame, object + IMAGE_GENERATOR_FRAME);
	fixture->image.runtime.layout.generator_frame = 0;
	assert_int_equal(look(fixture, object), DUMP_COROUTINE_FOREIGN);
	assert_false(python_coroutine_frame(&fixture->image.runtime, object, &frame));
}

int python_coroutine_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(it_follows_what_is_awaited, setup, teardown),
		cmocka_unit_test_setup_teardown(it_sees_through_wrappers, setup, teardown),
		cmocka_unit_test_setup_teardown(it_says_what_state_it_is_in, setup, teardown),
		cmocka_unit_test_setup_teardown(states_of_3_15_are_others, setup, teardown),
		cmocka_unit_test_setup_teardown(circles_end, setup, teardown),
		cmocka_unit_test_setup_teardown(nothing_is_known_before_3_14, setup, teardown),
	};
	return cmocka_run_group_tests_name("python_coroutine", tests, NULL, NULL);
}
