// SPDX-License-Identifier: Apache-2.0

#include "session/build_id_cache.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/object_fixture.h"

static struct build_id_file file_at(const char *path)
{
	return (struct build_id_file){
		.path = path, .build_id = {20, {0x12, 0xab}}, .bytes = "content", .size = 7};
}

/** By the link, as perf looks for it, whatever becomes of the path. */
static void test_is_found_by_build_id(void **state)
{
	setenv("HOME", *state, 1);
	struct build_id_file file = file_at("/nowhere/at all/x.data.python.so");
	assert_no_error(build_id_cache_add(&file));
	_cleanup_free_ char *found =
		run_in(state, "cat .debug/.build-id/12/ab000000000000000000000000000000000000/elf");
	assert_string_equal(found, "content");
	_cleanup_free_ char *listing =
		run_in(state, "cat '.debug/nowhere/at all/x.data.python.so/'*/elf");
	assert_string_equal(listing, "content");
}

static void test_goes_to_its_path_without_a_home(void **state)
{
	static const char *const homes[] = {"", "relative", "/proc/nowhere", NULL};
	char path[PATH_MAX];
	snprintf(path, sizeof(path), "%s/x.so", (char *)*state);
	for (size_t i = 0; i < 4; i++) {
		if (homes[i])
			setenv("HOME", homes[i], 1);
		else
			unsetenv("HOME");
		struct build_id_file file = file_at(path);
		assert_no_error(build_id_cache_add(&file));
		_cleanup_free_ char *found = run_in(state, "cat x.so && rm x.so");
		assert_string_equal(found, "content");
	}
}

/** Neither at the place nor at that of the draft. */
static void test_nothing_is_written_through_a_link(void **state)
{
	setenv("HOME", "", 1);
	char path[PATH_MAX];
	snprintf(path, sizeof(path), "%s/x.so", (char *)*state);
	free(run_in(state, "echo kept >other && ln -s other x.so && ln -s other x.so.new"));
	struct build_id_file file = file_at(path);
	assert_no_error(build_id_cache_add(&file));
	_cleanup_free_ char *found = run_in(state, "cat other x.so; ls; rm other x.so");
	assert_string_equal(found, "kept\ncontentother\nx.so\n");
}

static void test_nowhere(void **state)
{
	setenv("HOME", "/proc/nowhere", 1);
	struct build_id_file file = file_at("/proc/nowhere/x.so");
	_cleanup_(error_destroyp) struct error *err = build_id_cache_add(&file);
	assert_non_null(err);
	assert_non_null(strstr(err->message, "cannot write '/proc/nowhere/x.so'"));
}

int build_id_cache_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_is_found_by_build_id),
		cmocka_unit_test(test_goes_to_its_path_without_a_home),
		cmocka_unit_test(test_nothing_is_written_through_a_link),
		cmocka_unit_test(test_nowhere),
	};
	return cmocka_run_group_tests_name("build_id_cache", tests, object_fixture_create,
					   object_fixture_destroy);
}
