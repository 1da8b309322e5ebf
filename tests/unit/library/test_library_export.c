// SPDX-License-Identifier: Apache-2.0

#include "library/wperf.h"

#include "base/cleanup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/library/small_profile.h"

static const char path[] = "library_export.tmp";

static void check_begin(const char *file, const char *expected)
{
	char text[64] = "";
	FILE *stream = fopen(file, "rb");
	assert_non_null(stream);
	assert_int_equal(fread(text, 1, strlen(expected), stream), strlen(expected));
	fclose(stream);
	assert_memory_equal(text, expected, strlen(expected));
	assert_int_equal(unlink(file), 0);
}

static void every_format_is_written(void **state)
{
	struct wperf_profile *profile = small_profile();
	profile->keeps_times = true;
	const char *format;
	size_t num = 0;
	for (; (format = wperf_export_format_at(num)); num++) {
		if (strcmp(format, "massif") == 0) {
			// Only of memory.
			struct wperf_error *err = wperf_profile_export(profile, format, path);
			assert_non_null(err);
			wperf_error_free(err);
			continue;
		}
		assert_no_library_error(wperf_profile_export(profile, format, path));
		check_begin(path, "");
	}
	assert_int_equal(num, 9);
	wperf_profile_close(profile);
}

static void the_end_of_a_name_is_a_format(void **state)
{
	struct wperf_profile *profile = small_profile();
	profile->keeps_times = true;
	assert_no_library_error(wperf_profile_export(profile, NULL, "library_export.html"));
	check_begin("library_export.html", "<!DOCTYPE html>");
	assert_no_library_error(wperf_profile_export(profile, NULL, "library_export.json"));
	check_begin("library_export.json", "{\"report\":");
	assert_no_library_error(wperf_profile_export(profile, NULL, "library_export.folded"));
	check_begin("library_export.folded", "worker;main;twice");
	wperf_profile_close(profile);
}

static void what_cannot_be_written_is_an_error(void **state)
{
	struct wperf_profile *profile = small_profile();
	assert_library_error(wperf_profile_export(profile, NULL, path), WPERF_ERROR_USAGE,
			     "the end of 'library_export.tmp' names no format");
	assert_library_error(wperf_profile_export(profile, "gif", path), WPERF_ERROR_USAGE,
			     "unknown format 'gif'");
	assert_library_error(wperf_profile_export(profile, "autofdo", path), WPERF_ERROR_USAGE,
			     "unknown format 'autofdo'");
	assert_library_error(wperf_profile_export(profile, "html", path), WPERF_ERROR_USAGE,
			     "cannot write 'library_export.tmp': html needs the time of each "
			     "sample");
	assert_library_error(wperf_profile_export(profile, "json", "/nowhere/at/all"),
			     WPERF_ERROR_FAILED,
			     "Unable to open /nowhere/at/all: No such file or directory");
	assert_int_not_equal(access(path, F_OK), 0);
	wperf_profile_close(profile);
}

int library_export_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_is_written),
		cmocka_unit_test(the_end_of_a_name_is_a_format),
		cmocka_unit_test(what_cannot_be_written_is_an_error),
	};
	return cmocka_run_group_tests_name("library_export", tests, NULL, NULL);
}
