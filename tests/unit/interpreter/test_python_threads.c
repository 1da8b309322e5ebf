// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/stack/python_threads.h"

#include "interpreter/python/stack/python_gil.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/python_image.h"

static struct image *create(uint32_t minor)
{
	struct image *image = malloc(sizeof(*image));
	assert_non_null(image);
	image_init(image, minor);
	return image;
}

static void it_lists_threads_of_all_interpreters(void **state)
{
	_cleanup_free_ struct image *image = create(12);
	const struct python_layout *layout = &image->runtime.layout;
	uint64_t first = image_thread(image, 0x100, 0);
	uint64_t second = image_thread(image, 0x200, 0);
	image_word(image, second + layout->thread_native_id, 4242);
	uint64_t gil = image_alloc(image, 64);
	image_word(image, image->interpreter + layout->interpreter_gil, gil);
	image_word(image, gil + layout->gil_holder, second);
	image_half(image, gil + layout->gil_locked, 1);
	uint64_t other = image_alloc(image, 1024);
	image_word(image, image->interpreter + layout->interpreter_next, other);
	image_word(image, other + layout->interpreter_id, 7);
	image->interpreter = other;
	image_thread(image, 0x100, 0);

	_cleanup_(python_threads_deinit) struct python_threads threads = PYTHON_THREADS_INIT;
	assert_no_error(python_threads_read(&threads, &image->runtime, NULL, 0));
	assert_int_equal(threads.num_items, 3);
	assert_int_equal(threads.items[0].state, second);
	assert_int_equal(threads.items[0].tid, 4242);
	assert_true(threads.items[0].holds_gil);
	assert_int_equal(threads.items[1].state, first);
	assert_int_equal(threads.items[1].id, 0x100);
	assert_false(threads.items[1].holds_gil);
	assert_int_equal(threads.items[2].interpreter_id, 7);
	assert_false(threads.is_cut);

	struct python_gil seen;
	assert_true(python_gil_read(&image->runtime, threads.items[0].interpreter, &seen));
	assert_int_equal(python_gil_state_of(&seen, second, 0), GIL_HELD);
	assert_int_equal(python_gil_state_of(&seen, first, 0), GIL_FREE);
	uint64_t condition = gil + layout->gil_locked + 16;
	assert_int_equal(python_gil_state_of(&seen, first, condition), GIL_WAITED);
	assert_int_equal(python_gil_state_of(&seen, first, condition + 175), GIL_WAITED);
	assert_int_equal(python_gil_state_of(&seen, first, condition + 176), GIL_FREE);
	assert_int_equal(python_gil_state_of(&seen, first, condition - 1), GIL_FREE);

	image_half(image, gil + layout->gil_locked, 0);
	assert_no_error(python_threads_read(&threads, &image->runtime, NULL, 0));
	assert_int_equal(threads.num_items, 3);
	assert_false(threads.items[0].holds_gil);
}

static void lists_that_run_in_circles_end(void **state)
{
	_cleanup_free_ struct image *image = create(12);
	uint64_t thread = image_thread(image, 1, 0);
	image_word(image, thread + image->runtime.layout.thread_next, thread);
	_cleanup_(python_threads_deinit) struct python_threads threads = PYTHON_THREADS_INIT;
	assert_no_error(python_threads_read(&threads, &image->runtime, NULL, 0));
	assert_true(threads.is_cut);
	image_word(image, thread + image->runtime.layout.thread_next, 0);
	image_word(image, image->interpreter + image->runtime.layout.interpreter_next,
		   image->interpreter);
	assert_no_error(python_threads_read(&threads, &image->runtime, NULL, 0));
	assert_true(threads.is_cut);
}

static void threads_that_lead_elsewhere_end_the_list(void **state)
{
	_cleanup_free_ struct image *image = create(11);
	uint64_t first = image_thread(image, 1, 0);
	image_thread(image, 2, 0);
	image_word(image, first + image->runtime.layout.thread_interpreter, 0x1234);
	_cleanup_(python_threads_deinit) struct python_threads threads = PYTHON_THREADS_INIT;
	assert_no_error(python_threads_read(&threads, &image->runtime, NULL, 0));
	assert_int_equal(threads.num_items, 1);
}

/** The kernel's number at some place of the C library's structure, beside others. */
static uint64_t c_thread(struct image *image, uint32_t tid)
{
	uint64_t address = image_alloc(image, 4096);
	image_half(image, address + 16, 1000); // the process: the same for all
	image_half(image, address + 720, tid);
	image_half(image, address + 724, 1000);
	return address;
}

static void old_versions_have_numbers_of_the_c_library(void **state)
{
	_cleanup_free_ struct image *image = create(9);
	static const uint32_t tids[] = {1000, 1001, 1005, 1007};
	for (size_t i = 0; i < 4; i++)
		image_thread(image, c_thread(image, tids[i]), 0);
	_cleanup_(python_threads_deinit) struct python_threads threads = PYTHON_THREADS_INIT;
	assert_no_error(python_threads_read(&threads, &image->runtime, tids, 4));
	assert_int_equal(threads.num_items, 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(threads.items[i].tid, tids[3 - i]);
	assert_no_error(python_threads_read(&threads, &image->runtime, NULL, 0));
	assert_int_equal(threads.items[0].tid, 0);
}

static void windows_has_one_number_for_both(void **state)
{
	for (uint32_t minor = PYTHON_OLDEST_MINOR_OF_WINDOWS; minor <= 12; minor++) {
		_cleanup_free_ struct image *image = create(minor);
		struct python_layout *layout = &image->runtime.layout;
		assert_true(python_layout_find_windows(minor, layout));
		uint64_t thread = image_thread(image, 4244, 0);
		image_half(image, thread + layout->thread_id + 4, 4244); // something else of it
		_cleanup_(python_threads_deinit) struct python_threads threads =
			PYTHON_THREADS_INIT;
		assert_no_error(python_threads_read(&threads, &image->runtime, NULL, 0));
		assert_int_equal(threads.num_items, 1);
		assert_int_equal(threads.items[0].id, 4244);
		assert_int_equal(threads.items[0].tid, 4244);
	}
}

int python_threads_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_lists_threads_of_all_interpreters),
		cmocka_unit_test(lists_that_run_in_circles_end),
		cmocka_unit_test(threads_that_lead_elsewhere_end_the_list),
		cmocka_unit_test(old_versions_have_numbers_of_the_c_library),
		cmocka_unit_test(windows_has_one_number_for_both),
	};
	return cmocka_run_group_tests_name("python_threads", tests, NULL, NULL);
}
