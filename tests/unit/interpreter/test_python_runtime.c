// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/layout/python_runtime.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/pe_bytes.h"
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
		     "this build of Python 3.12 has an unknown layout of frames");
}

static void what_is_wrong_is_refused(void **state)
{
	uint64_t code, thread;
	_cleanup_free_ struct image *image = create(9, &code, &thread);
	image_word(image, code + image->runtime.layout.code_name, 0x10);
	assert_error(python_runtime_check(&image->runtime), ERROR_FAILED,
		     "this build of Python 3.9 has an unknown layout of frames");
	image_word(image, thread + image->runtime.layout.thread_interpreter, 0x10);
	assert_error(python_runtime_check(&image->runtime), ERROR_FAILED,
		     "this build of Python 3.9 has an unknown layout of threads");
}

static void what_has_not_begun_says_nothing(void **state)
{
	uint64_t code, thread;
	_cleanup_free_ struct image *image = create(11, &code, &thread);
	image_word(image, image->interpreter + image->runtime.layout.interpreter_threads, 0);
	assert_error(python_runtime_check(&image->runtime), ERROR_ABSENT,
		     "Python 3.11 has no threads");
	image_word(image, image->runtime.walk.interpreters, 0);
	assert_error(python_runtime_check(&image->runtime), ERROR_ABSENT,
		     "Python 3.11 has not started yet, or has finished");
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
		     "no thread of Python 3.10 runs Python code");
	image->runtime.is_guess = true;
	assert_error(python_runtime_check(&image->runtime), ERROR_FAILED,
		     "this build of Python 3.10 has an unknown layout of frames");
}

enum { RUNTIME = DATA + 0x400, CODE_TYPE_BEHIND = 2048 };

/** A library that exports the runtime of @image, and its code type. */
static struct object *library_of(const struct image *image, uint16_t machine, struct file *file)
{
	*file = make(machine);
	put_exports(file, (const char *const[]){"PyCode_Type", "_PyRuntime", "Py_Version"},
		    (uint32_t[]){RUNTIME + CODE_TYPE_BEHIND, RUNTIME, EXPORTS + 0x40});
	assert_int_equal(image->code_type - image->runtime.address, CODE_TYPE_BEHIND);
	struct object *object;
	assert_no_error(object_open_memory(file, sizeof(*file), "python.dll", &object));
	return object;
}

static struct error *find(const struct image *image, struct object *object, const char *path,
			  struct python_runtime *ret)
{
	return python_runtime_find(&image->runtime.memory, object, image->runtime.address - RUNTIME,
				   path, ret);
}

static void libraries_of_windows_are_read(void **state)
{
	static const struct {
		const char *path;
		uint32_t minor;
	} cases[] = {
		{"C:/Python38/python38.dll", 8},
		{"C:/Python39/python39_d.dll", 9},
		{"C:/Program Files/WindowsApps/Python.3.10_x64/python310.dll", 10},
		{"/home/me/.wine/drive_c/embed/python311.dll", 11},
		{"C:/msys64/bin/libpython3.12.dll", 12},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint64_t code, thread;
		_cleanup_free_ struct image *image = create(cases[i].minor, &code, &thread);
		struct file file;
		_cleanup_(object_destroyp) struct object *object =
			library_of(image, i % 2 ? 0xaa64 : 0x8664, &file);
		struct python_runtime runtime;
		assert_no_error(find(image, object, cases[i].path, &runtime));
		assert_int_equal(runtime.layout.minor, cases[i].minor);
		assert_true(runtime.layout.is_windows);
		assert_int_equal(runtime.code_type, image->code_type);
		assert_no_error(python_runtime_check(&runtime));
	}
}

static void libraries_of_windows_are_refused(void **state)
{
	uint64_t code, thread;
	_cleanup_free_ struct image *image = create(7, &code, &thread);
	struct file file;
	_cleanup_(object_destroyp) struct object *object = library_of(image, 0x8664, &file);
	struct python_runtime runtime;
	assert_error(
		find(image, object, "C:/Python37/python37.dll", &runtime), ERROR_FAILED,
		"'C:/Python37/python37.dll' is Python 3.7; on Windows, wperf reads 3.8 and newer");
	assert_error(find(image, object, "C:/game.exe", &runtime), ERROR_FAILED,
		     "cannot find the Python version of 'C:/game.exe'");
	assert_error(find(image, object, "C:/Python313/python313.dll", &runtime), ERROR_FAILED,
		     "an interpreter without published offsets");
}

static void a_section_tells_without_an_export(void **state)
{
	uint64_t code, thread;
	_cleanup_free_ struct image *image = create(12, &code, &thread);
	struct file file = make(0x8664);
	put_section(&file, 1, "PyRuntim", DATA, DATA_OFFSET, SIZE - DATA_OFFSET, 0);
	struct object *object;
	assert_no_error(object_open_memory(&file, sizeof(file), "python312.exe", &object));
	struct python_runtime runtime;
	assert_no_error(python_runtime_find(&image->runtime.memory, object,
					    image->runtime.address - DATA, "python312.exe",
					    &runtime));
	object_destroy(object);
	assert_int_equal(runtime.address, image->runtime.address);
	assert_int_equal(runtime.walk.interpreters, image->runtime.walk.interpreters);
}

int python_runtime_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_right_passes),
		cmocka_unit_test(the_type_of_code_is_known_by_its_name),
		cmocka_unit_test(what_is_wrong_is_refused),
		cmocka_unit_test(what_has_not_begun_says_nothing),
		cmocka_unit_test(a_guess_needs_a_frame),
		cmocka_unit_test(libraries_of_windows_are_read),
		cmocka_unit_test(libraries_of_windows_are_refused),
		cmocka_unit_test(a_section_tells_without_an_export),
	};
	return cmocka_run_group_tests_name("python_runtime", tests, NULL, NULL);
}
