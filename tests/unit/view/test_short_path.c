// SPDX-License-Identifier: Apache-2.0

#include "view/layout/short_path.h"

#include "interpreter/python/python_language.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/profile_fixture.h"

static void assert_short(const struct short_paths *paths, struct named_profile *profile,
			 const char *path, const char *expected)
{
	assert_string_equal(short_path(paths, fixture_string(profile, path)), expected);
}

static void test_as_short_as_it_stays_distinct(void **state)
{
	static const char *const files[] = {
		"/home/me/shop/shop.py",
		"/home/me/shop/admin/views.py",
		"/home/me/shop/store/views.py",
		"/usr/lib/python3.11/json/encoder.py",
		"/venv/lib/python3.13t/site-packages/numpy/core/fromnumeric.py",
		"/usr/lib/python3/dist-packages/yaml/__init__.py",
		"/home/me/tool/__main__.py",
		"<frozen importlib._bootstrap>",
		"relative.py",
		"/other/relative.py",
		"",
	};
	static const char *const expected[] = {
		"shop.py",
		"admin/views.py",
		"store/views.py",
		"json/encoder.py",
		"numpy/core/fromnumeric.py",
		"yaml/__init__.py",
		"tool/__main__.py",
		"<frozen importlib._bootstrap>",
		"relative.py",
		"other/relative.py",
		"",
	};
	_cleanup_(named_profile_deinit) struct named_profile profile;
	_cleanup_(short_paths_deinit) struct short_paths paths = {0};
	assert_no_error(named_profile_init(&profile));
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		fixture_interpreted(&profile, "f", files[i], 1, 2);
	profile.language = &python_language;
	fixture_place(&profile, "native", "/c/shop.py", 1); // no file of Python: does not matter
	assert_no_error(short_paths_create(&profile, &paths));
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		assert_short(&paths, &profile, files[i], expected[i]);
}

int short_path_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_short_as_it_stays_distinct),
	};
	return cmocka_run_group_tests_name("short_path", tests, NULL, NULL);
}
