// SPDX-License-Identifier: Apache-2.0

#include "session/stored_images.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include "object/line_image/line_image.h"
#include "session/build_id_cache.h"
#include "tests/unit/assert_error.h"
#include "tests/unit/object_fixture.h"

#include <string.h>

/** A recording's image, as old as @age says; returns its size. */
static size_t add_image(void **state, const char *path, uint8_t number, unsigned age)
{
	_cleanup_(line_image_deinit) struct line_image image = LINE_IMAGE_INIT;
	const struct line_image_language language = {0x14, "Python"}; // DW_LANG_Python
	const struct line_image_line line = {.function = "f", .file = "a.py", .line = 1};
	uint64_t address;
	assert_no_error(line_image_add(&image, &line, &address));
	struct build_id_file file = {.path = path, .build_id = {20, {number, 0xab}}};
	_cleanup_free_ char *bytes = NULL;
	assert_no_error(line_image_encode(&image, &language, OBJECT_MACHINE_X86_64,
					  file.build_id.bytes, &bytes, &file.size));
	file.bytes = bytes;
	assert_no_error(build_id_cache_add(&file));
	free(run_in(state, "touch -d '%u minutes ago' .debug%s/%02xab*/elf", age, path, number));
	return file.size;
}

static void assert_listing(void **state, const char *expected)
{
	_cleanup_free_ char *found =
		run_in(state, "find .debug -name elf -o -type l | sed s/ab0*/ab/ | LC_ALL=C sort");
	assert_string_equal(found, expected);
}

static void test_the_oldest_go(void **state)
{
	setenv("HOME", *state, 1);
	size_t size = add_image(state, "/p/x.data" LINE_IMAGE_SUFFIX, 0x11, 1);
	add_image(state, "/p/x.data" LINE_IMAGE_SUFFIX, 0x22, 3);
	add_image(state, "/p/y.data" LINE_IMAGE_SUFFIX, 0x33, 2);
	stored_images_trim(3 * size);
	assert_listing(state, ".debug/.build-id/11/ab\n.debug/.build-id/22/ab\n"
			      ".debug/.build-id/33/ab\n.debug/p/x.data.python.so/11ab/elf\n"
			      ".debug/p/x.data.python.so/22ab/elf\n"
			      ".debug/p/y.data.python.so/33ab/elf\n");
	stored_images_trim(2 * size);
	assert_listing(state, ".debug/.build-id/11/ab\n.debug/.build-id/33/ab\n"
			      ".debug/p/x.data.python.so/11ab/elf\n"
			      ".debug/p/y.data.python.so/33ab/elf\n");
	stored_images_trim(0); // the newest stays
	assert_listing(state, ".debug/.build-id/11/ab\n.debug/p/x.data.python.so/11ab/elf\n");
	_cleanup_free_ char *rest = run_in(state, "ls .debug/p; rm -r .debug");
	assert_string_equal(rest, "x.data.python.so\n");
}

/** Files of perf, of the user, and what only looks like an image. */
static void test_other_files_stay(void **state)
{
	setenv("HOME", *state, 1);
	add_image(state, "/p/prog", 0x11, 9); // not named as one
	add_image(state, "/p/link" LINE_IMAGE_SUFFIX, 0x22, 9);
	add_image(state, "/p/out" LINE_IMAGE_SUFFIX, 0x33, 9);
	struct build_id_file file = {.path = "/p/text" LINE_IMAGE_SUFFIX,
				     .build_id = {20, {0x44, 0xab}},
				     .bytes = "no image",
				     .size = 8};
	assert_no_error(build_id_cache_add(&file));
	add_image(state, "/p/new" LINE_IMAGE_SUFFIX, 0x55, 0);
	free(run_in(state,
		    "cd .debug/p/link*/22ab*/ && mv elf ../../image && ln -s ../../image elf"));
	free(run_in(state, "mv .debug/p/out.python.so outside && ln -s ../../outside "
			   ".debug/p/out.python.so"));
	_cleanup_free_ char *before = run_in(state, "find .debug outside | sort");
	stored_images_trim(0);
	_cleanup_free_ char *after = run_in(state, "find .debug outside | sort");
	assert_string_equal(after, before);
	free(run_in(state, "rm -r .debug outside"));
}

static void test_no_store(void **state)
{
	static const char *const homes[] = {"", "relative", "/proc/nowhere"};
	for (size_t i = 0; i < 3; i++) {
		setenv("HOME", homes[i], 1);
		stored_images_trim(0);
	}
	setenv("HOME", *state, 1);
	stored_images_trim(0);
	_cleanup_free_ char *found = run_in(state, "find . -name .debug");
	assert_string_equal(found, "");
}

int stored_images_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_oldest_go),
		cmocka_unit_test(test_other_files_stay),
		cmocka_unit_test(test_no_store),
	};
	return cmocka_run_group_tests_name("stored_images", tests, object_fixture_create,
					   object_fixture_destroy);
}
