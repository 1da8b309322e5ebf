// SPDX-License-Identifier: Apache-2.0

#include "base/file/file_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void a_name_is_the_last_part(void **state)
{
	assert_string_equal(file_name_of("/usr/lib/libc.so.6"), "libc.so.6");
	assert_string_equal(file_name_of("libc.so.6"), "libc.so.6");
	assert_string_equal(file_name_of("C:\\bin\\a.dll"), "a.dll");
	assert_string_equal(file_name_of("/tmp/a\\b"), "a\\b");
	assert_string_equal(file_name_of("/usr/lib/"), "");
}

static void what_is_shown_is_never_empty(void **state)
{
	assert_string_equal(file_name_to_show("/usr/lib/libc.so.6"), "libc.so.6");
	assert_string_equal(file_name_to_show("C:\\bin\\a.dll"), "a.dll");
	assert_string_equal(file_name_to_show("/usr/lib/"), "/usr/lib/");
	assert_string_equal(file_name_to_show("[vdso]"), "[vdso]");
}

int file_name_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_is_the_last_part),
		cmocka_unit_test(what_is_shown_is_never_empty),
	};
	return cmocka_run_group_tests_name("file_name", tests, NULL, NULL);
}
