// SPDX-License-Identifier: Apache-2.0
#include "view/text/hot_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/container/array.h"
#include "tests/unit/assert_error.h"
#include "tests/unit/profile_fixture.h"

static void assert_file(const struct named_profile *profile, const struct hot_file *file,
			const char *path, double self, double inclusive)
{
	assert_string_equal(named_profile_text(profile, file->path), path);
	assert_true(file->self == self);
	assert_true(file->inclusive == inclusive);
}

static void test_hottest_first(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	uint32_t start = fixture_place(&profile, "main", "main.c", 3);
	uint32_t cold = fixture_place(&profile, "cold", "cold.c", 3);
	uint32_t hot = fixture_place(&profile, "hot", "hot.c", 3);
	uint32_t no_line = fixture_place(&profile, "other", "other.c", 0);
	uint32_t no_file = fixture_place(&profile, "kernel", "", 5);
	fixture_sample(&profile, (uint32_t[]){cold, start}, 2, 5);
	fixture_sample(&profile, (uint32_t[]){hot, start}, 2, 9);
	fixture_sample(&profile, (uint32_t[]){no_line, start}, 2, 50);
	fixture_sample(&profile, (uint32_t[]){no_file, start}, 2, 50);
	fixture_sample(&profile, NULL, 0, 50);
	_cleanup_(hot_files_deinit) struct hot_files files = HOT_FILES_INIT;
	assert_no_error(hot_files_init(&files, &profile));
	assert_int_equal(files.num_items, 3);
	assert_file(&profile, &files.items[0], "hot.c", 9, 9);
	assert_file(&profile, &files.items[1], "cold.c", 5, 5);
	assert_file(&profile, &files.items[2], "main.c", 0, 114);
}

static void test_no_samples(void **state)
{
	_cleanup_(named_profile_deinit) struct named_profile profile;
	assert_no_error(named_profile_init(&profile));
	_cleanup_(hot_files_deinit) struct hot_files files = HOT_FILES_INIT;
	assert_no_error(hot_files_init(&files, &profile));
	assert_int_equal(files.num_items, 0);
}

int hot_files_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hottest_first),
		cmocka_unit_test(test_no_samples),
	};
	return cmocka_run_group_tests_name("hot_files", tests, NULL, NULL);
}
