// SPDX-License-Identifier: Apache-2.0

#include "python/python_runtime.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/python_image.h"

/** With one thread that runs one frame. */
static struct image *create(uint32_t minor, uint64_t *ret_code, uint64_t *ret_thread)
{
	struct image *image = malloc(sizeof(*image));
	assert_non_null(image);
	image_init(image, minor);
	*ret_code = image_code(image, "f", 1, "", 0);
	uint64_t frame = image_alloc(image, 256);
	image_frame(image, frame, *ret_code, 0, 0, 0);
	*ret_thread = image_thread(image, 1, frame);
	return image;
}

static void what_is_right_passes(void **state)
{
	for (uint32_t minor = PYTHON_OLDEST_MINOR; minor <= 12; minor++) {
		uint64_t code, thread;
		_cleanup_free_ struct image *image = create(minor, &code, &thread);
		assert_no_error(python_runtime_check(&image->runtime));
		image->runtime.is_guess = true;
		assert_no_error(python_runtime_check(&image->runtime));
	}
}

static void the_type_of_code_is_known_by_its_name(void **state)
{
	uint64_t code, thread;
	_cleanup_free_ struct image *image = create(12, &code, &thread);
	uint64_t name = image_alloc(image, 16);
	image->runtime.code_type = 0;
	image_word(image, image->code_type + image->runtime.layout.type_name, name);
	image_put(image, name, "code", 5);
	assert_no_error(python_runtime_check(&image->runtime));
	image_put(image, name, "cod", 4);
	assert_error(python_runtime_check(&image->runtime), ERROR_FAILED,
		     "this Python 3.12 has another layout for its frames than is known of it");
}

static void what_is_wrong_is_refused(void **state)
{
	uint64_t code, thread;
	_cleanup_free_ struct image *image = create(9, &code, &thread);
	image_word(image, code + image->runtime.layout.code_name, 0x10);
	assert_error(python_runtime_check(&image->runtime), ERROR_FAILED,
		     "this Python 3.9 has another layout for its frames than is known of it");
	image_word(image, thread + image->runtime.layout.thread_interpreter, 0x10);
	assert_error(python_runtime_check(&image->runtime), ERROR_FAILED,
		     "this Python 3.9 has another layout for its threads than is known of it");
}

static void what_has_not_begun_says_nothing(void **state)
{
	uint64_t code, thread;
	_cleanup_free_ struct image *image = create(11, &code, &thread);
	image_word(image, image->interpreter + image->runtime.layout.interpreter_threads, 0);
	assert_error(python_runtime_check(&image->runtime), ERROR_ABSENT,
		     "no thread of Python 3.11 runs");
	image_word(image, image->runtime.walk.interpreters, 0);
	assert_error(python_runtime_check(&image->runtime), ERROR_ABSENT,
		     "Python 3.11 has not begun, or is over");
	image->runtime.walk.interpreters = 8;
	assert_error(python_runtime_check(&image->runtime), ERROR_FAILED,
		     "the memory of Python 3.11 cannot be read");
}

static void a_guess_needs_a_frame(void **state)
{
	uint64_t code, thread;
	_cleanup_free_ struct image *image = create(10, &code, &thread);
	image_word(image, thread + image->runtime.layout.thread_frame, 0);
	assert_error(python_runtime_check(&image->runtime), ERROR_ABSENT,
		     "no thread of Python 3.10 runs code of it");
	image->runtime.is_guess = true;
	assert_error(python_runtime_check(&image->runtime), ERROR_FAILED,
		     "this Python 3.10 has another layout for its frames than is known of it");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_right_passes),
		cmocka_unit_test(the_type_of_code_is_known_by_its_name),
		cmocka_unit_test(what_is_wrong_is_refused),
		cmocka_unit_test(what_has_not_begun_says_nothing),
		cmocka_unit_test(a_guess_needs_a_frame),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
