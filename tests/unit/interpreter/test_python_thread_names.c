// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/stack/python_thread_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/python_image.h"

// The memory of a program with threads, for each way in which instances have had their attributes.

enum {
	HEAP_TYPE = 1 << 9,
	INLINE_VALUES = 1 << 2,
	MANAGED_DICT = 1 << 4,
	KIND_SPLIT = 2,
	IN_FRONT = 64, /* room in front of an object */
	FIRST_ID = 0x7f0012345000,
};

/** How an instance keeps its attributes. */
enum storage { STORAGE_DICT, STORAGE_VALUES, STORAGE_PLAIN_DICT };

struct pair {
	uint64_t key, value;
};

static struct image *create(uint32_t minor)
{
	struct image *image = malloc(sizeof(*image));
	assert_non_null(image);
	image_init(image, minor > 12 ? 12 : minor);
	image->runtime.layout.minor = minor;
	return image;
}

/** Entries with hash, key and value; a split table has the values elsewhere. */
static uint64_t make_keys(struct image *image, const struct pair *pairs, size_t num, bool is_split)
{
	bool is_old = image->runtime.layout.minor < 11;
	const size_t head = is_old ? 40 : 32, index = 8;
	uint64_t keys = image_alloc(image, head + index + 24 * num);
	if (is_old) {
		image_word(image, keys + 8, index);
		image_word(image, keys + 32, num);
	} else {
		const uint8_t bytes[] = {3, 3, is_split ? KIND_SPLIT : 0};
		image_put(image, keys + 8, bytes, sizeof(bytes));
		image_word(image, keys + 24, num);
	}
	const size_t size = is_split && !is_old ? 16 : 24;
	for (size_t i = 0; i < num; i++) {
		uint64_t entry = keys + head + index + i * size + (size - 16);
		image_word(image, entry, pairs[i].key);
		image_word(image, entry + 8, is_split ? 0 : pairs[i].value);
	}
	return keys;
}

static uint64_t make_dict(struct image *image, const struct pair *pairs, size_t num)
{
	uint64_t dict = image_alloc(image, 64), used = dict + image->runtime.layout.dict_used;
	image_word(image, used, num);
	image_word(image, used + 16, make_keys(image, pairs, num, false));
	return dict;
}

static uint64_t make_int(struct image *image, uint64_t value)
{
	const struct python_layout *layout = &image->runtime.layout;
	uint64_t object = image_alloc(image, 64);
	image_word(image, object + layout->long_tag, layout->minor >= 12 ? 2 << 3 : 2);
	image_half(image, object + layout->long_digits, value & 0x3fffffff);
	image_half(image, object + layout->long_digits + 4, (uint32_t)(value >> 30));
	return object;
}

/** The class Thread. */
static uint64_t make_type(struct image *image, uint64_t flags)
{
	const struct python_layout *layout = &image->runtime.layout;
	uint64_t type = image_alloc(image, 1024), name = image_alloc(image, 16);
	image_put(image, name, "Thread", 7);
	image_word(image, type + layout->type_name, name);
	image_word(image, type + layout->type_flags, flags | HEAP_TYPE);
	image_word(image, type + 32, 16);                       // tp_basicsize
	image_word(image, type + layout->type_flags + 120, 16); // tp_dictoffset
	return type;
}

static void set_values(struct image *image, uint64_t object, uint64_t type,
		       const struct pair *pairs, size_t num)
{
	const struct python_layout *layout = &image->runtime.layout;
	uint64_t values = layout->minor >= 13 ? object + 16 : image_alloc(image, 8 * num);
	image_word(image, type + layout->type_cached_keys, make_keys(image, pairs, num, true));
	if (layout->minor == 11)
		image_word(image, object - 32, values);
	if (layout->minor == 12)
		image_word(image, object - 24, values - 1);
	if (layout->minor >= 13) {
		const uint8_t head[] = {(uint8_t)num, (uint8_t)num, 1, 1};
		image_put(image, values, head, sizeof(head));
		values += 8;
	}
	for (size_t i = 0; i < num; i++)
		image_word(image, values + 8 * i, pairs[i].value);
}

static uint64_t make_thread(struct image *image, enum storage storage, uint64_t name)
{
	const struct python_layout *layout = &image->runtime.layout;
	const struct pair pairs[] = {
		{image_text(image, "_target"), 0},
		{image_text(image, "_name"), name},
	};
	bool is_managed = layout->minor >= 11 && storage != STORAGE_PLAIN_DICT;
	uint64_t type = make_type(image, (is_managed ? MANAGED_DICT : 0) |
						 (layout->minor >= 13 ? INLINE_VALUES : 0));
	uint64_t object = image_alloc(image, IN_FRONT + 128) + IN_FRONT;
	image_word(image, object + layout->object_type, type);
	if (storage == STORAGE_VALUES)
		set_values(image, object, type, pairs, 2);
	else
		image_word(image,
			   !is_managed                ? object + 16
			   : layout->is_free_threaded ? object - 8
						      : object - 24,
			   make_dict(image, pairs, 2));
	return object;
}

