// SPDX-License-Identifier: Apache-2.0

#include "process/program_search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "base/container/array.h"
#include "tests/unit/assert_error.h"

static const char *const files[] = {
	"here.exe",     "C:\\a\\both.com",  "C:\\a\\both.exe", "C:\\b;c\\tool.cmd",
	"D:\\x\\y.exe", "C:\\a\\data.json", "C:\\a\\bare",     "D:plain.exe",
};

static bool is_file(void *context, const char *path)
{
	++*(unsigned *)context;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (strcasecmp(files[i], path) == 0)
			return true;
	return false;
}

static void names_mean_what_cmd_takes_them_for(void **state)
{
	static const struct {
		const char *name, *found; /* NULL: nothing */
	} rows[] = {
		{"here", "here.exe"},
		{"here.exe", "here.exe"},
		{"both", "C:\\a\\both.COM"},
		{"both.exe", "C:\\a\\both.exe"},
		{"tool", "C:\\b;c\\tool.CMD"},
		{"D:\\x\\y", "D:\\x\\y.EXE"},
		{"d:/x/y", NULL}, // the files of this test are not as forgiving
		{"D:plain", "D:plain.EXE"},
		{"x\\both", NULL},
		{"data.json", "C:\\a\\data.json"},
		{"bare", NULL},
		{"", NULL},
		{".", NULL},
		{"C:\\a.b\\none", NULL},
	};
	unsigned num_asked = 0;
	const struct program_search search = {
		.path = ";C:\\a;;\"C:\\b;c\\\";C:\\a",
		.extensions = ".COM;;.EXE;.BAT;.CMD",
		.is_file = is_file,
		.context = &num_asked,
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *found = NULL;
		struct error *err = program_search_find(&search, rows[i].name, &found);
		assert_int_equal(err == NULL, rows[i].found != NULL);
		if (found)
			assert_int_equal(strcasecmp(found, rows[i].found), 0);
		else
			assert_int_equal(err ? err->code : ERROR_FAILED, ERROR_ABSENT);
		error_destroy(err);
	}
}

static void the_folder_that_we_are_in_can_be_skipped(void **state)
{
	unsigned num_asked = 0;
	const struct program_search search = {
		.skips_here = true, .is_file = is_file, .context = &num_asked};
	char *found;
	struct error *err = program_search_find(&search, "here", &found);
	assert_non_null(err);
	error_destroy(err);
	assert_int_equal(num_asked, 0);
}

static void batch_files_are_known(void **state)
{
	assert_true(program_search_is_batch("C:\\a\\b.BAT"));
	assert_true(program_search_is_batch("b.cmd"));
	assert_false(program_search_is_batch("b.cmd.exe"));
	assert_false(program_search_is_batch("x.bat\\y"));
	assert_false(program_search_is_batch(""));
}

int program_search_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_mean_what_cmd_takes_them_for),
		cmocka_unit_test(the_folder_that_we_are_in_can_be_skipped),
		cmocka_unit_test(batch_files_are_known),
	};
	return cmocka_run_group_tests_name("program_search", tests, NULL, NULL);
}
