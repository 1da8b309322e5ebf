// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/python_trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/python_image.h"

enum { LONG_NS = 1000000000 };

struct fixture {
	struct image *image;
	uint64_t code, frame, thread;
	struct python_trial trial;
	uint64_t now_ns;
};

static void set_up(struct fixture *fixture)
{
	*fixture = (struct fixture){.image = malloc(sizeof(struct image))};
	assert_non_null(fixture->image);
	image_init(fixture->image, 12);
	fixture->code = image_code(fixture->image, "f", 1, "", 0);
	fixture->frame = image_alloc(fixture->image, 256);
	image_frame(fixture->image, fixture->frame, fixture->code, 0, 0, 0);
	fixture->thread = image_thread(fixture->image, 1, fixture->frame);
}

static enum python_trial_end look(struct fixture *fixture, struct error **ret_reason)
{
	*ret_reason = NULL;
	fixture->now_ns += LONG_NS;
	assert_no_error(python_trial_go_on(&fixture->trial, &fixture->image->runtime,
					   fixture->now_ns, ret_reason));
	return fixture->trial.end;
}

static void set_threads(struct fixture *fixture, uint64_t first)
{
	const struct python_layout *layout = &fixture->image->runtime.layout;
	image_word(fixture->image, fixture->image->interpreter + layout->interpreter_threads,
		   first);
}

static void what_begins_late_is_waited_for(void **state)
{
	struct fixture fixture;
	struct error *reason;
	set_up(&fixture);
	set_threads(&fixture, 0);
	for (int i = 0; i < 100; i++)
		assert_int_equal(look(&fixture, &reason), PYTHON_TRIAL_GOES_ON);
	assert_true(python_trial_is_trusted(&fixture.trial, false));
	assert_false(python_trial_is_trusted(&fixture.trial, true));
	set_threads(&fixture, fixture.thread);
	assert_int_equal(look(&fixture, &reason), PYTHON_TRIAL_PASSED);
	assert_true(python_trial_is_trusted(&fixture.trial, true));
	free(fixture.image);
}

static void what_is_wrong_for_a_while_passes(void **state)
{
	struct fixture fixture;
	struct error *reason;
	set_up(&fixture);
	const struct python_layout *layout = &fixture.image->runtime.layout;
	image_word(fixture.image, fixture.code + layout->object_type, 0x10);
	for (int i = 0; i < 3; i++)
		assert_int_equal(look(&fixture, &reason), PYTHON_TRIAL_GOES_ON);
	assert_false(python_trial_is_trusted(&fixture.trial, false));
	image_word(fixture.image, fixture.code + layout->object_type, fixture.image->code_type);
	assert_int_equal(look(&fixture, &reason), PYTHON_TRIAL_PASSED);
	assert_null(reason);
	assert_true(python_trial_is_trusted(&fixture.trial, false));
	free(fixture.image);
}

static void what_stays_wrong_fails_with_its_reason(void **state)
{
	struct fixture fixture;
	struct error *reason;
	set_up(&fixture);
	image_word(fixture.image, fixture.code + fixture.image->runtime.layout.object_type, 0x10);
	int num_looks = 1;
	while (look(&fixture, &reason) == PYTHON_TRIAL_GOES_ON)
		num_looks++;
	assert_int_equal(fixture.trial.end, PYTHON_TRIAL_FAILED);
	assert_in_range(num_looks, 4, 20);
	assert_error(reason, ERROR_FAILED,
		     "this build of Python 3.12 has an unknown layout of frames");
	assert_false(python_trial_is_trusted(&fixture.trial, false));
	assert_int_equal(look(&fixture, &reason), PYTHON_TRIAL_FAILED);
	assert_null(reason);
	free(fixture.image);
}

static void it_is_not_asked_all_the_time(void **state)
{
	struct fixture fixture;
	struct error *reason = NULL;
	set_up(&fixture);
	image_word(fixture.image, fixture.code + fixture.image->runtime.layout.object_type, 0x10);
	for (int i = 0; i < 1000; i++)
		assert_no_error(
			python_trial_go_on(&fixture.trial, &fixture.image->runtime, 5, &reason));
	assert_int_equal(fixture.trial.num_wrong, 1);
	assert_null(reason);
	free(fixture.image);
}

int python_trial_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_begins_late_is_waited_for),
		cmocka_unit_test(what_is_wrong_for_a_while_passes),
		cmocka_unit_test(what_stays_wrong_fails_with_its_reason),
		cmocka_unit_test(it_is_not_asked_all_the_time),
	};
	return cmocka_run_group_tests_name("python_trial", tests, NULL, NULL);
}