/** sys.modules has "sys" and "threading", whose _active has these threads. */
static void set_threads(struct image *image, const struct pair *threads, size_t num)
{
	const struct python_layout *layout = &image->runtime.layout;
	const struct pair globals[] = {
		{image_text(image, "_limbo"), 1},
		{image_text(image, "_active"), make_dict(image, threads, num)},
	};
	uint64_t module = image_alloc(image, 64);
	image_word(image, module + layout->object_type + 8, make_dict(image, globals, 2));
	const struct pair modules[] = {
		{image_text(image, "sys"), 1},
		{image_text(image, "threading"), module},
	};
	image_word(image, image->interpreter + layout->interpreter_modules,
		   make_dict(image, modules, 2));
}

static void check_names(struct image *image, enum storage storage)
{
	const struct pair threads[] = {
		{make_int(image, FIRST_ID + 8),
		 make_thread(image, storage, image_text(image, "loader"))},
		{make_int(image, FIRST_ID),
		 make_thread(image, storage, image_text(image, "MainThread"))},
		{make_int(image, FIRST_ID + 4),
		 make_thread(image, storage, image_text(image, "Thread-1 (work)"))},
		{make_int(image, FIRST_ID + 2), make_thread(image, storage, make_int(image, 7))},
		{make_int(image, FIRST_ID + 6), 8},
	};
	set_threads(image, threads, sizeof(threads) / sizeof(*threads));
	_cleanup_(python_thread_names_deinit) struct python_thread_names names =
		PYTHON_THREAD_NAMES_INIT;
	// The second read replaces what the first one found.
	for (int i = 0; i < 2; i++) {
		assert_no_error(
			python_thread_names_read(&names, &image->runtime, image->interpreter));
		assert_int_equal(names.num_items, 2);
		assert_string_equal(python_thread_names_find(&names, FIRST_ID + 8), "loader");
		assert_string_equal(python_thread_names_find(&names, FIRST_ID + 4),
				    "Thread-1 (work)");
	}
	assert_null(python_thread_names_find(&names, FIRST_ID));
	assert_null(python_thread_names_find(&names, FIRST_ID + 5));
	assert_null(python_thread_names_find(&names, UINT64_MAX));
}

static void names_are_found_by_number(void **state)
{
	for (uint32_t minor = 6; minor <= 12; minor++) {
		_cleanup_free_ struct image *image = create(minor);
		check_names(image, STORAGE_DICT);
		check_names(image, STORAGE_PLAIN_DICT);
		if (minor >= 11)
			check_names(image, STORAGE_VALUES);
	}
}

static void names_may_be_in_the_object(void **state)
{
	for (int is_free = 0; is_free < 2; is_free++) {
		_cleanup_free_ struct image *image = create(13);
		image->runtime.layout.is_free_threaded = is_free;
		check_names(image, STORAGE_VALUES);
		check_names(image, STORAGE_DICT);
	}
}

static void values_that_moved_to_a_dict_are_not_read(void **state)
{
	_cleanup_free_ struct image *image = create(13);
	uint64_t thread = make_thread(image, STORAGE_VALUES, image_text(image, "old"));
	const uint8_t invalid = 0;
	image_put(image, thread + 16 + 3, &invalid, 1);
	set_threads(image, &(struct pair){make_int(image, FIRST_ID), thread}, 1);
	_cleanup_(python_thread_names_deinit) struct python_thread_names names =
		PYTHON_THREAD_NAMES_INIT;
	assert_no_error(python_thread_names_read(&names, &image->runtime, image->interpreter));
	assert_int_equal(names.num_items, 0);
}

static void a_program_without_threads_has_no_names(void **state)
{
	_cleanup_free_ struct image *image = create(11);
	_cleanup_(python_thread_names_deinit) struct python_thread_names names =
		PYTHON_THREAD_NAMES_INIT;
	assert_no_error(python_thread_names_read(&names, &image->runtime, image->interpreter));
	assert_null(python_thread_names_find(&names, FIRST_ID));
	assert_no_error(python_thread_names_read(&names, &image->runtime, 0xdead0000));
	assert_null(python_thread_names_find(&names, FIRST_ID));
}

int python_thread_names_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_found_by_number),
		cmocka_unit_test(names_may_be_in_the_object),
		cmocka_unit_test(values_that_moved_to_a_dict_are_not_read),
		cmocka_unit_test(a_program_without_threads_has_no_names),
	};
	return cmocka_run_group_tests_name("python_thread_names", tests, NULL, NULL);
}
